import { ModelName, NewChatbot } from '@docent/contract/chatbots.ts'
import type { ModelCatalog } from './model-catalog.ts'

/** The schema of a new chatbot, with a model that this server knows. */
export function newChatbotWith(models: ModelCatalog) {
  const model = ModelName.refine((value) => models.accepts(value), {
    error: namesThatExist(models),
  })
    .meta({ example: models.defaultName })
    .optional()
  const { meta } = NewChatbot.shape
  return NewChatbot.extend({ model, meta: meta.unwrap().extend({ model }).optional() })
}

export function namesThatExist(models: ModelCatalog): string {
  const names = models.list().map((model) => model.name)
  return `must be one of: ${names.join(', ')}; or a name of a well-known family (gpt-…, o1…, claude-…, gemini-…)`
}
