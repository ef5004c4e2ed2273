import { type ChatbotUpdate, ModelName, NewChatbot } from '../../../contract/src/chatbots.ts'
import { invalid } from '../errors.ts'
import type { ModelCatalogue } from '../models/catalogue.ts'
import type { Chatbot, ChatbotChange } from '../store/chatbots.ts'
import { timestamp } from './timestamp.ts'

/** A new chatbot's model has to be there. */
export function newChatbotWith(models: ModelCatalogue) {
  const model = ModelName.refine((value) => models.accepts(value), { error: notThere(models) })
    .meta({ example: models.defaultName })
    .optional()
  const { meta } = NewChatbot.shape
  return NewChatbot.extend({ model, meta: meta.unwrap().extend({ model }).optional() })
}

function notThere(models: ModelCatalogue): string {
  const names = models.list().map((model) => model.name)
  return `must be one of: ${names.join(', ')}; or a name of a well-known family (gpt-…, o1…, claude-…, gemini-…)`
}

/** Of an update: another model than the chatbot's own has to be there. */
export function requireModel(models: ModelCatalogue, given: ChatbotUpdate, chatbot: Chatbot): void {
  const model = given.model ?? given.meta?.model
  if (model === undefined || models.accepts(model) || model === chatbot.model) return
  const path = given.model === undefined ? ['meta', 'model'] : ['model']
  throw invalid([{ loc: ['body', ...path], msg: notThere(models), type: 'custom' }])
}

type Fields = { [Key in keyof Omit<ChatbotUpdate, 'name' | 'meta'>]?: unknown }

/** What of a body is to be stored. Only known fields get this far. */
export function toChange({ name, meta, ...flat }: ChatbotUpdate): ChatbotChange {
  const given = { ...defined(meta ?? {}), ...defined(flat) } as Omit<ChatbotUpdate, 'name' | 'meta'>
  const { model, ...settings } = given
  return { name, model, settings: settings as ChatbotChange['settings'] }
}

/** What is there, each under its own name. */
function defined({ show_citation, ...fields }: Fields): Fields {
  const named = { ...fields, show_citations: fields.show_citations ?? show_citation }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

const jsonOf = new WeakMap<Chatbot, string>()

/**
 * A record as JSON, made once for each row that is read. The settings are stored as the JSON that the record carries,
 * so they go in as they are: parsing them and writing them again was half the cost of a list.
 */
export function toChatbotJson(chatbot: Chatbot, defaultModel: string): string {
  let json = jsonOf.get(chatbot)
  if (json === undefined) {
    const model = JSON.stringify(chatbot.model ?? defaultModel)
    const created = timestamp(chatbot.created_at)
    const modified = timestamp(chatbot.modified_at)
    json = `{"uuid":"${chatbot.id}","name":${JSON.stringify(chatbot.name)},"created_at":"${created}","modified_at":"${modified}","meta":{"model":${model},${chatbot.settings.slice(1)}}`
    jsonOf.set(chatbot, json)
  }
  return json
}
