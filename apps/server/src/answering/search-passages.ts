import { judgePair, logistic } from '@docent/quote/before-judge/judge-answer.ts'
import type { FoundPassage } from '@docent/quote/found-passage.ts'
import type { Reading } from '@docent/quote/reading.ts'
import type { Wordings } from '@docent/text/follow-up.ts'
import { findPassages, type SearchedChatbot } from '../search/find-passages.ts'
import type { Services } from '../services.ts'
import { readPassages } from './built-in/read-passages.ts'

// On the scale of scores: what it counts that a passage answers the question, and from which odds on the reader is believed
// to think so rather than not. Tuned like the weights of the search itself.
const ANSWERS = 12
const BELIEVED = 2
// Enough that the same passages are read, pairs among them or not: whoever asks for fewer sees the first of the same order.
const CONSIDERED = 20

/** What a question finds, best first. The reader has a word in it, where there is one that knows the language. */
export async function searchPassages(
  services: Services,
  chatbot: SearchedChatbot,
  wordings: Wordings,
  limit: number,
): Promise<FoundPassage[]> {
  const found = await findPassages(services, chatbot, wordings, {
    limit: Math.max(limit, CONSIDERED),
  })
  // A follow-up can't be read alone, and together with the question before it asks for that one's answer, too.
  const isAlone = wordings.length === 1
  const readings = isAlone
    ? await readPassages(services, chatbot.owner_id, wordings, found)
    : undefined
  return (readings ? raiseAnswers(wordings[0]!.text, found, readings) : found).slice(0, limit)
}

/** `readings` are of the first passages that are no pairs. */
function raiseAnswers(
  question: string,
  found: FoundPassage[],
  readings: Reading[],
): FoundPassage[] {
  const texts = found.filter(({ type }) => type !== 'qa')
  const presences = new Map(readings.map(({ presence }, i) => [texts[i]!, presence]))
  return found
    .map((passage) => {
      const presence = presences.get(passage) ?? Number.NEGATIVE_INFINITY
      // The reader compares words: where none is shared, it guesses.
      const read = logistic(presence - BELIEVED) * passage.evidence.coverage
      const answers = passage.type === 'qa' ? judgePair(question, passage) : read
      return { ...passage, score: passage.score + ANSWERS * answers }
    })
    .toSorted((a, b) => b.score - a.score)
}
