import SMALL_WORDS from './small-words.json' with { type: 'json' }

// Function words that do not name a topic, without accents, because some users omit them. Each language has a bit.
// English is the first.
const LISTS = Object.values(SMALL_WORDS)
export const ENGLISH = 1
const LANGUAGES_OF = new Map<string, number>()
LISTS.forEach((words, i) => {
  for (const word of words) LANGUAGES_OF.set(word, (LANGUAGES_OF.get(word) ?? 0) | (1 << i))
})

/** A bit set of languages. */
export type Languages = number

/**
 * Guesses the languages of a text by its small words. Another language needs more of them than English: “die” is not
 * German in a question about dice.
 */
export function languagesOf(words: readonly string[]): Languages {
  const counts = LISTS.map(() => 0)
  for (const word of words) {
    const languages = LANGUAGES_OF.get(word) ?? 0
    for (let i = 0; languages >> i > 0; i++) if ((languages >> i) & 1) counts[i]! += 1
  }
  const most = Math.max(...counts)
  if (counts[0] === most) return ENGLISH
  return counts.reduce((all, count, i) => (count === most ? all | (1 << i) : all), ENGLISH)
}

export function isPossible(language: keyof typeof SMALL_WORDS, languages: Languages): boolean {
  return ((languages >> Object.keys(SMALL_WORDS).indexOf(language)) & 1) === 1
}

export function isSmallWord(word: string, languages: Languages): boolean {
  return ((LANGUAGES_OF.get(word) ?? 0) & languages) !== 0
}
