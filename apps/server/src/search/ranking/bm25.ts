const K1 = 1.2
const B = 0.75

/** What a word weighs that stands ever more often in a passage. */
export const MOST_WEIGHT = K1 + 1

/** The weights of a passage's words by how often each stands in it, lengths in characters. */
export function weighWords(length: number, usualLength: number): (count: number) => number {
  const norm = K1 * (1 - B + (B * length) / usualLength)
  return (count) => (count * MOST_WEIGHT) / (count + norm)
}
