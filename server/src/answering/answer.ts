import { type ModelChoice, NO_TOKENS } from '../models/catalogue.ts'
import { findPassages } from '../search/find-passages.ts'
import type { Services } from '../services.ts'
import { type Chatbot, settingsOf } from '../store/chatbots.ts'
import { buildPrompt } from './build-prompt.ts'
import { citeSources, markPassages } from './cite-sources.ts'
import type { AnswerEvent } from './events.ts'
import { quotePassages } from './quote-passages.ts'

export interface Turn {
  chatbot: Chatbot
  question: string
  model: ModelChoice
}

const PASSAGES_FOR_A_MODEL = 8

/** One question in, a stream of events out. Read top to bottom: this is the product. */
export async function* answer(
  services: Services,
  { chatbot, question, model }: Turn,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent> {
  const settings = settingsOf(chatbot)
  const found = await findPassages(services, chatbot.id, question)

  if (!model.languageModel) {
    const { text, passages } = quotePassages(question, found, settings.show_citations)
    yield { type: 'text-delta', text }
    yield { type: 'finish', reason: 'stop', tokens: NO_TOKENS, ...citeSources(text, passages) }
    return
  }

  const passages = markPassages(found.slice(0, PASSAGES_FOR_A_MODEL))
  const request = buildPrompt(settings, question, passages)
  let text = ''
  for await (const event of model.languageModel.stream(request, signal)) {
    if (event.type === 'text-delta') {
      text += event.text
      yield event
    } else {
      const cited = settings.show_citations ? passages : []
      yield { ...event, ...citeSources(text, cited) }
    }
  }
}
