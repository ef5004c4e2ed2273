import { AppError } from '../errors.ts'
import type { Services } from '../services.ts'
import { getOwnedChatbot, settingsOf } from '../store/chatbots.ts'
import { acceptQuestion, listRecentTurns, secondsUntilAllowed } from '../store/messages.ts'
import type { Owned } from '../store/owned.ts'
import type { Session } from '../store/sessions.ts'
import type { LiveAnswer } from './live-answer.ts'

/** Stores a question of the owner's, if the chatbot's rate limit allows, and starts its answer. */
export async function ask(
  services: Services,
  ownerId: string,
  session: Owned<Session>,
  question: string,
): Promise<LiveAnswer> {
  const { db, models, live } = services
  const chatbot = await getOwnedChatbot(db, ownerId, session.chatbot_id)
  const settings = settingsOf(chatbot)
  const [messages, seconds] = settings.rate_limit
  const limit = { bucket: session.id, messages, seconds }
  const message = await acceptQuestion(db, session, question, limit)
  if (!message) {
    const retryAfter = String(await secondsUntilAllowed(db, limit))
    throw new AppError('rate_limited', settings.rate_limit_message, {
      headers: { 'retry-after': retryAfter },
    })
  }
  const history = await listRecentTurns(db, session)
  const model = models.choose(chatbot.model)
  return live.start(services, message, { chatbot, question, model, history })
}
