import { analyzeText, fold, readWords } from '@docent/text/analyze-text.ts'
import { isPossible, isSmallWord, type Languages } from '@docent/text/small-words.ts'
import { rarityOf, type WordStatistics } from './combine-scores.ts'

// German and Dutch write compounds as one word. “30 Tage Urlaub” answers a question about “Urlaubstage”.
const JOINING = ['de', 'nl'] as const
const SHORTEST_PART = 4
// Limits for pasted text: real questions have no longer words, and no more of them.
const LONGEST = 40
const MOST = 8
const LETTERS_ALONE = /^\p{L}+$/u
// “Überstunden” (overtime) does not consist of “über” and “Stunden”.
const NO_PARTS = new Set(
  'uber unter neben gegen zwischen hinter ohne ober wieder sonder gesamt onder over tegen tussen achter zonder'.split(
    ' ',
  ),
)
// Linking letters between the parts.
const BETWEEN = ['', 's', 'n', 'en', 'er', 'es']

type Parts = readonly [first: string, second: string]
/** Maps the analyzed form of a word that may be a compound to its possible parts. */
export type Compounds = ReadonlyMap<string, readonly Parts[]>

export function compoundsOf(question: string): Compounds {
  const { words, languages } = readWords(question)
  if (!JOINING.some((language) => isPossible(language, languages))) return new Map()
  const long = words.filter(
    ({ word }) =>
      word.length >= 2 * SHORTEST_PART && word.length <= LONGEST && LETTERS_ALONE.test(word),
  )
  const compounds = new Map<string, Parts[]>()
  for (const { word } of long.slice(0, MOST)) {
    const [term] = analyzeText(word) as [string]
    compounds.set(term, [...(compounds.get(term) ?? []), ...waysToPart(word, languages)])
  }
  return compounds
}

function waysToPart(word: string, languages: Languages): Parts[] {
  const ways: Parts[] = []
  for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
    for (const between of BETWEEN) {
      const first = word.slice(0, at)
      if (!first.endsWith(between) || at - between.length < SHORTEST_PART) continue
      const parts = [first.slice(0, at - between.length), word.slice(at)]
      if (parts.some((part) => isNoPart(fold(part), languages))) continue
      const [one, other] = parts.map((part) => analyzeText(part)[0])
      if (one && other && one !== other) ways.push([one, other])
    }
  }
  return ways
}

function isNoPart(part: string, languages: Languages): boolean {
  return NO_PARTS.has(part) || isSmallWord(part, languages)
}

/**
 * Replaces terms that occur in no passage with their two parts, if passages have both parts and they belong together.
 * If several splits qualify, the rarest parts win.
 */
export function partUnknown(
  terms: string[],
  compounds: Compounds,
  statistics: WordStatistics,
  belongTogether: (parts: Parts) => boolean,
): string[] {
  const isKnown = (term: string) => statistics.found.get(term)
  return terms.flatMap((term) => {
    if (isKnown(term)) return term
    const known = (compounds.get(term) ?? []).filter(
      (parts) => parts.every(isKnown) && belongTogether(parts),
    )
    const rarity = (parts: Parts) =>
      parts.reduce((sum, part) => sum + rarityOf(part, statistics), 0)
    const [best] = known.toSorted((a, b) => rarity(b) - rarity(a))
    return best ?? term
  })
}

/** Returns a check whether one sentence of these passages has both parts. Splits the words on first use. */
export function togetherIn(passages: readonly { words: string }[]): (parts: Parts) => boolean {
  let sentences: Set<string>[] | undefined
  return (parts) => {
    sentences ??= passages.flatMap(({ words }) =>
      words.split('\n').map((line) => new Set(line.split(' '))),
    )
    return sentences.some((sentence) => parts.every((part) => sentence.has(part)))
  }
}
