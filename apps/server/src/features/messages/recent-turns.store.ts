import type { FinishReason } from '@docent/contract/messages.ts'
import { sql } from 'kysely'
import { directAccess } from '../../database/bypass-kysely.ts'
import type { Database } from '../../database/database.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import type { Owned } from '../../database/rows/owned.ts'
import type { Row } from '../../database/tables.ts'

interface EndedTurn {
  question: string
  answer: string
}

// More than any prompt has room for.
const RECENT_TURNS = 16

/** Answers that ended so are part of the conversation. */
const SAID: FinishReason[] = ['stop', 'length', 'cancelled']

const findLastTurn = findTurns(1)
const findRecentTurns = findTurns(RECENT_TURNS)

function findTurns(limit: number) {
  return prepareQuery((db, sessionId: string) =>
    db
      .selectFrom('messages')
      .select(['id', 'query as question', 'response as answer'])
      .where('session_id', '=', sessionId)
      .where('finish_reason', 'in', SAID)
      .where('response', '!=', '')
      .orderBy('id', 'desc')
      .limit(sql.lit(limit)),
  )
}

const findRecentIds = prepareQuery((db, sessionId: string) =>
  db
    .selectFrom('messages')
    .select('id')
    .where('session_id', '=', sessionId)
    .orderBy('id', 'desc')
    .limit(sql.lit(RECENT_TURNS)),
)

/** Turns by message id. They never change. Whether a message still exists is read each time. */
const ended = new Map<string, EndedTurn>()
let length = 0
const MOST_CHARACTERS = 2_000_000

/** Caches an ended answer: the next question of its session may refer to it. */
export function rememberTurn(
  db: Database,
  id: string,
  question: string,
  { response, finishReason }: { response: string; finishReason: FinishReason },
): void {
  const isSaid = response !== '' && SAID.includes(finishReason)
  if (isSaid && directAccess(db)) keepTurn(id, { question, answer: response })
}

function keepTurn(id: string, { question, answer }: EndedTurn): void {
  if (ended.has(id)) return
  ended.set(id, { question, answer })
  length += question.length + answer.length
  for (const [oldest, turn] of ended) {
    if (length <= MOST_CHARACTERS) return
    ended.delete(oldest)
    length -= turn.question.length + turn.answer.length
  }
}

/** Called after any deletion. The cache forgets all turns and reads them again when needed. */
export function forgetTurns(): void {
  ended.clear()
  length = 0
}

/** Returns the latest answered questions with their answers, oldest first. */
export async function listRecentTurns(
  db: Database,
  session: Owned<Row<'sessions'>>,
): Promise<readonly EndedTurn[]> {
  const readAll = async () => (await findRecentTurns.read(db, session.id)).toReversed()
  // With a remote database, two queries take longer than reading all turns at once.
  if (!directAccess(db)) return readAll()
  const ids = await findRecentIds.read(db, session.id)
  const turns = ids.map(({ id }) => ended.get(id))
  if (!turns.includes(undefined)) return (turns as EndedTurn[]).reverse()
  const rows = await readAll()
  for (const row of rows) keepTurn(row.id, row)
  return rows
}

/** Returns the latest turn only. */
export async function listLastTurn(
  db: Database,
  session: Owned<Row<'sessions'>>,
): Promise<readonly EndedTurn[]> {
  return findLastTurn.read(db, session.id)
}
