import { AppError } from '../errors.ts'
import type { PastTurn } from '../models/catalogue.ts'
import type { Services } from '../services.ts'
import { type Chatbot, getOwnedChatbot, settingsOf } from '../store/chatbots.ts'
import { acceptQuestion, listRecentTurns, secondsUntilAllowed } from '../store/messages.ts'
import type { Owned } from '../store/owned.ts'
import type { Session } from '../store/sessions.ts'
import { getUsage, monthOf, secondsUntilNextMonth } from '../store/usage.ts'
import type { LiveAnswer } from './live-answer.ts'

export interface AskOptions {
  /** Whose messages the chatbot's rate limit counts together; the session's unless given. */
  buckets?: string[]
  /** What was said before; what the session has stored unless given. */
  history?: PastTurn[]
}

/** Stores a question, if the chatbot's rate limit and budget allow, and starts its answer. */
export function ask(
  services: Services,
  ownerId: string,
  session: Owned<Session>,
  question: string,
  options: AskOptions = {},
): Promise<LiveAnswer> {
  return services.live.starting(() => accept(services, ownerId, session, question, options))
}

async function accept(
  services: Services,
  ownerId: string,
  session: Owned<Session>,
  question: string,
  options: AskOptions,
): Promise<LiveAnswer> {
  const { db, models, live, node } = services
  const chatbot = await getOwnedChatbot(db, ownerId, session.chatbot_id)
  const settings = settingsOf(chatbot)
  await requireBudget(services, chatbot)
  await node?.beAlive()
  const [messages, seconds] = settings.rate_limit
  const limit = { buckets: options.buckets ?? [session.id], messages, seconds }
  // The conversation is read while the question is on its way to the disk.
  const [message, history] = await Promise.all([
    acceptQuestion(db, session, question, limit, node?.id),
    options.history ?? listRecentTurns(db, session),
  ])
  if (!message) {
    const retryAfter = String(await secondsUntilAllowed(db, limit))
    throw new AppError('rate_limited', settings.rate_limit_message, {
      headers: { 'retry-after': retryAfter },
    })
  }
  const model = models.choose(chatbot.model)
  return live.start(services, message, { chatbot, question, model, history })
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
