import { analyzeText, fold } from './analyze-text.ts'
import { isSmallWord, languagesOf } from './small-words.ts'

const WORD = /\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu
// Shorter words have too many neighbours; two letters that changed places are a slip in those, too.
const SHORTEST = 6
const SHORTEST_SWAPPED = 4

/**
 * A question whose words that stand in no source are spelled like the one word of these texts that is a letter away. What has
 * several such neighbours stays as it is.
 */
export function mendSpelling(
  question: string,
  unknown: ReadonlySet<string>,
  texts: string[],
): string {
  let neighbours: Map<string, Set<string>> | undefined
  return question.replace(WORD, (word) => {
    const folded = fold(word.toLowerCase())
    if (folded.length < SHORTEST_SWAPPED || !analyzeText(word).some((term) => unknown.has(term)))
      return word
    neighbours ??= wordsByLetter(texts)
    const near = [...(neighbours.get(folded[0]!) ?? [])].filter((other) => isNear(folded, other))
    const meant = new Set(near.map((other) => analyzeText(other)[0]))
    return meant.size === 1 ? near[0]! : word
  })
}

/** The words of texts that say something, by their first letter: that one is seldom wrong. */
function wordsByLetter(texts: string[]): Map<string, Set<string>> {
  const all = new Set<string>()
  for (const text of texts) {
    for (const [word] of text.matchAll(WORD)) all.add(fold(word.toLowerCase()))
  }
  const languages = languagesOf([...all])
  const byLetter = new Map<string, Set<string>>()
  for (const word of all) {
    if (word.length < SHORTEST_SWAPPED || isSmallWord(word, languages)) continue
    const words = byLetter.get(word[0]!) ?? new Set()
    byLetter.set(word[0]!, words.add(word))
  }
  return byLetter
}

/** Whether one letter that is missing, too many, another one, or in the place of its neighbour tells two words apart. */
function isNear(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [a, b] = [one.slice(start), other.slice(start)]
  if (a.length > 1 && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)) return true
  if (one.length < SHORTEST) return false
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1)
}
