import { sql } from 'kysely'
import { type Database, runTogether } from '../database/database.ts'
import { mergeJson } from '../database/dialect.ts'
import { prepareQuery } from '../database/prepare-query.ts'
import type { Row } from '../database/tables.ts'
import { notFound } from '../errors.ts'
import { NEW_ANSWERING } from './answering-settings.ts'
import { newId } from './ids.ts'
import { listReader } from './list-reader.ts'
import { hidden, makeNobody } from './nobody.ts'
import { asOwned, type Owned } from './owned.ts'
import { forgetTurns } from './recent-turns.ts'

export type Chatbot = Row<'chatbots'>

/** The settings beside the model, which has a column of its own. */
export interface ChatbotSettings {
  prompt: string
  temperature: number
  rate_limit: [messages: number, seconds: number]
  rate_limit_message: string
  show_citations: boolean
  visibility: 'private' | 'public' | 'hybrid'
}

export const DEFAULT_SETTINGS: ChatbotSettings = {
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

/** What is said to whoever asks too much, and whether the owner wrote it. */
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

export type ChatbotName = Pick<Chatbot, 'id' | 'name' | 'created_at'>

const listNames = prepareQuery((db, ownerId: string) =>
  db
    .selectFrom('chatbots')
    .select(['id', 'name', 'created_at'])
    .where('owner_id', '=', ownerId)
    .orderBy('id'),
)

/** All chatbots of an owner, without what may be long. */
export function listChatbotNames(db: Database, ownerId: string): Promise<readonly ChatbotName[]> {
  return listNames.read(db, ownerId)
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

/** Changes only what is named, in one statement, so that two updates at once both take effect. */
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

/** Hides it with everything in it, which is erased afterwards. False if it was deleted already. */
export async function deleteChatbot(db: Database, chatbot: Owned<Chatbot>): Promise<boolean> {
  const { id, owner_id } = chatbot
  const hide = db
    .updateTable('chatbots')
    .set(hidden())
    .where('id', '=', id)
    .where('owner_id', '=', owner_id)
    .returning('id')
  const isHidden = await runTogether(db, [
    makeNobody(db),
    { query: hide.compile(), mustReturn: true },
  ])
  forgetTurns()
  return isHidden
}
