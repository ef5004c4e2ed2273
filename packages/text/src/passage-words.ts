import { analyzeText } from './analyze-text.ts'
import { sentencesOf } from './sentences.ts'

/**
 * The version of the analysis. Increase it when the words or sentences change, and add a migration that reindexes
 * passages with an older version.
 */
export const ANALYSIS = 3

/** The analyzed words stored with a passage: a line for its lead and a line for each sentence. */
export function wordsOfPassage(lead: string, text: string): string {
  const sentences = sentencesOf(text).map(({ start, end }) => text.slice(start, end))
  return [lead, ...sentences].map((line) => analyzeText(line).join(' ')).join('\n')
}

export interface PassageWords {
  lead: string[]
  /** In the order of the passage's sentences. */
  sentences: string[][]
}

export function readPassageWords(words: string): PassageWords {
  const [lead = [], ...sentences] = words.split('\n').map((line) => (line ? line.split(' ') : []))
  return { lead, sentences }
}
