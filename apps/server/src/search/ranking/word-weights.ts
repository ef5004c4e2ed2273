import { readPassageWords } from '@docent/text/passage-words.ts'
import { weighWords } from './bm25.ts'

// BM25 as the product of two sparse vectors. A passage's weight for a word grows with the word's count and falls with
// the passage's length. A question's weight is the word's rarity. The hash of a word is its index.

const PLACES = 1_000_000_000
// In characters. A constant, so that a passage's weights never need rewriting. Scoring uses the exact average.
const USUAL_LENGTH = 800
// PostgreSQL accepts no more words in one vector. The heaviest are kept.
const MAX_WORDS = 16_000

/** Returns the weights of a passage's words in pgvector's sparse format. */
export function weightsOfPassage(words: string): string {
  const { lead, sentences } = readPassageWords(words)
  const counts = new Map<string, number>()
  let length = 0
  for (const word of [lead, ...sentences].flat()) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
    length += word.length + 1
  }
  const weigh = weighWords(length, USUAL_LENGTH)
  const weights = [...counts].map(([word, count]) => [word, weigh(count)] as const)
  return sparseVector(weights)
}

/** Returns the rarities of a question's words in the same format. */
export function weightsOfQuestion(terms: { term: string; rarity: number }[]): string {
  return sparseVector(terms.map(({ term, rarity }) => [term, rarity] as const))
}

function sparseVector(weights: (readonly [word: string, weight: number])[]): string {
  const places = new Map<number, number>()
  for (const [word, weight] of weights) {
    const place = placeOf(word)
    places.set(place, Math.max(places.get(place) ?? 0, weight))
  }
  const heaviest = [...places].sort((a, b) => b[1] - a[1]).slice(0, MAX_WORDS)
  heaviest.sort((a, b) => a[0] - b[0])
  return `{${heaviest.map(([place, weight]) => `${place}:${weight.toFixed(4)}`).join(',')}}/${PLACES}`
}

/** FNV-1a over UTF-16 code units, starting from 1. */
function placeOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) {
    hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  }
  return ((hash >>> 0) % PLACES) + 1
}
