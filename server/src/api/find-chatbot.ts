import { normaliseId } from '../../../contract/src/field.ts'
import type { Database } from '../database/database.ts'
import { AppError, ifNotFound } from '../errors.ts'
import { type Chatbot, getOwnedChatbot, listChatbotNames } from '../store/chatbots.ts'
import type { Owned } from '../store/owned.ts'

/** By its uuid, or by its name where no other chatbot of the owner has the same; in other letters if none has it in these. */
export async function findChatbot(
  db: Database,
  ownerId: string,
  given: string,
): Promise<Owned<Chatbot>> {
  const id = normaliseId(given)
  const known = await getOwnedChatbot(db, ownerId, id).catch(ifNotFound)
  if (known) return known
  const chatbots = await listChatbotNames(db, ownerId)
  const called = (write: (name: string) => string) =>
    chatbots.filter(({ name }) => write(name) === write(given))
  const named = [called((name) => name), called((name) => name.toLowerCase())].find(
    ({ length }) => length > 0,
  )
  if (named && named.length > 1) {
    throw new AppError('conflict', `${named.length} chatbots are named "${given}": give the uuid.`)
  }
  // Asked for by its uuid, so that there is one place which says what is somebody's.
  return getOwnedChatbot(db, ownerId, named?.[0]?.id ?? id)
}
