import type { ModelRequest } from '../models/catalogue.ts'
import type { ChatbotSettings } from '../store/chatbots.ts'
import type { MarkedPassage } from './cite-sources.ts'

/** What a language model is told: the owner's instruction, the rules, the passages, the question. */
export function buildPrompt(
  settings: ChatbotSettings,
  question: string,
  passages: MarkedPassage[],
): ModelRequest {
  const rules = [
    'Answer from the passages below and nothing else. If they do not hold the answer, say so.',
    settings.show_citations && 'After each statement put the marker of its passage, such as [1.1].',
  ]
  const context = passages.map(({ marker, title, text }) => `[${marker}] ${title}\n${text}`)
  return {
    system: [settings.prompt, ...rules].filter(Boolean).join('\n'),
    prompt: [...context, `Question: ${question}`].join('\n\n'),
    temperature: settings.temperature,
  }
}
