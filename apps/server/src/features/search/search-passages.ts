import { judgePair, logistic } from '@docent/quote/before-judge/judge-answer.ts'
import type { FoundPassage } from '@docent/quote/found-passage.ts'
import type { Reading } from '@docent/quote/reading.ts'
import type { Wordings } from '@docent/text/follow-up.ts'
import { readPassages } from '../../answering/built-in/read-passages.ts'
import { findPassages, type SearchedChatbot } from '../../search/find-passages.ts'
import { READER } from '../../search/ranking/weights.ts'
import type { Services } from '../../services.ts'

// Large enough that the reader sees the same passages for every limit. A smaller limit returns the first of the same
// order.
const CONSIDERED = 20

/** Finds passages for a question, best first. The reader raises passages if it knows the language. */
export async function searchPassages(
  services: Services,
  chatbot: SearchedChatbot,
  wordings: Wordings,
  limit: number,
): Promise<FoundPassage[]> {
  const found = await findPassages(services, chatbot, wordings, {
    limit: Math.max(limit, CONSIDERED),
  })
  // The reader cannot read a follow-up alone. Together with the question before it, it would find that question's
  // answer too.
  const isAlone = wordings.length === 1
  const readings = isAlone
    ? await readPassages(services, chatbot.owner_id, wordings, found)
    : undefined
  return (readings ? raiseAnswers(wordings[0]!.text, found, readings) : found).slice(0, limit)
}

/** `readings` belong to the first passages that are not pairs. */
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
      // The reader compares words. If the passage shares none, the reader guesses.
      const read = logistic(presence - READER.presence) * passage.evidence.coverage
      const answers = passage.type === 'qa' ? judgePair(question, passage) : read
      return { ...passage, score: passage.score + READER.answerScore * answers }
    })
    .toSorted((a, b) => b.score - a.score)
}
