import { normalizeId } from '@docent/contract/field.ts'
import type { Database } from '../../database/database.ts'
import type { Owned } from '../../database/rows/owned.ts'
import { AppError, ifNotFound } from '../../errors.ts'
import {
  type Chatbot,
  type ChatbotName,
  findChatbotsNamed,
  getOwnedChatbot,
  listChatbotNames,
} from './chatbots.store.ts'

/** Owners with more chatbots must spell a name in its exact case: comparing all names would take too long. */
const MOST_COMPARED = 1_000

/** Finds a chatbot by uuid or by name. An exact name wins over names that differ only in case. */
export async function findChatbot(
  db: Database,
  ownerId: string,
  given: string,
): Promise<Owned<Chatbot>> {
  const id = normalizeId(given)
  const known = await getOwnedChatbot(db, ownerId, id).catch(ifNotFound)
  if (known) return known
  const exact = await findChatbotsNamed(db, ownerId, given)
  const named = exact.length > 0 ? exact : await findInOtherLetters(db, ownerId, given)
  if (named.length > 1) {
    throw new AppError('conflict', `Several chatbots are named "${given}". Use the UUID.`)
  }
  // Looked up by uuid, so that only one function decides who owns a chatbot.
  return getOwnedChatbot(db, ownerId, named[0]?.id ?? id)
}

async function findInOtherLetters(
  db: Database,
  ownerId: string,
  given: string,
): Promise<ChatbotName[]> {
  const chatbots = await listChatbotNames(db, ownerId, { limit: MOST_COMPARED + 1 })
  if (chatbots.length > MOST_COMPARED) return []
  const wanted = given.toLowerCase()
  return chatbots.filter(({ name }) => name.toLowerCase() === wanted)
}
