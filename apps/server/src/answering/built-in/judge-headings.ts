import { judgeHeading } from '@docent/quote/before-judge/judge-answer.ts'
import { type AskedSection, sectionsOf } from '@docent/quote/before-judge/sections.ts'
import type { FoundPassage } from '@docent/quote/found-passage.ts'
import { analyzeQuestion } from '@docent/text/analyze-text.ts'
import { asks } from '@docent/text/faq-heading.ts'
import { cosine, toBytes } from '../../models/embedding/vectors.ts'
import type { Search } from '../../search/find-passages.ts'

const MAX_HEADINGS = 8

/**
 * Treats a page of frequent questions as pairs: its headings ask, and the text under them answers. The search ranks
 * them like pairs, so only the best passage is checked. If that is the middle of an answer, the next one is checked.
 */
export async function judgeHeadings(
  { embeddings, log }: Pick<Search, 'embeddings' | 'log'>,
  ownerId: string,
  question: string,
  found: readonly FoundPassage[],
): Promise<AskedSection | undefined> {
  const texts = found.filter(({ type }) => type !== 'qa')
  const rank = texts.findIndex((passage) => !goesOnAnswering(passage))
  const sections = rank >= 0 ? sectionsOf(texts[rank]!, rank) : []
  const asking = sections.filter(({ title }) => asks(title)).slice(0, MAX_HEADINGS)
  if (asking.length === 0) return undefined
  try {
    const [asked, ...titles] = await Promise.all(
      [question, ...asking.map(({ title }) => title)].map((text) =>
        embeddings.embedQuestion(text, ownerId),
      ),
    )
    const terms = analyzeQuestion(question)
    const judged = asking.map((section, i) => {
      const vector = titles[i]?.vector
      const meaning = asked && vector ? cosine(asked.vector, toBytes(vector)) : 0
      const shared = terms.filter((term) => section.heading.includes(term))
      const coverage = shared.length / (terms.length || 1)
      const nearness = (vector && asked?.nearness) ?? 'none'
      return { ...section, confidence: judgeHeading({ nearness, meaning, coverage }) }
    })
    return judged.reduce((best, one) => (one.confidence > best.confidence ? one : best))
  } catch (error) {
    log.warn({ err: error }, 'headings could not be compared with the question')
    return undefined
  }
}

/** Whether a passage continues a long answer. Its question is the last heading above it. */
function goesOnAnswering({ lead, text }: FoundPassage): boolean {
  return !text.startsWith('#') && asks(lead)
}
