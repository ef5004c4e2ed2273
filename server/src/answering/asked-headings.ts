import { cosine, toBytes } from '../models/embedding/vectors.ts'
import { analyzeQuestion } from '../search/analyze-text.ts'
import { asks } from '../search/asking-section.ts'
import type { FoundPassage } from '../search/find-passages.ts'
import type { Services } from '../services.ts'
import { judgeSameQuestion } from './judge-answer.ts'
import { type Section, sectionsOf } from './sections.ts'

/** What stands under a heading that asks, and how likely it is that it asks the same. */
export interface AskedSection extends Section {
  confidence: number
}

const MAX_PASSAGES = 5
const MAX_HEADINGS = 8
const LIKELY = 0.5
const ASKING_HEADING = /^#{1,6}\s.*[?？؟]\s*$/m

/**
 * A page of frequent questions is made of pairs: its headings ask, and what stands under them answers. So they are compared
 * with the question as pairs are, by meaning and by words. The first that is likely, if any heading asks at all: the search knows
 * which words are rare.
 */
export async function judgeHeadings(
  { embeddings, log }: Services,
  question: string,
  found: readonly FoundPassage[],
): Promise<AskedSection | undefined> {
  const asking = found
    .filter(({ type }) => type !== 'qa')
    .slice(0, MAX_PASSAGES)
    .flatMap((passage, rank) =>
      ASKING_HEADING.test(passage.text) ? sectionsOf(passage, rank) : [],
    )
    .filter(({ title }) => asks(title))
    .slice(0, MAX_HEADINGS)
  if (asking.length === 0) return undefined
  try {
    const [asked, ...titles] = await Promise.all(
      [question, ...asking.map(({ title }) => title)].map((text) => embeddings.embedQuestion(text)),
    )
    const terms = analyzeQuestion(question)
    const judged = asking.map((section, i) => {
      const vector = titles[i]?.vector
      const meaning = asked && vector ? Math.max(0, cosine(asked.vector, toBytes(vector))) : 0
      const shared = terms.filter((term) => section.heading.includes(term))
      const coverage = shared.length / (terms.length || 1)
      return { ...section, confidence: judgeSameQuestion({ meaning, coverage }) }
    })
    const likeliest = judged.reduce((best, one) => (one.confidence > best.confidence ? one : best))
    return judged.find(({ confidence }) => confidence >= LIKELY) ?? likeliest
  } catch (error) {
    log.warn({ err: error }, 'headings are not compared with the question')
    return undefined
  }
}
