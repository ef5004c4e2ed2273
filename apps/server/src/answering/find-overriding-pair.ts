import { asksTheSame, mayAskTheSame } from '@docent/quote/before-judge/asks-the-same.ts'
import { partsOfQuestion } from '@docent/quote/before-judge/parts-of-question.ts'
import type { FoundPassage } from '@docent/quote/found-passage.ts'
import type { Wordings } from '@docent/text/follow-up.ts'
import { answeringOf } from '../features/chatbots/answering-settings.store.ts'
import type { Chatbot } from '../features/chatbots/chatbots.store.ts'
import { findPassages, type Search } from '../search/find-passages.ts'

interface Asked {
  chatbot: Chatbot
  question: string
  wordings: () => Wordings
}

/** No pair's question is longer, and each pair is compared with all of it. */
const LONGEST_QUESTION = 2_100

/**
 * Finds the pair that answers instead of a language model: it asks the same, so its owner has settled the answer.
 * Excludes follow-ups, because their words alone are ambiguous, and multi-part questions.
 */
export async function findOverridingPair(
  services: Search,
  { chatbot, question, wordings }: Asked,
  found: readonly FoundPassage[],
): Promise<FoundPassage | undefined> {
  if (!answeringOf(chatbot).pairs_override || question.length > LONGEST_QUESTION) return undefined
  if (!found.some((one) => isPair(one) && mayAskTheSame(question, one))) return undefined
  if (wordings().length > 1 || partsOfQuestion(question).length > 1) return undefined
  const weighed = await weigh(services, chatbot, question, found)
  const pairs = weighed.filter((one) => isPair(one) && asksTheSame(question, one))
  return pairs.toSorted((a, b) => b.evidence.meaning - a.evidence.meaning)[0]
}

/** Passages listed without a search have no scores yet. */
async function weigh(
  services: Search,
  chatbot: Chatbot,
  question: string,
  found: readonly FoundPassage[],
): Promise<readonly FoundPassage[]> {
  if (!found.some((one) => one.weigh)) return found
  return findPassages(services, chatbot, question).catch((error) => {
    services.log.warn({ err: error }, 'pairs could not be compared with the question')
    return []
  })
}

function isPair({ type }: FoundPassage): boolean {
  return type === 'qa'
}
