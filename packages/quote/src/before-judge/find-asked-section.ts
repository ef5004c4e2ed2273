import { analyzeQuestion } from '@docent/text/analyze-text.ts'
import type { Candidate } from './choose-sentences.ts'
import { ROW } from './complete-quotes.ts'
import type { Section } from './sections.ts'

// Of what stands under it, whole sentences up to this length.
const LONGEST = 500
const LONGEST_TABLE = 900
// A heading of one word speaks of all that has to do with it.
const FEWEST_WORDS = 2

/**
 * What stands under a heading that asks the very question, as on a page of frequent ones. Whoever wrote it says that this is the
 * answer, though it may have no word of the question, and to a reader of prose a heading is no sentence.
 */
export function findAskedSection(question: string, sections: Section[]): Candidate | undefined {
  // What is called after a thing seldom says why it is so.
  if (/\bwhy\b/i.test(question)) return undefined
  const asked = new Set(analyzeQuestion(question))
  const section = sections.find(({ title }) => isSame(asked, new Set(analyzeQuestion(title))))
  return section && quoteSection(section)
}

/** The words that tell something, all of them and no others; how it is asked is left aside. */
function isSame(asked: Set<string>, heading: Set<string>): boolean {
  return heading.size >= FEWEST_WORDS && heading.symmetricDifference(asked).size === 0
}

export function quoteSection({ passage, rank, sentences, from, to }: Section): Candidate {
  const { start, end: firstEnd } = sentences[from]!
  // Half of a table says that there is no more.
  const longest = ROW.test(passage.text.slice(start, firstEnd)) ? LONGEST_TABLE : LONGEST
  const room = sentences.slice(from, to).filter(({ end }) => end - start <= longest)
  const { end } = room.at(-1) ?? sentences[from]!
  return { passage, rank, index: from, start, end, value: 1, spans: [] }
}
