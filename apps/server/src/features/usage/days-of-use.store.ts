import type { DayOfUse } from '@docent/contract/insights.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { isPostgres, isWanted, jsonNumber } from '../../database/dialect.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Chatbot } from '../chatbots/chatbots.store.ts'

export const DAY_MS = 86_400_000
/** Totals are stored per 15 minutes, so that days can begin as in any time zone. */
export const QUARTER_MS = 900_000
const QUARTERS_A_DAY = DAY_MS / QUARTER_MS

interface Span {
  /** A multiple of 15 minutes, as is `aheadOfUtc`. */
  since: number
  /** How many milliseconds days begin before those of UTC. */
  aheadOfUtc: number
}

/** Lists the days with at least one question. */
export async function listDaysOfUse(
  db: Database,
  chatbot: Owned<Chatbot>,
  span: Span,
): Promise<DayOfUse[]> {
  const totals = await sumTotals(db, chatbot, span)
  if (totals.length === 0) return []
  const sessions = new Map((await countSessions(db, chatbot, span)).map((row) => [row.day, row]))
  const times = new Map((await rankFirstTexts(db, chatbot, span)).map((row) => [row.day, row]))
  return totals.map(({ day, messages, answered, ...sums }) => ({
    date: new Date(day * DAY_MS).toISOString().slice(0, 10),
    messages,
    answered,
    sessions: sessions.get(day)?.sessions ?? 0,
    ...sums,
    first_text_p50: times.get(day)?.p50 ?? null,
    first_text_p95: times.get(day)?.p95 ?? null,
  }))
}

interface DayTotals {
  /** Days since 1970 in the reader's time zone. */
  day: number
  messages: number
  answered: number
  rated_up: number
  rated_down: number
  tokens: number
}

/** Database triggers maintain the totals: see their migration. */
async function sumTotals(
  db: Database,
  chatbot: Owned<Chatbot>,
  { since, aheadOfUtc }: Span,
): Promise<DayTotals[]> {
  const ahead = sql.lit(aheadOfUtc / QUARTER_MS)
  const { rows } = await sql<DayTotals>`
    SELECT (quarter + ${ahead}) / ${sql.lit(QUARTERS_A_DAY)} AS day,
      sum(messages) AS messages, sum(answered) AS answered,
      sum(rated_up) AS rated_up, sum(rated_down) AS rated_down, sum(tokens) AS tokens
    FROM message_totals
    WHERE chatbot_id = ${chatbot.id} AND quarter >= ${sql.lit(since / QUARTER_MS)}
    GROUP BY day HAVING sum(messages) > 0 ORDER BY day`.execute(db)
  return rows
}

async function countSessions(db: Database, chatbot: Owned<Chatbot>, span: Span) {
  const { rows } = await sql<{ day: number; sessions: number }>`
    SELECT ${dayOfMessage(span)} AS day, count(DISTINCT session_id) AS sessions
    FROM ${messagesOf(db, chatbot, span)} GROUP BY day`.execute(db)
  return rows
}

async function rankFirstTexts(db: Database, chatbot: Owned<Chatbot>, span: Span) {
  const { rows } = await sql<{ day: number; p50: number; p95: number }>`
    WITH timed AS (
      SELECT ${dayOfMessage(span)} AS day, ${firstText(db)} AS first_text
      FROM ${messagesOf(db, chatbot, span)} AND ${firstText(db)} IS NOT NULL
    ), ranked AS (
      SELECT day, first_text, row_number() OVER (PARTITION BY day ORDER BY first_text) AS place,
        count(*) OVER (
          PARTITION BY day ORDER BY first_text ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
        ) AS times
      FROM timed
    )
    SELECT day, max(CASE WHEN place = (times + 1) / 2 THEN first_text END) AS p50,
      max(CASE WHEN place = (times * 95 + 99) / 100 THEN first_text END) AS p95
    FROM ranked WHERE ${isWanted(db, 'ranked', 'place')} GROUP BY day`.execute(db)
  return rows
}

function dayOfMessage({ aheadOfUtc }: Span): RawBuilder<number> {
  return sql`(messages.created_at + ${sql.lit(aheadOfUtc)}) / ${sql.lit(DAY_MS)}`
}

function messagesOf(db: Database, chatbot: Owned<Chatbot>, { since }: Span): RawBuilder<unknown> {
  return sql`sessions JOIN messages ON messages.session_id = sessions.id
    WHERE chatbot_id = ${chatbot.id} AND messages.created_at >= ${sql.lit(since)}
      AND ${isWanted(db, 'messages')}`
}

/** SQLite has an index on exactly this expression, so that it reads no message. */
function firstText(db: Database): RawBuilder<number | null> {
  if (isPostgres(db)) return sql`first_text_of(messages.meta)`
  return jsonNumber(db, 'messages.meta', 'timings_ms', 'first_text')
}
