import { UNSETTLED } from '@docent/contract/sources.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { fromNow, isPostgres, listOf } from '../database/dialect.ts'
import { hiddenChatbots } from '../features/owners/deleted-chatbots.store.ts'

/** 'newcomers': only owners with nothing in work. 'given': only files and pairs, which never wait for a site. */
export type Share = 'newcomers' | 'given'

export interface ClaimOptions {
  suspects?: boolean
  only?: Share | undefined
  /** Owners with half of the places. Their sources wait while other owners' sources are due. */
  atHalf?: readonly string[]
}

/** Number of nodes that can claim from one owner at the same time without conflict. */
const NODES_AT_ONCE = 4
const CHOICES = 2 * NODES_AT_ONCE

// Must match the expressions of the index `sources_by_turn`.
const IS_LINK = sql<boolean>`(type = 'link')`
export const IS_SETTLED = sql<boolean>`(status NOT IN (${sql.join(UNSETTLED.map((status) => sql.lit(status)))}))`

/**
 * Selects the id of the next due source. A skip scan of the index finds the owners with waiting sources, and look-ups
 * find the first sources of each. So a claim costs the same for an owner with a hundred thousand waiting sources as for
 * one with two.
 */
export function nextSource(
  db: Database,
  { suspects = true, only, atHalf = [] }: ClaimOptions,
): RawBuilder<string> {
  const now = fromNow(db)
  const isDue = sql`due_at <= ${now} AND chatbot_id NOT IN ${hiddenChatbots(db)}`
  // Workers release their claim after success or failure. A claim that remains comes from a worker that crashed.
  const isWanted = suspects ? isDue : sql`${isDue} AND claim_id IS NULL`
  const conditions = [
    sql`owners.id IS NOT NULL`,
    ...(only === 'newcomers' ? [sql`running.in_work IS NULL`] : []),
    ...(only === 'given' ? [sql`NOT kinds.is_link`] : []),
    ...(atHalf.length > 0 ? [mayHaveMore(listOf(db, atHalf), isDue)] : []),
  ]
  // Refreshes come last, because the old text still serves. After a week of downtime, new pages do not wait for them.
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
 * Selects owners with scheduled sources, if any source is due, and how many of each are in work. Without `coalesce`,
 * SQLite would use the index of due times and scan all scheduled sources.
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

/** Excludes owners at half of the places while another owner's sources are due. */
function mayHaveMore(atHalf: RawBuilder<string>, isDue: RawBuilder<unknown>): RawBuilder<unknown> {
  // For EXISTS, PostgreSQL would scan all due sources. It finds the first source of an owner at once.
  const first = sql`(SELECT id ${inTurn('others', 'theirs', isDue)} LIMIT 1)`
  return sql`(owners.id NOT IN ${atHalf} OR NOT EXISTS (
    SELECT 1 FROM owners AS others CROSS JOIN kinds AS theirs
    WHERE others.id NOT IN ${atHalf} AND ${first} IS NOT NULL))`
}

/** Among sources due at the same time, such as after a start, the least tried comes first. */
function inTurn(owners: string, kinds: string, isWanted: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`FROM sources
    WHERE owner_id = ${sql.ref(`${owners}.id`)} AND ${IS_LINK} = ${sql.ref(`${kinds}.is_link`)}
      AND ${IS_SETTLED} = ${sql.ref(`${kinds}.is_settled`)} AND ${isWanted}
    ORDER BY due_at, attempts, id`
}

/** Skips sources that another node is claiming. Sources that it has just claimed are no longer due. */
function lockOne(choice: RawBuilder<unknown>, now: RawBuilder<number>): RawBuilder<unknown> {
  return sql`
    SELECT waiting.id FROM (${choice} LIMIT ${sql.lit(CHOICES)}) AS choice
    JOIN sources AS waiting ON waiting.id = choice.id
    WHERE waiting.due_at <= ${now}
    ORDER BY choice.in_work, choice.is_settled, choice.due_at, choice.attempts, choice.id
    LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED`
}
