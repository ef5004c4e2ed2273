import { UNSETTLED } from '@docent/contract/sources.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { fromNow, isPostgres, listOf } from '../database/dialect.ts'
import { hiddenChatbots } from '../features/owners/deleted-chatbots.store.ts'

/** Only of owners who have nothing in work; or only what was given whole, for which no site has to be waited for. */
export type Share = 'newcomers' | 'given'

export interface ClaimOptions {
  suspects?: boolean
  only?: Share | undefined
  /** Owners who have half of the places: theirs are taken only while no other owner's are due. */
  atHalf?: readonly string[]
}

/** Nodes that take from one owner at the same moment each find one: this many. */
const NODES_AT_ONCE = 4
const CHOICES = 2 * NODES_AT_ONCE

// As the index `sources_by_turn` has them.
const IS_LINK = sql<boolean>`(type = 'link')`
export const IS_SETTLED = sql<boolean>`(status NOT IN (${sql.join(UNSETTLED.map((status) => sql.lit(status)))}))`

/**
 * The id of the source that is due next. Owners who have any are found by skipping from one to the next in the index,
 * and of each of them its first sources are looked up there. Thus a claim costs as much for an owner with a hundred
 * thousand waiting sources as for one with two.
 */
export function nextSource(
  db: Database,
  { suspects = true, only, atHalf = [] }: ClaimOptions,
): RawBuilder<string> {
  const now = fromNow(db)
  const isDue = sql`due_at <= ${now} AND chatbot_id NOT IN ${hiddenChatbots(db)}`
  // Who is done with a source, well or not, gives its claim up: whoever still has one died with it.
  const isWanted = suspects ? isDue : sql`${isDue} AND claim_id IS NULL`
  const conditions = [
    sql`owners.id IS NOT NULL`,
    ...(only === 'newcomers' ? [sql`running.in_work IS NULL`] : []),
    ...(only === 'given' ? [sql`NOT kinds.is_link`] : []),
    ...(atHalf.length > 0 ? [mayHaveMore(listOf(db, atHalf), isDue)] : []),
  ]
  // What is read again serves as it is: after a week without the server, nobody's new page waits for all of that.
  const choice = sql`
    SELECT coalesce(running.in_work, 0) AS in_work, kinds.is_settled, head.due_at, head.attempts, head.id
    FROM owners CROSS JOIN kinds
    LEFT JOIN running ON running.owner_id = owners.id
    ${headsOfKinds(db, isWanted)}
    WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY in_work, kinds.is_settled, head.due_at, head.attempts, head.id`
  return sql`(${owners(now)} ${isPostgres(db) ? lockOne(choice, now) : sql`SELECT id FROM (${choice} LIMIT 1)`})`
}

/**
 * Owners who have sources that wait for a time, if any is due, and how many of each are in work. Without
 * `coalesce`, SQLite would look through all that have a time for those in work.
 */
function owners(now: RawBuilder<number>): RawBuilder<unknown> {
  return sql`WITH RECURSIVE owners (id) AS (
    SELECT CASE WHEN (SELECT min(due_at) FROM sources WHERE due_at IS NOT NULL) <= ${now}
      THEN (SELECT min(owner_id) FROM sources WHERE due_at IS NOT NULL) END
    UNION ALL
    SELECT (SELECT min(owner_id) FROM sources WHERE due_at IS NOT NULL AND owner_id > owners.id)
    FROM owners WHERE owners.id IS NOT NULL
  ), kinds (is_link, is_settled) AS (
    VALUES (false, false), (false, true), (true, false), (true, true)
  ), running (owner_id, in_work) AS (
    SELECT owner_id, count(*) FROM sources WHERE claim_id IS NOT NULL AND coalesce(due_at, 0) > ${now} GROUP BY owner_id
  )`
}

function headsOfKinds(db: Database, isWanted: RawBuilder<unknown>): RawBuilder<unknown> {
  const ofKind = inTurn('owners', 'kinds', isWanted)
  return isPostgres(db)
    ? sql`CROSS JOIN LATERAL (
        SELECT due_at, attempts, id ${ofKind} LIMIT ${sql.lit(NODES_AT_ONCE)}) AS head`
    : sql`JOIN sources AS head ON head.id = (SELECT id ${ofKind} LIMIT 1)`
}

/** Not those at half, while another owner's sources are due. */
function mayHaveMore(atHalf: RawBuilder<string>, isDue: RawBuilder<unknown>): RawBuilder<unknown> {
  // PostgreSQL would look through all that are due to see whether there is one, and finds an owner's first at once.
  const first = sql`(SELECT id ${inTurn('others', 'theirs', isDue)} LIMIT 1)`
  return sql`(owners.id NOT IN ${atHalf} OR NOT EXISTS (
    SELECT 1 FROM owners AS others CROSS JOIN kinds AS theirs
    WHERE others.id NOT IN ${atHalf} AND ${first} IS NOT NULL))`
}

/** Of several due at once, as after a start, the one that was tried least comes first. */
function inTurn(owners: string, kinds: string, isWanted: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`FROM sources
    WHERE owner_id = ${sql.ref(`${owners}.id`)} AND ${IS_LINK} = ${sql.ref(`${kinds}.is_link`)}
      AND ${IS_SETTLED} = ${sql.ref(`${kinds}.is_settled`)} AND ${isWanted}
    ORDER BY due_at, attempts, id`
}

/** What another node is just taking is left to it, and what it has just taken is not due any more. */
function lockOne(choice: RawBuilder<unknown>, now: RawBuilder<number>): RawBuilder<unknown> {
  return sql`
    SELECT waiting.id FROM (${choice} LIMIT ${sql.lit(CHOICES)}) AS choice
    JOIN sources AS waiting ON waiting.id = choice.id
    WHERE waiting.due_at <= ${now}
    ORDER BY choice.in_work, choice.is_settled, choice.due_at, choice.attempts, choice.id
    LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED`
}
