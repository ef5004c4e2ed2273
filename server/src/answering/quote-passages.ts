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

type Share = (words: string[]) => number

/** An answer in the sources' own words: a pair's answer whole, otherwise the sentences nearest to the question. */
export function quotePassages(
  question: string,
  found: FoundPassage[],
  showCitations: boolean,
): Quotes {
  const wanted = new Set(analyzeQuestion(question))
  const share: Share = (words) =>
    new Set(words.filter((word) => wanted.has(word))).size / wanted.size

  const best = choosePassages(found, share)
  if (best.length === 0) return { text: NOT_FOUND, passages: [] }

  const passages = markPassages(best)
  const quotes = passages.map((passage) => {
    const quote = passage.type === 'qa' ? passage.text : nearestSentences(passage.text, share)
    return showCitations ? `${quote} [${passage.marker}]` : quote
  })
  return { text: quotes.join('\n\n'), passages }
}

/** A pair whose question is this one; otherwise the best passages, or a pair whose answer speaks of it. */
function choosePassages(found: FoundPassage[], share: Share): FoundPassage[] {
  const pair = found.find(
    (one) => one.type === 'qa' && share(analyzeText(questionOf(one))) >= MIN_SHARE,
  )
  if (pair) return [pair]
  const matching = found.filter(
    (one) => share(analyzeText(`${questionOf(one)} ${one.text}`)) >= MIN_SHARE,
  )
  const [first] = matching
  if (first?.type === 'qa') return [first]
  return matching.filter(({ type }) => type !== 'qa').slice(0, MAX_PASSAGES)
}

/** A pair's question stands in its meta, not in its passage. */
function questionOf(passage: FoundPassage): string {
  return passage.type === 'qa' ? JSON.parse(passage.meta).question : ''
}

/** The sentences of a passage that hold most of the question, in the order in which they stand. */
function nearestSentences(text: string, share: Share): string {
  const sentences = sentencesOf(text).map((one, index) => ({
    ...one,
    index,
    // What stands under a heading is about what the heading says.
    score: share(analyzeText(one.text)) + 0.5 * share(analyzeText(one.heading)),
  }))
  const best = Math.max(...sentences.map(({ score }) => score))
  const kept = sentences
    .filter(({ score }) => score > 0 && score >= best * 0.6)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, MAX_SENTENCES)
    .sort((a, b) => a.index - b.index)
  return kept.map((one) => one.text).join(' ')
}

/** Headings lead to sentences; they are none. Each row of a table or list is one. */
function sentencesOf(text: string): { text: string; heading: string }[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })
  const sentences: { text: string; heading: string }[] = []
  let heading = ''
  for (const block of text.split(/\n\s*\n|\n(?=\s*(?:[|#-]|\d+[.)]))/)) {
    if (/^\s*#/.test(block)) {
      heading = block
      continue
    }
    for (const { segment } of segmenter.segment(block)) {
      const sentence = segment.trim().replace(/^\|\s*|\s*\|$/g, '')
      if (sentence !== '') sentences.push({ text: sentence, heading })
    }
  }
  return sentences.length > 0 ? sentences : [{ text, heading: '' }]
}
