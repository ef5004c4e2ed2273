import { BM25 } from './weights.ts'

/** The weight that a word approaches as its count grows. */
export const MOST_WEIGHT = BM25.k1 + 1

/** Returns the weight of a word by its count in a passage. Lengths are in characters. */
export function weighWords(length: number, usualLength: number): (count: number) => number {
  const norm = BM25.k1 * (1 - BM25.b + (BM25.b * length) / usualLength)
  return (count) => (count * MOST_WEIGHT) / (count + norm)
}
