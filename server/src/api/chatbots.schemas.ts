import { z } from 'zod'
import { invalid } from '../errors.ts'
import type { ModelCatalogue } from '../models/catalogue.ts'
import type { Chatbot, ChatbotChange } from '../store/chatbots.ts'
import { TimestampOut, text, UuidOut } from './common.schemas.ts'
import { timestamp } from './timestamp.ts'

const name = text({ min: 1, max: 255, trim: true }).meta({ example: 'Museum guide' })

const anyModel = text({ min: 1, max: 100 })

function settingsFields(models: ModelCatalogue) {
  const model = anyModel
    .refine((value) => models.accepts(value), { error: notThere(models) })
    .meta({ example: models.defaultName })
  const whole = (max: number) => z.int().min(1).max(max)
  return {
    model: model.optional(),
    prompt: text({ max: 32_000 }).optional().meta({ example: 'Answer as a friendly guide.' }),
    temperature: z.number().min(0).max(2).optional().meta({ example: 0.2 }),
    rate_limit: z
      .tuple([whole(10_000), whole(86_400)], 'must be two whole numbers: messages, seconds')
      .optional()
      .meta({ description: 'So many messages in so many seconds.', example: [20, 240] }),
    rate_limit_message: text({ max: 2_000 }).optional().meta({ example: 'Too many messages' }),
    show_citations: z.boolean().optional().meta({ example: true }),
    show_citation: z
      .boolean()
      .optional()
      .meta({ description: 'Another spelling of show_citations.' }),
    visibility: z.enum(['private', 'public', 'hybrid']).optional().meta({ example: 'private' }),
  }
}

function notThere(models: ModelCatalogue): string {
  const names = models.list().map((model) => model.name)
  return `must be one of: ${names.join(', ')}; or a name of a well-known family (gpt-…, o1…, claude-…, gemini-…)`
}

/** The settings are taken flat, as documented, or nested under `meta`; flat wins. */
export function chatbotSchemas(models: ModelCatalogue) {
  const fields = settingsFields(models)
  // A record may be sent back with a model that is not there any more: the chatbot keeps it.
  const model = anyModel.meta({ example: models.defaultName }).optional()
  const kept = { ...fields, model }
  return {
    NewChatbot: z.object({ name, ...fields, meta: z.object(fields).optional() }),
    ChatbotUpdate: z.object({ name: name.optional(), ...kept, meta: z.object(kept).optional() }),
  }
}

/** Of an update: another model than the chatbot's own has to be there. */
export function requireModel(models: ModelCatalogue, given: Given, chatbot: Chatbot): void {
  const model = given.model ?? given.meta?.model
  if (model === undefined || models.accepts(model) || model === chatbot.model) return
  const path = given.model === undefined ? ['meta', 'model'] : ['model']
  throw invalid([{ loc: ['body', ...path], msg: notThere(models), type: 'custom' }])
}

type Fields = { [Key in keyof ReturnType<typeof settingsFields>]?: unknown }
type Given = z.infer<ReturnType<typeof chatbotSchemas>['ChatbotUpdate']>

/** What of a body is to be stored. Only known fields get this far. */
export function toChange({ name, meta, ...flat }: Given): ChatbotChange {
  const given = { ...defined(meta ?? {}), ...defined(flat) } as Omit<Given, 'name' | 'meta'>
  const { model, ...settings } = given
  return { name, model, settings: settings as ChatbotChange['settings'] }
}

/** What is there, each under its own name. */
function defined({ show_citation, ...fields }: Fields): Fields {
  const named = { ...fields, show_citations: fields.show_citations ?? show_citation }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

export const ChatbotRecord = z
  .object({
    uuid: UuidOut,
    name: z.string().meta({ example: 'Museum guide' }),
    created_at: TimestampOut,
    modified_at: TimestampOut,
    meta: z.object({
      model: z.string().meta({ example: 'docent-quote' }),
      prompt: z.string().meta({ example: '' }),
      temperature: z.number().meta({ example: 0 }),
      rate_limit: z.tuple([z.number(), z.number()]).meta({ example: [20, 240] }),
      rate_limit_message: z.string().meta({ example: 'Too many messages' }),
      show_citations: z.boolean().meta({ example: false }),
      visibility: z.enum(['private', 'public', 'hybrid']).meta({ example: 'private' }),
    }),
  })
  .meta({ id: 'Chatbot' })

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
