import { ModelName, NewChatbot } from '@docent/contract/chatbots.ts'
import type { ModelCatalogue } from './catalog.ts'

/** The schema of a new chatbot, with a model that this server knows. */
export function newChatbotWith(models: ModelCatalogue) {
  const model = ModelName.refine((value) => models.accepts(value), {
    error: namesThatExist(models),
  })
    .meta({ example: models.defaultName })
    .optional()
  const { meta } = NewChatbot.shape
  return NewChatbot.extend({ model, meta: meta.unwrap().extend({ model }).optional() })
}

export function namesThatExist(models: ModelCatalogue): string {
  const names = models.list().map((model) => model.name)
  return `must be one of: ${names.join(', ')}; or a name of a well-known family (gpt-…, o1…, claude-…, gemini-…)`
}
