const K1 = 1.2
const B = 0.75

/** The weight that a word approaches as its count grows. */
export const MOST_WEIGHT = K1 + 1

/** Returns the weight of a word by its count in a passage. Lengths are in characters. */
export function weighWords(length: number, usualLength: number): (count: number) => number {
  const norm = K1 * (1 - B + (B * length) / usualLength)
  return (count) => (count * MOST_WEIGHT) / (count + norm)
}
