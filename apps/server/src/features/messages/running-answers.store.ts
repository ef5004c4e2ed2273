import type { FinishReason } from '@docent/contract/messages.ts'
import { sql } from 'kysely'
import { type Database, runAtomically, type UnitStatement } from '../../database/database.ts'
import { mergeJson } from '../../database/dialect.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import { releaseTokens } from '../usage/token-reservations.store.ts'

// With several nodes, one node gives an answer and any node may serve it. The answering node holds a row while it runs.
// If that node dies, another node deletes the row and stores the text so far. Only the holder of the row can write.

const claim = prepareQuery((db, messageId: string, nodeId: string) =>
  db.insertInto('running_answers').values({ message_id: messageId, node_id: nodeId }),
)

/** Must run in the same write as the message. */
export function claimAnswer(db: Database, messageId: string, nodeId: string): UnitStatement {
  return { query: claim.with(db, messageId, nodeId) }
}

const release = prepareQuery((db, messageId: string, nodeId: string) =>
  db
    .deleteFrom('running_answers')
    .where('message_id', '=', messageId)
    .where('node_id', '=', nodeId)
    .returning('message_id'),
)

/** Must run in the same write as the answer's end, which is undone if the node has lost the answer. */
export function releaseAnswer(db: Database, messageId: string, nodeId: string): UnitStatement {
  return { query: release.with(db, messageId, nodeId), mustReturn: true }
}

const append = prepareQuery(
  (db, messageId: string, nodeId: string, position: number, text: string) => {
    // The lock makes a node that takes the answer away wait for this part, so that it sees the part.
    const held = db
      .selectFrom('running_answers')
      .select([
        'message_id',
        sql<number>`${position}::int`.as('position'),
        sql<string>`${text}::text`.as('text'),
      ])
      .where('message_id', '=', messageId)
      .where('node_id', '=', nodeId)
      .forKeyShare()
    return (
      db
        .insertInto('message_parts')
        .columns(['message_id', 'position', 'text'])
        .expression(held)
        // A retry overwrites the part, as the first try may or may not have been stored.
        .onConflict((conflict) =>
          conflict
            .columns(['message_id', 'position'])
            .doUpdateSet((eb) => ({ text: eb.ref('excluded.text') })),
        )
        .returning('position')
    )
  },
)

/** Returns false if the node has lost the answer, or if the message was deleted. */
export async function appendOwnPart(
  db: Database,
  nodeId: string,
  messageId: string,
  position: number,
  text: string,
): Promise<boolean> {
  return (await append.write(db, messageId, nodeId, position, text)).length > 0
}

/** Asks the answering node to stop. */
export async function requestStop(db: Database, messageId: string): Promise<void> {
  await db
    .updateTable('running_answers')
    .set({ stop_requested: true })
    .where('message_id', '=', messageId)
    .execute()
}

const findStops = prepareQuery((db, nodeId: string) =>
  db
    .selectFrom('running_answers')
    .select('message_id')
    .where('node_id', '=', nodeId)
    .where('stop_requested', '=', true),
)

/** Lists the answers of a node that a caller wants to stop. */
export async function listStopRequests(db: Database, nodeId: string): Promise<string[]> {
  return (await findStops.read(db, nodeId)).map(({ message_id }) => message_id)
}

export interface Growth {
  id: string
  finish_reason: FinishReason | ''
  error_message: string
  /** Set once the answer has ended. */
  meta: string | null
  /** The parts from the requested position on, while the answer runs. */
  parts: string[]
  /** The whole text, once the answer has ended. */
  response: string | null
}

/** Reads the progress of answers on other nodes, each from its next part on. Leaves out deleted messages. */
export async function readProgress(
  db: Database,
  followed: { id: string; next: number }[],
): Promise<Growth[]> {
  const { rows } = await sql<Growth>`
    SELECT messages.id, finish_reason, error_message,
      ARRAY(
        SELECT text FROM message_parts WHERE message_id = messages.id AND position >= given.next ORDER BY position
      ) AS parts,
      CASE finish_reason WHEN '' THEN NULL ELSE meta END AS meta,
      CASE finish_reason WHEN '' THEN NULL ELSE response END AS response
    FROM unnest(${followed.map(({ id }) => id)}::text[], ${followed.map(({ next }) => next)}::int[])
      AS given (id, next)
    JOIN messages ON messages.id = given.id`.execute(db)
  return rows
}

/** Ends the answers of dead nodes with the text so far. Returns how many there were. */
export async function interruptAbandoned(db: Database): Promise<number> {
  const { rows } = await sql<{ message_id: string; node_id: string }>`
    SELECT message_id, node_id FROM running_answers
    WHERE NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = node_id AND alive_until > now_ms())
    LIMIT 500`.execute(db)
  for (const { message_id, node_id } of rows) await interruptAnswer(db, message_id, node_id)
  return rows.length
}

/** Lists the answers that a node holds. */
export async function listAnswersOf(db: Database, nodeId: string): Promise<string[]> {
  return (await findAnswersOf.read(db, nodeId)).map(({ message_id }) => message_id)
}

const findAnswersOf = prepareQuery((db, nodeId: string) =>
  db.selectFrom('running_answers').select('message_id').where('node_id', '=', nodeId),
)

export const INTERRUPTED = 'The server stopped during the answer.'
/** The same reason for programs, in the message's meta. */
export const INTERRUPTED_META = {
  error_code: 'unavailable',
  error_params: { reason: 'interrupted' },
} as const

/** Runs the statements in order: the text is read after the release, when no node can add to it. */
export function interruptAnswer(db: Database, messageId: string, nodeId: string): Promise<boolean> {
  return runAtomically(db, [
    releaseAnswer(db, messageId, nodeId),
    {
      query: sql`
        UPDATE messages SET finish_reason = 'interrupted', modified_at = now_ms(),
          error_message = ${INTERRUPTED},
          meta = ${mergeJson(db, 'meta', JSON.stringify(INTERRUPTED_META))},
          response = coalesce(
            (SELECT string_agg(text, '' ORDER BY position) FROM message_parts WHERE message_id = messages.id), response)
        WHERE id = ${messageId} AND finish_reason = ''`.compile(db),
    },
    { query: db.deleteFrom('message_parts').where('message_id', '=', messageId).compile() },
    releaseTokens(db, messageId),
  ])
}
