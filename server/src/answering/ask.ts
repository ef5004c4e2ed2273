import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import type { PastTurn } from '../models/catalogue.ts'
import type { Services } from '../services.ts'
import { type Chatbot, getOwnedChatbot, settingsOf } from '../store/chatbots.ts'
import { acceptQuestion, listRecentTurns, secondsUntilAllowed } from '../store/messages.ts'
import type { Owned } from '../store/owned.ts'
import { findKeyedMessage } from '../store/question-keys.ts'
import type { Session } from '../store/sessions.ts'
import { getUsage, monthOf, secondsUntilNextMonth } from '../store/usage.ts'
import type { LiveAnswer } from './live-answer.ts'
import { answerAgain } from './stored-answer.ts'

export interface AskOptions {
  /** Whose messages the chatbot's rate limit counts together; the session's unless given. */
  buckets?: string[]
  /** What was said before; what the session has stored unless given. */
  history?: PastTurn[]
  /** By which a question that is sent again is known to be the same, and is answered once. */
  key?: string | undefined
}

const START_LOOKS = 100
const START_LOOK_MS = 20

/** Stores a question, if the chatbot's rate limit and budget allow, and starts its answer. */
export async function ask(
  services: Services,
  ownerId: string,
  session: Owned<Session>,
  question: string,
  options: AskOptions = {},
): Promise<LiveAnswer> {
  const { db, models, live } = services
  const chatbot = await getOwnedChatbot(db, ownerId, session.chatbot_id)
  const settings = settingsOf(chatbot)
  const { key } = options
  const before = await findAskedBefore(services, session, question, key)
  if (before) return before
  await requireBudget(services, chatbot)
  const [messages, seconds] = settings.rate_limit
  const limit = { buckets: options.buckets ?? [session.id], messages, seconds }
  // The conversation is read while the question is on its way to the disk.
  const [message, history] = await Promise.all([
    acceptQuestion(db, session, question, limit, key),
    options.history ?? listRecentTurns(db, session),
  ])
  if (!message) {
    const meanwhile = await findAskedBefore(services, session, question, key)
    if (meanwhile) return meanwhile
    const retryAfter = String(await secondsUntilAllowed(db, limit))
    throw new AppError('rate_limited', settings.rate_limit_message, {
      headers: { 'retry-after': retryAfter },
    })
  }
  const model = models.choose(chatbot.model)
  return live.start(services, message, { chatbot, question, model, history })
}

/** The answer to a question that was asked under the same key, whatever has become of it since. */
async function findAskedBefore(
  { db, live }: Services,
  session: Owned<Session>,
  question: string,
  key: string | undefined,
): Promise<LiveAnswer | undefined> {
  if (key === undefined) return undefined
  // A question is stored a moment before its answer starts, and whoever sends it again may come in between.
  for (let look = 0; ; look++) {
    const message = await findKeyedMessage(db, session, key)
    if (!message) return undefined
    if (message.query !== question) {
      throw new AppError('conflict', 'This Idempotency-Key was sent with another question.')
    }
    const running = live.find(message.id)
    if (running) return running
    if (message.finish_reason !== '' || look === START_LOOKS) return answerAgain(message)
    await sleep(START_LOOK_MS)
  }
}

/** What answers cost is known when they end, so those that run at that moment may exceed it. */
async function requireBudget({ db }: Services, chatbot: Owned<Chatbot>): Promise<void> {
  if (chatbot.token_budget === null) return
  const now = Date.now()
  const { prompt_tokens, completion_tokens } = await getUsage(db, chatbot, monthOf(now))
  if (prompt_tokens + completion_tokens < chatbot.token_budget) return
  throw new AppError('rate_limited', 'This chatbot has used up its tokens for this month.', {
    headers: { 'retry-after': String(secondsUntilNextMonth(now)) },
  })
}
