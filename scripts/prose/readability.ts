import PARTICIPLES from './participles.json' with { type: 'json' }
import { plain, type Sentence, sentencesOfDocument, withoutCode, wordsOf } from './sentences.ts'

const PASSIVE = new RegExp(
  `\\b(is|are|was|were|be|been|being)\\s+((not|never|also|then|always|\\w+ly)\\s+)?(\\w+ed|${PARTICIPLES.join('|')})\\b`,
  'i',
)
/** Words like these end as participles do. */
const NOT_PARTICIPLES = /\b(need|indeed|speed|feed|seed|embed|hundred|red)$/i

export interface Readability {
  /** Flesch reading ease: 60 and more is plain English, 30 and less is hard to read. */
  ease: number
  /** The share of sentences in the passive voice. */
  passive: number
  /** The share of the words outside code that counted. */
  counted: number
}

/** Measures the prose of a page: its paragraphs and lists, without headings, tables and code. */
export function measureReadability(markdown: string): Readability {
  const sentences = sentencesOfDocument(markdown)
  const words = sentences.flatMap(({ text }) => wordsOf(plain(text, ' ')))
  const all = wordsOf(withoutCode(markdown).replaceAll(/\]\([^)]*\)/g, ']'))
  const syllables = words.reduce((sum, word) => sum + countSyllables(word), 0)
  return {
    ease: 206.835 - (1.015 * words.length) / sentences.length - (84.6 * syllables) / words.length,
    passive: sentences.filter(isPassive).length / sentences.length,
    counted: words.length / all.length,
  }
}

function isPassive({ text }: Sentence): boolean {
  const [phrase] = PASSIVE.exec(plain(text)) ?? []
  return phrase !== undefined && !NOT_PARTICIPLES.test(phrase)
}

/** Counts groups of vowels, without a silent "e" at the end. A number or an abbreviation counts as one syllable. */
export function countSyllables(word: string): number {
  return word
    .split(/[-/]/)
    .map((part) => {
      const letters = part.toLowerCase().replace(/[^a-z]/g, '')
      const spoken = letters
        .replace(/(?<=[^aeiouy])(?:e|ed|es)$/, (end) => (keepsEnding(letters, end) ? end : ''))
        .replace(/^y/, '')
      return Math.max(1, spoken.match(/[aeiouy]+|(?<=i)[ao]/g)?.length ?? 1)
    })
    .reduce((sum, count) => sum + count, 0)
}

/** As in "table", "needed", "pages" and "the". */
function keepsEnding(word: string, ending: string): boolean {
  if (ending === 'e') return /[^aeiouy]le$/.test(word)
  return ending === 'ed' ? /[td]ed$/.test(word) : /(?:[sxzcg]|[cs]h)es$/.test(word)
}
