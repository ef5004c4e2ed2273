import { analyzeQuestion, analyzeText } from '../search/analyze-text.ts'
import type { FoundPassage } from '../search/find-passages.ts'
import { type MarkedPassage, markPassages } from './cite-sources.ts'

export const NOT_FOUND = 'I did not find this in the sources.'

// A passage answers when it holds at least this share of the words that the question is about.
const MIN_SHARE = 0.5
const MAX_SENTENCES = 3
const MAX_PASSAGES = 2

export interface Quotes {
  text: string
  passages: MarkedPassage[]
}

/** An answer in the sources' own words: a pair's answer whole, otherwise the sentences nearest to the question. */
export function quotePassages(
  question: string,
  found: FoundPassage[],
  showCitations: boolean,
): Quotes {
  const wanted = new Set(analyzeQuestion(question))
  const share = (words: string[]) =>
    new Set(words.filter((word) => wanted.has(word))).size / wanted.size
  const matching = found.filter((passage) => share(matchedWords(passage)) >= MIN_SHARE)

  const pair = matching.find((passage) => passage.type === 'qa')
  const best = pair ? [pair] : matching.filter(({ type }) => type !== 'qa').slice(0, MAX_PASSAGES)
  if (best.length === 0) return { text: NOT_FOUND, passages: [] }

  const passages = markPassages(best)
  const quotes = passages.map((passage) => {
    const quote = passage.type === 'qa' ? passage.text : nearestSentences(passage.text, share)
    return showCitations ? `${quote} [${passage.marker}]` : quote
  })
  return { text: quotes.join('\n\n'), passages }
}

/** A pair is matched on its question, which stands in its title and its meta, not in its passage. */
function matchedWords(passage: FoundPassage): string[] {
  const pair = passage.type === 'qa' ? JSON.parse(passage.meta) : undefined
  return analyzeText(pair ? pair.question : passage.text)
}

/** The sentences of a passage that hold most of the question, in the order in which they stand. */
function nearestSentences(text: string, share: (words: string[]) => number): string {
  const sentences = [
    ...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text),
  ].map(({ segment, index }) => ({ index, segment, score: share(analyzeText(segment)) }))
  const best = Math.max(...sentences.map(({ score }) => score))
  const kept = sentences
    .filter(({ score }) => score > 0 && score >= best * 0.6)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_SENTENCES)
    .sort((a, b) => a.index - b.index)
  return kept.map(({ segment }) => segment.trim()).join(' ')
}
