import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { IN_PROGRESS_STATUSES, SourceStatus } from '@docent/contract/sources.ts'
import { sql } from 'kysely'
import { temporaryFolder } from '../../test/harness.ts'
import { openTestDatabase } from '../../test/test-database.ts'
import type { Database } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { newId } from '../database/rows/ids.ts'
import { createUser } from '../features/accounts/users.store.ts'
import { createChatbot, deleteChatbot } from '../features/chatbots/chatbots.store.ts'
import type { Source } from '../features/sources/sources.store.ts'
import { claimSource, countDue } from './claim-source.ts'
import { type ClaimOptions, nextSource } from './next-source.ts'

const OPTIONS: ClaimOptions[] = [
  {},
  { suspects: false },
  { only: 'given' },
  { only: 'newcomers' },
  { only: 'newcomers', suspects: false },
  { atHalf: ['0'] },
  { atHalf: ['0', '1'], only: 'given' },
  { atHalf: ['0', '1', '2', '3'], suspects: false },
]

interface Place {
  chatbot: string
  owner: string
  isHidden: boolean
}

/** Four owners, each with a chatbot and another one that is being deleted. */
async function openPlaces(t: TestContext) {
  const { db } = await openTestDatabase(t, temporaryFolder(t))
  const owners: string[] = []
  const places: Place[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    const { id: owner } = await createUser(db, name)
    owners.push(owner)
    for (const isHidden of [false, true]) {
      const chatbot = await createChatbot(db, owner, { name: 'Bot', settings: {} })
      if (isHidden) await deleteChatbot(db, chatbot)
      places.push({ chatbot: chatbot.id, owner, isHidden })
    }
  }
  return { db, owners, places }
}

/** Seeded, so that a failure can be repeated. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

async function addSources(db: Database, places: Place[], pick: (below: number) => number) {
  const one = <T>(values: readonly T[]) => values[pick(values.length)]!
  const sources = Array.from({ length: 4 + pick(40) }, (): Source => {
    const place = one(places)
    const later = Date.now() + 600_000
    return {
      id: newId(),
      chatbot_id: place.chatbot,
      owner_id: place.owner,
      type: one(['link', 'qa', 'upload']),
      title: 't',
      title_chosen: 0,
      status: one(SourceStatus.options),
      file_name: '',
      file_size: 0,
      tokens: 0,
      meta: '{}',
      attempts: pick(3),
      claim_id: pick(3) === 0 ? newId() : null,
      due_at: one([null, 1, 1, 2, 3, later]),
      created_at: 0,
      modified_at: 0,
    }
  })
  await db.deleteFrom('sources').execute()
  await db.insertInto('sources').values(sources).execute()
  return sources
}

/** Implements the rules independently of the query. */
function expected(
  sources: Source[],
  places: Place[],
  { suspects = true, only, atHalf = [] }: ClaimOptions,
): string | undefined {
  const now = Date.now()
  const hidden = new Set(places.filter(({ isHidden }) => isHidden).map(({ chatbot }) => chatbot))
  const due = sources.filter(
    ({ due_at, chatbot_id }) => due_at !== null && due_at <= now && !hidden.has(chatbot_id),
  )
  const inWork = (owner: string) =>
    sources.filter(
      ({ owner_id, claim_id, due_at }) => owner_id === owner && claim_id && (due_at ?? 0) > now,
    ).length
  const othersWait = due.some(({ owner_id }) => !atHalf.includes(owner_id))
  const isSettled = ({ status }: Source) =>
    !(IN_PROGRESS_STATUSES as readonly string[]).includes(status)
  const rank = (source: Source) => [
    inWork(source.owner_id),
    Number(isSettled(source)),
    source.due_at!,
    source.attempts,
  ]
  const before = (a: Source, b: Source) => {
    const other = rank(b)
    const differences = rank(a).map((value, i) => value - other[i]!)
    return differences.find((value) => value !== 0) ?? (a.id < b.id ? -1 : 1)
  }
  return due
    .filter(({ claim_id }) => suspects || claim_id === null)
    .filter(({ type }) => only !== 'given' || type !== 'link')
    .filter(({ owner_id }) => only !== 'newcomers' || inWork(owner_id) === 0)
    .filter(({ owner_id }) => !othersWait || !atHalf.includes(owner_id))
    .toSorted(before)[0]?.id
}

test('sources are taken in the order of the rules, whatever waits', async (t) => {
  const { db, owners, places } = await openPlaces(t)
  const pick = numbers(7)
  for (let round = 0; round < 60; round++) {
    const sources = await addSources(db, places, pick)
    for (const option of OPTIONS) {
      const atHalf = option.atHalf?.map((i) => owners[Number(i)]!) ?? []
      const options = { ...option, atHalf }
      const { rows } = await sql<{ id: string }>`
        SELECT id FROM sources WHERE id = ${nextSource(db, options)}`.execute(db)
      const about = `round ${round}, ${JSON.stringify(option)}`
      assert.equal(rows[0]?.id, expected(sources, places, options), about)
    }
    const claimed = await claimSource(db)
    assert.equal(claimed?.id, expected(sources, places, {}))
  }
})

test('a claim looks at the same few rows, however many sources of one owner are due or wait for a later time', async (t) => {
  const { db, owners, places } = await openPlaces(t)
  const add = (from: number, type: string, due: number) => {
    const n = isPostgres(db)
      ? sql`generate_series(1, 10000) AS n`
      : sql`(SELECT value AS n FROM json_each(${JSON.stringify(Array.from({ length: 10_000 }, (_, i) => i))}))`
    const [{ chatbot, owner }] = [places[from]!]
    return sql`
      INSERT INTO sources (id, chatbot_id, owner_id, type, title, status, due_at, created_at, modified_at)
      SELECT ${sql.lit(`${from}-${due}-`)} || n, ${sql.lit(chatbot)}, ${sql.lit(owner)}, ${sql.lit(type)}, 't', 'await',
        ${sql.lit(due)}, 0, 0 FROM ${n}`.execute(db)
  }
  await add(0, 'link', 1)
  await add(2, 'link', 2)
  await add(4, 'qa', 9e12)
  await claimSource(db)
  if (isPostgres(db)) await sql`ANALYZE`.execute(db)
  for (const options of [{}, { only: 'given' }, { atHalf: [owners[0]!] }] as ClaimOptions[]) {
    const looked = await (isPostgres(db) ? rowsLookedAt(db, options) : plannedSteps(db, options))
    assert.deepEqual(looked, [], JSON.stringify(options))
  }
  assert.equal(await countDue(db), 30_000)
})

/** On PostgreSQL: explains a claim and returns the steps that read many rows. */
async function rowsLookedAt(db: Database, options: ClaimOptions): Promise<string[]> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Step }] }>`
    EXPLAIN (ANALYZE, FORMAT JSON) SELECT * FROM sources WHERE id = ${nextSource(db, options)}`.execute(
    db,
  )
  const steps: Step[] = [rows[0]!['QUERY PLAN'][0].Plan]
  for (const step of steps) steps.push(...(step.Plans ?? []))
  return steps
    .filter((step) => {
      const each = step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0)
      return each * step['Actual Loops'] > 200
    })
    .map((step) => JSON.stringify({ ...step, Plans: undefined }))
}

interface Step {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Step[]
}

/** On SQLite: the steps that do more than look up a first row. */
async function plannedSteps(db: Database, options: ClaimOptions): Promise<string[]> {
  const { rows } = await sql<{ detail: string }>`
    EXPLAIN QUERY PLAN SELECT * FROM sources WHERE id = ${nextSource(db, options)}`.execute(db)
  assert.ok(rows.length > 5)
  return rows
    .map(({ detail }) => detail)
    .filter((detail) => /\b(sources|head)\b/.test(detail))
    .filter((detail) => !LOOK_UPS.some((lookUp) => detail.endsWith(lookUp)))
}

const LOOK_UPS = [
  ' USING INDEX sqlite_autoindex_sources_1 (id=?)',
  // Whether any source is due.
  ' USING COVERING INDEX sources_due (due_at>?)',
  // The next owner.
  'SEARCH sources USING COVERING INDEX sources_by_turn',
  ' USING COVERING INDEX sources_by_turn (owner_id>?)',
  // The owner's first source of this kind.
  ' USING COVERING INDEX sources_by_turn (owner_id=? AND <expr>=? AND <expr>=? AND due_at<?)',
  'SCAN sources USING INDEX sources_in_work',
]
