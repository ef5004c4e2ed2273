import { analyzeText } from '@docent/text/analyze-text.ts'
import { hasWord } from '@docent/text/has-letters.ts'
import { type Sentence, sentencesOfParts } from '@docent/text/sentences.ts'
import type { FoundPassage } from '../found-passage.ts'

/** What stands under a heading of a passage. */
export interface Section {
  passage: FoundPassage
  rank: number
  /** Of the whole passage. */
  sentences: readonly Sentence[]
  /** Of its sentences; the heading is none of them. */
  from: number
  to: number
  /** The heading as it is read. */
  title: string
  /** Its words, and with them those of the headings above it. */
  heading: string[]
  known: Set<string>
}

/** What stands under a heading that asks, and how likely it is that it asks the same. */
export interface AskedSection extends Section {
  confidence: number
}

export function sectionsOf(passage: FoundPassage, rank: number): Section[] {
  const { text, lead, partStarts } = passage
  const sentences = sentencesOfParts(text, partStarts)
  const leading = analyzeText(lead)
  let above: { level: number; words: string[] }[] = []
  return sentences.flatMap(({ isHeading, start, end }, i) => {
    if (!isHeading) return []
    const [, marks = '', title = ''] = /^(#*)(.*)$/s.exec(text.slice(start, end)) ?? []
    const heading = analyzeText(title)
    above = above.filter(({ level }) => level < marks.length)
    const known = new Set([...leading, ...above.flatMap((one) => one.words), ...heading])
    above.push({ level: marks.length, words: heading })
    const next = sentences.findIndex((one, k) => k > i && one.isHeading)
    const to = next === -1 ? sentences.length : next
    const says = (one: Sentence) => hasWord(text.slice(one.start, one.end))
    const from = sentences.findIndex((one, k) => k > i && k < to && says(one))
    return from === -1
      ? []
      : [{ passage, rank, sentences, from, to, title: title.trim(), heading, known }]
  })
}
