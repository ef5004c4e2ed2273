import type { ChatbotSettings } from '../features/chatbots/chatbots.store.ts'
import { estimateTokens } from '../models/count-tokens.ts'
import type { LanguageModel, ModelChoice, PastTurn } from '../models/model-catalog.ts'
import { limitsOf } from '../models/model-limits.ts'
import { PASSAGES_FOR_A_MODEL } from './answer.ts'
import { MOST_HISTORY_TOKENS } from './build-prompt.ts'

// A long passage with its title. An estimate, because the search still runs when the question is stored.
const TOKENS_OF_A_PASSAGE = 400
const TOKENS_OF_RULES = 300

export interface ToEstimate {
  settings: ChatbotSettings
  question: string
  history: readonly PastTurn[]
}

/**
 * Estimates the tokens that an answer may cost: the prompt and the model's longest answer. With fallbacks, the most
 * expensive model counts. The built-in engine uses none.
 */
export function estimateCost(
  { settings, question, history }: ToEstimate,
  { languageModel, fallbacks = [] }: ModelChoice,
): number {
  const models = [languageModel, ...fallbacks.map((one) => one.languageModel)]
  const asked = models.filter((model): model is LanguageModel => model !== undefined)
  if (asked.length === 0) return 0
  const said = history.map((turn) => `${turn.question}\n${turn.answer}`).join('\n')
  const prompt =
    TOKENS_OF_RULES +
    estimateTokens(settings.prompt) +
    estimateTokens(question) +
    Math.min(MOST_HISTORY_TOKENS, estimateTokens(said)) +
    PASSAGES_FOR_A_MODEL * TOKENS_OF_A_PASSAGE
  const costs = asked.map(({ limits = limitsOf('') }) =>
    Math.min(limits.contextTokens, prompt + limits.maxOutputTokens),
  )
  return Math.max(...costs)
}
