import type { FinishReason } from '@docent/contract/messages.ts'
import { sql } from 'kysely'
import { type Database, runAtomically } from '../../database/database.ts'
import { isForeignKeyViolation } from '../../database/database-errors.ts'
import { listOf, lockKeys } from '../../database/dialect.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import { newId } from '../../database/rows/ids.ts'
import { listReader } from '../../database/rows/list-reader.ts'
import { asOwned, type Owned } from '../../database/rows/owned.ts'
import type { Row } from '../../database/tables.ts'
import { notFound } from '../../errors.ts'
import { deleteTogether } from '../owners/delete-together.store.ts'
import { DELETED_OWNER_ID, hiddenChatbots } from '../owners/deleted-chatbots.store.ts'
import { countHit, type RateLimit } from '../rate-limits/rate-limits.store.ts'
import { findRoom } from '../sessions/session-size.store.ts'
import { insertSession, type Session } from '../sessions/sessions.store.ts'
import {
  releaseAllTokens,
  releaseTokens,
  reserveTokens,
  type TokenReservation,
} from '../usage/token-reservations.store.ts'
import { countTokens, type SpentTokens } from '../usage/usage.store.ts'
import { claimQuestionKey } from './question-keys.store.ts'
import {
  claimAnswer,
  INTERRUPTED,
  INTERRUPTED_META,
  releaseAnswer,
} from './running-answers.store.ts'

export type Message = Row<'messages'>

/** A running answer keeps its text in parts. One statement reads both, so that no reader sees a half-merged answer. */
export const GROWN = sql<string>`coalesce(
  (SELECT string_agg(text, '' ORDER BY position) FROM message_parts WHERE message_id = messages.id),
  messages.response
)`.as('response')

const insertMessage = prepareQuery(
  (db, id: string, sessionId: string, query: string, meta: string, now: number) =>
    db.insertInto('messages').values({
      id,
      session_id: sessionId,
      query,
      meta,
      feedback: null,
      created_at: now,
      modified_at: now,
    }),
)

const touchSession = prepareQuery((db, id: string, now: number) =>
  db.updateTable('sessions').set({ modified_at: now }).where('id', '=', id),
)

export interface Acceptance {
  /** Metadata from before the answer begins. Nothing else remains if the answer never ends. */
  meta?: Record<string, unknown>
  key?: string | undefined
  nodeId?: string | undefined
  /** Creates the session in the same write. */
  isNew?: boolean | undefined
  /** For chatbots with a token budget. */
  reservation?: TokenReservation | undefined
  /** Applies the size limit of visitors' sessions. */
  isVisit?: boolean | undefined
}

/**
 * Stores a question before anything answers it, if rate limit and budget allow. The counts, the message and the
 * session's time are one write, so that concurrent requests cannot exceed a limit. Returns undefined if a limit is
 * reached, or if the session already has a question with this key.
 */
export async function acceptQuestion(
  db: Database,
  session: Owned<Session>,
  question: string,
  { buckets, messages, seconds }: RateLimit,
  { key, nodeId, isNew, isVisit, reservation, meta = {} }: Acceptance = {},
): Promise<Message | undefined> {
  const now = Date.now()
  const message: Message = {
    id: newId(),
    session_id: session.id,
    query: question,
    response: '',
    finish_reason: '',
    error_message: '',
    citations: '{}',
    meta: JSON.stringify(meta),
    feedback: null,
    created_at: now,
    modified_at: now,
  }
  try {
    const accepted = await runAtomically(db, [
      ...lockKeys(db, reservation ? [...buckets, `tokens ${reservation.chatbotId}`] : buckets),
      ...(isVisit ? [{ query: findRoom.with(db, session.id), mustReturn: true }] : []),
      ...buckets.map((bucket) => countHit(db, bucket, seconds * 1000, messages)),
      ...(isNew ? [{ query: insertSession(db, session) }] : []),
      { query: insertMessage.with(db, message.id, session.id, question, message.meta, now) },
      ...(key === undefined
        ? []
        : [{ query: claimQuestionKey.with(db, session.id, key, message.id), mustReturn: true }]),
      ...(reservation ? [reserveTokens(db, message.id, reservation, now)] : []),
      { query: touchSession.with(db, session.id, now) },
      ...(nodeId === undefined ? [] : [claimAnswer(db, message.id, nodeId)]),
    ])
    return accepted ? message : undefined
  } catch (error) {
    if (isForeignKeyViolation(error)) throw notFound(isNew ? 'chatbot' : 'session')
    throw error
  }
}

const insertPart = prepareQuery((db, messageId: string, position: number, text: string) =>
  db.insertInto('message_parts').values({ message_id: messageId, position, text }),
)

export async function appendPart(
  db: Database,
  messageId: string,
  position: number,
  text: string,
): Promise<void> {
  await insertPart.write(db, messageId, position, text)
}

export interface Outcome {
  response: string
  finishReason: FinishReason
  errorMessage?: string
  citations?: Record<string, unknown>
  meta: Record<string, unknown>
  spent?: SpentTokens
  /** Whether tokens were reserved for this answer. */
  isReserved?: boolean | undefined
}

const writeOutcome = prepareQuery(
  (
    db,
    id: string,
    response: string,
    reason: FinishReason,
    error: string,
    citations: string,
    meta: string,
    now: number,
  ) =>
    db
      .updateTable('messages')
      .set({
        response,
        finish_reason: reason,
        error_message: error,
        citations,
        meta,
        modified_at: now,
      })
      .where('id', '=', id)
      // A deleted chatbot accepts no answers, although its messages are erased gradually.
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('sessions')
            .innerJoin('chatbots', 'chatbots.id', 'sessions.chatbot_id')
            .select('sessions.id')
            .whereRef('sessions.id', '=', 'messages.session_id')
            .where('chatbots.owner_id', '!=', sql.lit(DELETED_OWNER_ID)),
        ),
      )
      .returning('id'),
)

const deleteParts = prepareQuery((db, messageId: string) =>
  db.deleteFrom('message_parts').where('message_id', '=', messageId),
)

/**
 * Stores the final answer and deletes its parts in the same write. Returns false if the message was deleted, or if
 * another node took this node for dead and ended the answer.
 */
export async function finishMessage(
  db: Database,
  messageId: string,
  outcome: Outcome,
  nodeId?: string,
): Promise<boolean> {
  const { response, finishReason, errorMessage = '', citations = {}, meta } = outcome
  const { spent, isReserved } = outcome
  const json = [JSON.stringify(citations), JSON.stringify(meta)] as const
  const now = Date.now()
  const written = [messageId, response, finishReason, errorMessage, ...json, now] as const
  return runAtomically(db, [
    ...(nodeId === undefined ? [] : [releaseAnswer(db, messageId, nodeId)]),
    { query: writeOutcome.with(db, ...written), mustReturn: true },
    { query: deleteParts.with(db, messageId) },
    ...(spent ? [countTokens(db, spent, now)] : []),
    ...(isReserved ? [releaseTokens(db, messageId)] : []),
  ])
}

/** Ends the answers that ran when the only process crashed. They keep their text so far. Returns how many. */
export async function interruptRunningMessages(db: Database): Promise<number> {
  const running = await db
    .selectFrom('messages')
    .select(['id', 'meta', GROWN])
    .where('finish_reason', '=', '')
    .execute()
  for (const message of running) {
    await finishMessage(db, message.id, {
      response: message.response,
      finishReason: 'interrupted',
      errorMessage: INTERRUPTED,
      meta: { ...JSON.parse(message.meta), ...INTERRUPTED_META },
    })
  }
  await releaseAllTokens(db)
  return running.length
}

export async function getOwnedMessage(
  db: Database,
  ownerId: string,
  id: string,
): Promise<Owned<Message>> {
  const message = await ownedMessages(db, ownerId)
    .where('messages.id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('message'))
  return asOwned(message)
}

/** Whether a message ended with this reason and this text. */
export async function isFinishedAs(
  db: Database,
  id: string,
  { finishReason, response }: Pick<Outcome, 'finishReason' | 'response'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', id)
    .where('finish_reason', '=', finishReason)
    .where('response', '=', response)
    .executeTakeFirst()
  return row !== undefined
}

export async function isStoredMessage(db: Database, id: string): Promise<boolean> {
  return (await findStoredMessages(db, [id])).has(id)
}

/** Returns the given ids that exist in chatbots that are not deleted. */
export async function findStoredMessages(db: Database, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const there = db
    .selectFrom('messages')
    .innerJoin('sessions', 'sessions.id', 'messages.session_id')
    .select('messages.id')
    .where('messages.id', 'in', listOf(db, ids))
    .where('sessions.chatbot_id', 'not in', hiddenChatbots(db))
  return new Set((await there.execute()).map(({ id }) => id))
}

/** Returns the messages among the given ids that belong to the owner. */
export async function findOwnedMessages(db: Database, ownerId: string, ids: string[]) {
  return (await ownedMessages(db, ownerId).where('messages.id', 'in', ids).execute()).map(asOwned)
}

function ownedMessages(db: Database, ownerId: string) {
  return db
    .selectFrom('messages')
    .innerJoin('sessions', 'sessions.id', 'messages.session_id')
    .innerJoin('chatbots', 'chatbots.id', 'sessions.chatbot_id')
    .selectAll('messages')
    .select(GROWN)
    .where('chatbots.owner_id', '=', ownerId)
}

const MESSAGE_TEXTS = ['query', 'response', 'citations', 'meta'] as const

/** Reads the messages of a session, oldest first. */
export const readMessages = listReader('messages', {
  parent: 'session_id',
  texts: MESSAGE_TEXTS,
  instead: GROWN,
})

export const readNewestMessages = listReader('messages', {
  parent: 'session_id',
  texts: MESSAGE_TEXTS,
  instead: GROWN,
  isNewestFirst: true,
})

export async function setFeedback(
  db: Database,
  message: Owned<Message>,
  feedback: object,
): Promise<void> {
  await db
    .updateTable('messages')
    .set({ feedback: JSON.stringify(feedback), modified_at: Date.now() })
    .where('id', '=', message.id)
    .execute()
}

export function deleteMessages(db: Database, messages: Owned<Message>[]): Promise<boolean> {
  return deleteTogether(db, 'messages', messages)
}
