import { type Kysely, sql } from 'kysely'

// What usage by day adds up, by quarter hours of UTC: days begin at any of them. A day is what its quarter hours are.

const QUARTER_MS = 900_000
const SUMS = ['messages', 'answered', 'rated_up', 'rated_down', 'tokens']

/** What a message adds to each of the sums. */
function valuesOf(message: string): Record<string, string> {
  return {
    messages: '1',
    answered: `(${message}.finish_reason IN ('stop', 'length')
      AND NOT coalesce(${message}.meta ->> 'answered' = 0, false))`,
    rated_up: `coalesce(${message}.feedback ->> 'rating' = 'up', false)`,
    rated_down: `coalesce(${message}.feedback ->> 'rating' = 'down', false)`,
    // Nothing that a provider says of its tokens may keep an answer from being stored.
    tokens: `CAST(coalesce(${message}.meta -> 'actual_token_distribution' ->> 'total_tokens', 0) AS INTEGER)`,
  }
}

const add = (message: string) => `
  INSERT INTO message_totals (chatbot_id, quarter, ${SUMS.join(', ')})
  SELECT chatbot_id, ${message}.created_at / ${QUARTER_MS}, ${Object.values(valuesOf(message)).join(', ')}
  FROM sessions WHERE id = ${message}.session_id
  ON CONFLICT DO UPDATE SET ${SUMS.map((sum) => `${sum} = ${sum} + excluded.${sum}`).join(', ')};`

const change = (message: string, changes: [sum: string, by: string][]) => `
  UPDATE message_totals SET ${changes.map(([sum, by]) => `${sum} = ${sum} ${by}`).join(', ')}
  WHERE chatbot_id = (SELECT chatbot_id FROM sessions WHERE id = ${message}.session_id)
    AND quarter = ${message}.created_at / ${QUARTER_MS};`

const subtract = (message: string) =>
  change(
    message,
    Object.entries(valuesOf(message)).map(([sum, value]) => [sum, `- ${value}`]),
  )

const CHANGED: [string, string][] = SUMS.filter((sum) => sum !== 'messages').map((sum) => [
  sum,
  `+ ${valuesOf('new')[sum]} - ${valuesOf('old')[sum]}`,
])

const STAYED = `old.session_id = new.session_id
  AND old.created_at / ${QUARTER_MS} = new.created_at / ${QUARTER_MS}`

const STATEMENTS = [
  `CREATE TABLE message_totals (
    chatbot_id TEXT NOT NULL REFERENCES chatbots ON DELETE CASCADE,
    quarter INTEGER NOT NULL,
    ${SUMS.map((sum) => `${sum} INTEGER NOT NULL`).join(', ')},
    PRIMARY KEY (chatbot_id, quarter)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TRIGGER add_to_totals AFTER INSERT ON messages BEGIN ${add('new')} END`,
  `CREATE TRIGGER change_totals AFTER UPDATE OF finish_reason, meta, feedback ON messages
  WHEN ${STAYED} BEGIN ${change('new', CHANGED)} END`,
  `CREATE TRIGGER move_in_totals AFTER UPDATE OF session_id, created_at ON messages
  WHEN NOT (${STAYED}) BEGIN ${subtract('old')} ${add('new')} END`,
  `CREATE TRIGGER take_from_totals AFTER DELETE ON messages BEGIN ${subtract('old')} END`,
  // Its messages go before the session that says whose they are.
  `CREATE TRIGGER empty_session BEFORE DELETE ON sessions BEGIN
    DELETE FROM messages WHERE session_id = old.id;
  END`,
  // What counts sessions and ranks times reads this index alone, and no message.
  `CREATE INDEX messages_by_time
  ON messages (session_id, created_at, (meta -> 'timings_ms' ->> 'first_text'))`,
  // The condition is that of the query that lists unanswered questions.
  `CREATE INDEX messages_unanswered ON messages (session_id, id)
  WHERE (coalesce(meta ->> 'answered' = 0, false) OR feedback ->> 'rating' = 'down')`,
  `INSERT INTO message_totals
  SELECT chatbot_id, messages.created_at / ${QUARTER_MS},
    ${Object.values(valuesOf('messages'))
      .map((value) => `sum(${value})`)
      .join(', ')}
  FROM messages JOIN sessions ON sessions.id = session_id GROUP BY 1, 2`,
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
}
