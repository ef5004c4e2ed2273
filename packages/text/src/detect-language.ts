import { fold } from './analyze-text.ts'
import SMALL_WORDS from './small-words.json' with { type: 'json' }
import TELLING_WORDS from './telling-words.json' with { type: 'json' }

// Includes languages that the engine does not support. Otherwise their texts would be taken for a supported language.

const SCRIPTS: [script: RegExp, language: Language][] = [
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'ja'],
  [/\p{Script=Hangul}/u, 'ko'],
  [/\p{Script=Han}/u, 'zh'],
  [/\p{Script=Arabic}/u, 'ar'],
  [/\p{Script=Cyrillic}/u, 'ru'],
  [/\p{Script=Greek}/u, 'el'],
  [/\p{Script=Devanagari}/u, 'hi'],
  [/\p{Script=Thai}/u, 'th'],
  [/[¿¡]/, 'es'],
]
// Letters that count as a word. They also occur in names in other languages, so they do not decide alone.
const LETTERS: [letter: RegExp, language: Language][] = [
  [/ñ/i, 'es'],
  [/ß/, 'de'],
]

// Small words and telling words: those of languages without a list, and words with accents. Some words belong to
// several languages.
const LANGUAGES_OF = Map.groupBy(
  [...Object.entries(SMALL_WORDS), ...Object.entries(TELLING_WORDS)].flatMap(([language, words]) =>
    words.map((word) => ({ word, language: language as Language })),
  ),
  ({ word }) => word,
)

type Language =
  | keyof typeof SMALL_WORDS
  | keyof typeof TELLING_WORDS
  | 'ar'
  | 'hi'
  | 'ja'
  | 'ko'
  | 'th'
  | 'zh'

/** Returns English by default. If `text` is ambiguous, the language of `other` decides. */
export function detectLanguage(text: string, other = ''): Language {
  const byScript = SCRIPTS.find(([script]) => script.test(text))
  if (byScript) return byScript[1]
  const { most, likely } = countVotes(text)
  const another = likely.length !== 1 ? languageOf(other) : undefined
  if (another && (most === 0 || likely.includes(another))) return another
  return most === 0 || likely.includes('en') ? 'en' : likely[0]!
}

// A single word says little about a long text: “Mon 9 to 5” is not French.
const FEWEST_VOTES = 2

function languageOf(text: string): Language | undefined {
  if (text === '') return undefined
  const byScript = SCRIPTS.find(([script]) => script.test(text))
  if (byScript) return byScript[1]
  const { most, likely } = countVotes(text)
  return most < FEWEST_VOTES || likely.includes('en') ? 'en' : likely[0]!
}

/** Repeated words count once. */
function countVotes(text: string): { most: number; likely: Language[] } {
  const words = new Set(Array.from(text.toLowerCase().matchAll(/\p{L}+/gu), ([word]) => word))
  const votes = new Map<Language, number>()
  for (const word of words) {
    const entries = [...(LANGUAGES_OF.get(word) ?? []), ...(LANGUAGES_OF.get(fold(word)) ?? [])]
    for (const language of new Set(entries.map((entry) => entry.language)))
      votes.set(language, (votes.get(language) ?? 0) + 1)
  }
  for (const [letter, language] of LETTERS)
    if (letter.test(text)) votes.set(language, (votes.get(language) ?? 0) + 1)
  const most = Math.max(0, ...votes.values())
  const likely = [...votes].filter(([, count]) => count === most).map(([language]) => language)
  return { most, likely }
}
