import type { Database } from '../database/database.ts'
import { AppError } from '../errors.ts'
import { type Chatbot, getOwnedChatbot, listChatbots } from '../store/chatbots.ts'
import { normaliseId } from '../store/ids.ts'
import type { Owned } from '../store/owned.ts'

/** By its uuid, or by its name where no other chatbot of the owner has the same; in other letters if none has it in these. */
export async function findChatbot(
  db: Database,
  ownerId: string,
  given: string,
): Promise<Owned<Chatbot>> {
  const chatbots = await listChatbots(db, ownerId, {})
  const id = normaliseId(given)
  const found = chatbots.filter((chatbot) => chatbot.id === id)
  const called = (write: (name: string) => string) =>
    chatbots.filter(({ name }) => write(name) === write(given))
  const named = [found, called((name) => name), called((name) => name.toLowerCase())].find(
    ({ length }) => length > 0,
  )
  if (named && named.length > 1) {
    throw new AppError('conflict', `${named.length} chatbots are named "${given}": give the uuid.`)
  }
  // Asked for by its uuid, so that there is one place which says what is somebody's.
  return getOwnedChatbot(db, ownerId, named?.[0]?.id ?? id)
}
