import type { ChatbotSettings as Settings } from '@docent/contract/chatbots.ts'
import { sql } from 'kysely'
import { type Database, runAtomically } from '../../database/database.ts'
import { mergeJson } from '../../database/dialect.ts'
import { prepareQuery } from '../../database/prepare-query.ts'
import { newId } from '../../database/rows/ids.ts'
import { listReader } from '../../database/rows/list-reader.ts'
import { asOwned, type Owned } from '../../database/rows/owned.ts'
import type { Row } from '../../database/tables.ts'
import { notFound } from '../../errors.ts'
import { forgetTurns } from '../messages/recent-turns.store.ts'
import { ensureDeletedOwner, hidden } from '../owners/deleted-chatbots.store.ts'
import { NEW_ANSWERING } from './answering-settings.store.ts'

export type Chatbot = Row<'chatbots'>

/** The settings without the model, which has its own column. */
export type ChatbotSettings = Omit<Settings, 'model'>

const DEFAULT_SETTINGS: ChatbotSettings = {
  prompt: '',
  temperature: 0,
  rate_limit: [20, 240],
  rate_limit_message: 'Too many messages',
  show_citations: false,
  visibility: 'private',
}

export interface ChatbotChange {
  name?: string | undefined
  model?: string | undefined
  settings: Partial<ChatbotSettings>
}

const settingsOfRows = new WeakMap<Chatbot, Readonly<ChatbotSettings>>()

export function settingsOf(chatbot: Chatbot): Readonly<ChatbotSettings> {
  let settings = settingsOfRows.get(chatbot)
  if (!settings) {
    settings = JSON.parse(chatbot.settings) as ChatbotSettings
    settingsOfRows.set(chatbot, settings)
  }
  return settings
}

/** Returns the message for rate-limited callers, and whether the owner wrote it. */
export function rateLimitRefusal({ rate_limit_message }: ChatbotSettings) {
  const standard = DEFAULT_SETTINGS.rate_limit_message
  const sentence = rate_limit_message.trim() || standard
  return { sentence, params: { wording: sentence === standard ? 'default' : 'own' } }
}

export async function createChatbot(
  db: Database,
  ownerId: string,
  { name, model, settings }: ChatbotChange & { name: string },
): Promise<Owned<Chatbot>> {
  const now = Date.now()
  const chatbot: Chatbot = {
    id: newId(),
    owner_id: ownerId,
    name,
    model: model ?? null,
    settings: JSON.stringify({ ...DEFAULT_SETTINGS, ...settings }),
    answering: JSON.stringify(NEW_ANSWERING),
    token_budget: null,
    created_at: now,
    modified_at: now,
  }
  await db.insertInto('chatbots').values(chatbot).execute()
  return asOwned(chatbot)
}

const findChatbot = prepareQuery((db, id: string, ownerId: string) =>
  db.selectFrom('chatbots').selectAll().where('id', '=', id).where('owner_id', '=', ownerId),
)

export async function getOwnedChatbot(
  db: Database,
  ownerId: string,
  id: string,
): Promise<Owned<Chatbot>> {
  const [chatbot] = await findChatbot.read(db, id, ownerId)
  if (!chatbot) throw notFound('chatbot')
  return asOwned(chatbot)
}

export const readChatbots = listReader('chatbots', {
  parent: 'owner_id',
  texts: ['name', 'settings'],
  isKept: true,
})

export type ChatbotName = Pick<Chatbot, 'id' | 'name'>

/** Pages through an owner's chatbots without their long columns. */
export function listChatbotNames(
  db: Database,
  ownerId: string,
  { limit, after = '' }: { limit: number; after?: string },
): Promise<ChatbotName[]> {
  return db
    .selectFrom('chatbots')
    .select(['id', 'name'])
    .where('owner_id', '=', ownerId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

const findTwoNamed = prepareQuery((db, ownerId: string, name: string) =>
  db
    .selectFrom('chatbots')
    .select(['id', 'name'])
    .where('owner_id', '=', ownerId)
    .where('name', '=', name)
    .limit(sql.lit(2)),
)

/** Returns at most two chatbots, enough to tell that a name is ambiguous. */
export function findChatbotsNamed(
  db: Database,
  ownerId: string,
  name: string,
): Promise<readonly ChatbotName[]> {
  return findTwoNamed.read(db, ownerId, name)
}

export async function countChatbots(db: Database, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('chatbots')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const changeChatbot = prepareQuery(
  (
    db,
    id: string,
    ownerId: string,
    name: string | null,
    model: string | null,
    patch: string,
    now: number,
  ) =>
    db
      .updateTable('chatbots')
      .set({
        name: sql<string>`coalesce(${name}, name)`,
        model: sql<string>`coalesce(${model}, model)`,
        settings: mergeJson(db, 'settings', patch),
        modified_at: now,
      })
      .where('id', '=', id)
      .where('owner_id', '=', ownerId)
      .returningAll(),
)

/** Changes only the given fields. One statement, so that concurrent updates both take effect. */
export async function updateChatbot(
  db: Database,
  ownerId: string,
  id: string,
  { name, model, settings }: ChatbotChange,
): Promise<Chatbot> {
  const patch = JSON.stringify(settings)
  const [chatbot] = await changeChatbot.write(
    db,
    id,
    ownerId,
    name ?? null,
    model ?? null,
    patch,
    Date.now(),
  )
  if (!chatbot) throw notFound('chatbot')
  return chatbot
}

/** Hides the chatbot and everything in it, to be erased later. Returns false if it was already deleted. */
export async function deleteChatbot(db: Database, chatbot: Owned<Chatbot>): Promise<boolean> {
  const { id, owner_id } = chatbot
  const hide = db
    .updateTable('chatbots')
    .set(hidden())
    .where('id', '=', id)
    .where('owner_id', '=', owner_id)
    .returning('id')
  const isHidden = await runAtomically(db, [
    ensureDeletedOwner(db),
    { query: hide.compile(), mustReturn: true },
  ])
  forgetTurns()
  return isHidden
}
