import { AppError } from '../errors.ts'
import type { Services } from '../services.ts'
import { getOwnedChatbot, settingsOf } from '../store/chatbots.ts'
import { acceptQuestion, secondsUntilAllowed } from '../store/messages.ts'
import type { Owned } from '../store/owned.ts'
import type { Session } from '../store/sessions.ts'
import type { LiveAnswer } from './live-answer.ts'

/**
 * Stores a question, if the chatbot's rate limit allows, and starts its answer. Messages are counted by session, and
 * in whatever other buckets the asker belongs to.
 */
export async function ask(
  services: Services,
  ownerId: string,
  session: Owned<Session>,
  question: string,
  otherBuckets: string[] = [],
): Promise<LiveAnswer> {
  const { db, models, live } = services
  const chatbot = await getOwnedChatbot(db, ownerId, session.chatbot_id)
  const settings = settingsOf(chatbot)
  const [messages, seconds] = settings.rate_limit
  const limit = { buckets: [session.id, ...otherBuckets], messages, seconds }
  const message = await acceptQuestion(db, session, question, limit)
  if (!message) {
    const retryAfter = String(await secondsUntilAllowed(db, limit))
    throw new AppError('rate_limited', settings.rate_limit_message, {
      headers: { 'retry-after': retryAfter },
    })
  }
  return live.start(services, message, { chatbot, question, model: models.choose(chatbot.model) })
}
