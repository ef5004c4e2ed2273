import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { temporaryFolder, until } from '../../../test/harness.ts'
import { ONLY_POSTGRES, openTestDatabase } from '../../../test/test-database.ts'
import type { Database } from '../../database/database.ts'
import { connectForMigration } from '../../database/postgres/connect-postgres.ts'
import { createUser } from '../../features/accounts/users.store.ts'
import { createChatbot, deleteChatbot } from '../../features/chatbots/chatbots.store.ts'
import { createSource } from '../../features/sources/sources.store.ts'
import { claimDuty, Node, runExclusively } from '../../jobs/node.ts'
import { registerEmbedder } from '../vectors/registered-embedders.ts'
import type { QuestionVector } from '../vectors/text-vectors.ts'
import { findNear, postgresIndex } from './index-on-postgres.ts'
import { updateVectorIndexes } from './vector-indexes.ts'

const DIMENSIONS = 64
const PASSAGES = 4_000

test(
  'a chatbot with many passages is searched by an index of its own, which finds what a comparison of all does',
  ONLY_POSTGRES,
  async (t) => {
    const { db, searchDb, patient } = await openWithPatience(t)
    const embedder = await registerEmbedder(db, { name: 'test', dimensions: DIMENSIONS })
    const user = await createUser(db, 'a')
    const fill = async (passages: number) => {
      const chatbot = await createChatbot(db, user.id, { name: 'Bot', settings: {} })
      const source = await createSource(db, chatbot, { type: 'qa', title: 'q', meta: {} })
      await sql`
      INSERT INTO passages (chatbot_id, source_id, revision, build, position, starts_at, ends_at, text, words)
      SELECT ${chatbot.id}, ${source.id}, 'r', CASE n % 10 WHEN 0 THEN 'hidden' ELSE 'b' END, n, 0, 1, 't', 'w'
      FROM generate_series(1, ${passages}::int) AS n`.execute(db)
      await sql`
      INSERT INTO passage_vectors (passage_id, embedder_id, chatbot_id, build, vector)
      SELECT id, ${embedder.id}, chatbot_id, build,
        (SELECT array_agg(sin(id * (place + 1)) + cos(id % 97 * place)) FROM generate_series(1, ${DIMENSIONS}::int) AS place)::vector::halfvec
      FROM passages WHERE chatbot_id = ${chatbot.id}`.execute(db)
      return { chatbot, source }
    }
    const large = await fill(PASSAGES)
    await fill(50)
    const row = { build: 'hidden', chatbot_id: large.chatbot.id, source_id: large.source.id }
    await db
      .insertInto('hidden_builds')
      .values({ ...row, page_url: '', claim_id: null })
      .execute()

    const { made } = await updateVectorIndexes(patient, embedder, 1_000)
    assert.deepEqual(made, [`near_${embedder.id}_${large.chatbot.id}`])
    assert.deepEqual((await updateVectorIndexes(patient, embedder, 1_000)).made, [])
    await sql`ANALYZE`.execute(db)

    let shared = 0
    const questions = Array.from({ length: 20 }, (_, i) => questionOf(i))
    for (const vector of questions) {
      const question: QuestionVector = {
        embedder,
        vector,
        signs: new Uint8Array(),
        understood: 1,
        nearness: 'known',
      }
      const exact = await postgresIndex.findByMeaning(searchDb, large.chatbot.id, question, 1)
      const near = await findNear(searchDb, large.chatbot.id, question)
      assert.equal(near.length, 50, 'what is hidden does not cut it short')
      shared += near.filter((id) => exact.includes(id)).length
    }
    assert.ok(shared / (20 * 50) > 0.9, `${shared} of ${20 * 50}`)
    assert.match(await planOf(searchDb, large.chatbot.id), new RegExp(`using ${made[0]}`))

    await deleteChatbot(db, large.chatbot)
    const { removed } = await updateVectorIndexes(patient, embedder, 1_000)
    assert.deepEqual(removed, made)
  },
)

/** Adds a handle without timeouts, because creating an index may take long. */
async function openWithPatience(t: TestContext) {
  const opened = await openTestDatabase(t, temporaryFolder(t))
  const patient = connectForMigration(opened.databaseUrl!)
  t.after(() => patient.destroy())
  return { ...opened, patient }
}

/** Adds the fewest vectors that a test needs. */
async function fillOne(db: Database) {
  const embedder = await registerEmbedder(db, { name: 'test', dimensions: DIMENSIONS })
  const user = await createUser(db, 'a')
  const chatbot = await createChatbot(db, user.id, { name: 'Bot', settings: {} })
  const source = await createSource(db, chatbot, { type: 'qa', title: 'q', meta: {} })
  await sql`
    INSERT INTO passages (chatbot_id, source_id, revision, build, position, starts_at, ends_at, text, words)
    SELECT ${chatbot.id}, ${source.id}, 'r', 'b', n, 0, 1, 't', 'w' FROM generate_series(1, 3) AS n`.execute(
    db,
  )
  return { embedder, name: `near_${embedder.id}_${chatbot.id}` }
}

test('an index that is still being made is left alone', ONLY_POSTGRES, async (t) => {
  const { db, patient } = await openWithPatience(t)
  const { embedder, name } = await fillOne(db)
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  // Creating an index waits for transactions that write to the table.
  const writing = db.transaction().execute(async (db) => {
    await sql`LOCK TABLE passage_vectors IN ROW EXCLUSIVE MODE`.execute(db)
    begin()
    await mayEnd
  })
  await begun
  const making = updateVectorIndexes(patient, embedder, 1)
  await until(async () => {
    const { rows } =
      await sql`SELECT FROM pg_stat_progress_create_index WHERE index_relid > 0`.execute(db)
    return rows.length > 0 || undefined
  })
  assert.deepEqual(await updateVectorIndexes(patient, embedder, 1), { made: [], removed: [] })
  end()
  await writing
  assert.deepEqual((await making).made, [name])
  const { rows } =
    await sql`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = ${name}::regclass`.execute(
      db,
    )
  assert.deepEqual(rows, [{ valid: true }])
})

test('a duty stays with its node for as long as it takes', ONLY_POSTGRES, async (t) => {
  const { db } = await openTestDatabase(t, temporaryFolder(t))
  const [one, other] = [new Node(db), new Node(db)]
  t.mock.timers.enable({ apis: ['setInterval'] })
  await runExclusively(db, one, 'test', async () => {
    // As if the lease were about to expire.
    await sql`UPDATE duties SET held_until = now_ms() + 500`.execute(db)
    t.mock.timers.tick(5_000)
    await sleep(600)
    assert.equal(await claimDuty(db, other, 'test'), false)
  })
  await sql`UPDATE duties SET held_until = 0`.execute(db)
  t.mock.timers.tick(60_000)
  await sleep(100)
  assert.equal(await claimDuty(db, other, 'test'), true, 'it is no longer renewed')
})

function questionOf(seed: number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin((seed + 3) * (i + 2)))
}

/** The query plan of a vector search. */
async function planOf(db: Database, chatbot: string): Promise<string> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    EXPLAIN SELECT passage_id FROM passage_vectors
    WHERE chatbot_id = ${sql.lit(chatbot)} AND embedder_id = 1
    ORDER BY vector::halfvec(${sql.lit(DIMENSIONS)})
      <=> ${JSON.stringify([...questionOf(1)])}::halfvec LIMIT 50`.execute(db)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}
