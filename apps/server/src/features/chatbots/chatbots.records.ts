import {
  Chatbot as ChatbotRecord,
  ChatbotSettings,
  type ChatbotUpdate,
} from '@docent/contract/chatbots.ts'
import { invalid } from '../../errors.ts'
import { timestamp } from '../../http/timestamp.ts'
import { jsonPattern, jsonWriter } from '../../http/write-json.ts'
import type { ModelCatalog } from '../../models/model-catalog.ts'
import { namesThatExist } from '../../models/model-choice.ts'
import type { Chatbot, ChatbotChange } from './chatbots.store.ts'

/** Throws if an update names an unknown model. The chatbot's current model is always accepted. */
export function requireModel(models: ModelCatalog, given: ChatbotUpdate, chatbot: Chatbot): void {
  const model = given.model ?? given.meta?.model
  if (model === undefined || models.accepts(model) || model === chatbot.model) return
  const path = given.model === undefined ? ['meta', 'model'] : ['model']
  throw invalid([{ loc: ['body', ...path], msg: namesThatExist(models), type: 'custom' }])
}

type Fields = { [Key in keyof Omit<ChatbotUpdate, 'name' | 'meta'>]?: unknown }

/** Returns the fields to store. Validation has already removed unknown fields. */
export function toChange({ name, meta, ...flat }: ChatbotUpdate): ChatbotChange {
  const given = { ...defined(meta ?? {}), ...defined(flat) } as Omit<ChatbotUpdate, 'name' | 'meta'>
  const { model, ...settings } = given
  return { name, model, settings: settings as ChatbotChange['settings'] }
}

/** Drops undefined fields. Accepts `show_citation` as another spelling of `show_citations`. */
function defined({ show_citation, ...fields }: Fields): Fields {
  const named = { ...fields, show_citations: fields.show_citations ?? show_citation }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

const jsonOf = new WeakMap<Chatbot, string>()
const writeChatbot = jsonWriter(ChatbotRecord)
const storedSettings = new RegExp(jsonPattern(ChatbotSettings.omit({ model: true })))

/**
 * Returns the record as JSON, cached for each row. Settings are stored as the JSON that the record contains. If they
 * have exactly the record's keys, they are inserted unchanged: parsing and writing them again was half the cost of a
 * list.
 */
export function toChatbotJson(chatbot: Chatbot, defaultModel: string): string {
  let json = jsonOf.get(chatbot)
  if (json === undefined) {
    json = makeChatbotJson(chatbot, chatbot.model ?? defaultModel)
    jsonOf.set(chatbot, json)
  }
  return json
}

function makeChatbotJson({ id, name, settings, ...times }: Chatbot, model: string): string {
  const created_at = timestamp(times.created_at)
  const modified_at = timestamp(times.modified_at)
  if (storedSettings.test(settings))
    return `{"uuid":"${id}","name":${JSON.stringify(name)},"created_at":"${created_at}","modified_at":"${modified_at}","meta":{"model":${JSON.stringify(model)},${settings.slice(1)}}`
  const meta = { ...JSON.parse(settings), model }
  return writeChatbot({ uuid: id, name, created_at, modified_at, meta })
}
