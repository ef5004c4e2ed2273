import { normaliseId } from '@docent/contract/field.ts'
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

/** Of an owner with more chatbots, only the name as it is finds one: the others would take long to read. */
const MOST_COMPARED = 1_000

/** By its uuid, or by its name where no other chatbot of the owner has the same; in other letters if none has it in these. */
export async function findChatbot(
  db: Database,
  ownerId: string,
  given: string,
): Promise<Owned<Chatbot>> {
  const id = normaliseId(given)
  const known = await getOwnedChatbot(db, ownerId, id).catch(ifNotFound)
  if (known) return known
  const exact = await findChatbotsNamed(db, ownerId, given)
  const named = exact.length > 0 ? exact : await findInOtherLetters(db, ownerId, given)
  if (named.length > 1) {
    throw new AppError('conflict', `Several chatbots are named "${given}": give the uuid.`)
  }
  // Asked for by its uuid, so that there is one place which says what is somebody's.
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
