import { analyzeText } from './analyze-text.ts'
import { sentencesOf } from './sentences.ts'

/**
 * Which analysis this is. One that gives other words, or other sentences, gets a new number, and a migration that renews the
 * index of passages with an older one: their words are then made anew.
 */
export const ANALYSIS = 3

/**
 * The words of a passage in the form that is stored with it: a line for what leads to it (its title and headings, or
 * a pair's question) and one for each of its sentences, each analyzed.
 */
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
