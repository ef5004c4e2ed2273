import { stemmer as stemArabic } from '@orama/stemmers/arabic'
import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemmer as stemGreek } from '@orama/stemmers/greek'
import { stemmer as stemHindi } from '@orama/stemmers/indian'
import { stemmer as stemRussian } from '@orama/stemmers/russian'
import { ENGLISH, isSmallWord, languagesOf } from './small-words.ts'

// All languages share the same analysis. The script of a word selects its stemmer, so a short question always matches
// the passages without guessing its language.

// Letters, digits and combining marks. Everything else separates words.
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
// Scripts without spaces between words. Pairs of neighboring characters replace words there.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu
// Most words match this, which skips the slower checks for scripts and accents.
const PLAIN = /^[a-z\d]+$/
const STEMMERS: [script: RegExp, stem: (word: string) => string][] = [
  [/^[a-z]+$/, stemEnglish],
  [/^\p{Script=Cyrillic}+$/u, stemRussian],
  [/^\p{Script=Arabic}+$/u, stemArabic],
  [/^\p{Script=Greek}+$/u, stemGreek],
  [/^\p{Script=Devanagari}+$/u, stemHindi],
]
const LATIN = /^\p{Script=Latin}+$/u
const LATIN_WITH_MARKS = /^[\p{Script=Latin}\p{M}\p{N}]+$/u
// Vietnamese syllables without their marks look like small words of other languages.
const VIETNAMESE = /[ơưạ-ỹ]/
// Letters that do not decompose into a base letter and an accent.
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}
// Languages without a stemmer inflect at the end of words. Truncating long words raises nDCG@10 on XQuAD from .91 to
// .93 (Turkish) or .94 to .96 (German, Romanian), and costs English .001.
const MAX_LATIN = 8

// Question words and placeholders. They do not count as topics, but a question of only such words can stand alone.
const VAGUE_WORDS = new Set('much many something anything thing things'.split(' '))

/** Splits text into normalized words. Passages and questions use the same form. */
export function analyzeText(text: string): string[] {
  const terms: string[] = []
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) addWord(word, terms)
  return terms
}

/** The topic words of a question, or all of its words if it has no topic words. */
export function analyzeQuestion(text: string): string[] {
  const { words, languages } = readWords(text)
  const terms: string[] = []
  for (const { word, folded } of words) {
    if (!isSmallWord(folded, languages) && !VAGUE_WORDS.has(folded)) addWord(word, terms)
  }
  return [...new Set(terms.length > 0 ? terms : analyzeText(text))]
}

/** Guesses from small words whether a text is in a language other than English. */
export function isInAnotherThanEnglish(text: string): boolean {
  const { isVietnamese, languages } = readWords(text)
  return isVietnamese || languages !== ENGLISH
}

/** Whether a question has more than `most` topic words. Stops reading as soon as that is known. */
export function hasMoreTerms(text: string, most: number): boolean {
  const { words, languages } = readWords(text)
  const terms = new Set<string>()
  for (const { word, folded } of words) {
    if (isSmallWord(folded, languages)) continue
    const parts: string[] = []
    addWord(word, parts)
    for (const part of parts) terms.add(part)
    if (terms.size > most) return true
  }
  return terms.size === 0 && analyzeQuestion(text).length > most
}

/** The words as typed and without accents, and the languages that the text may be in. */
export function readWords(text: string) {
  const lowered = text.normalize('NFKC').toLowerCase()
  const isVietnamese = VIETNAMESE.test(lowered)
  const words = Array.from(lowered.matchAll(WORD), ([word]) => ({
    word,
    folded: isVietnamese || PLAIN.test(word) || !LATIN_WITH_MARKS.test(word) ? word : fold(word),
  }))
  const languages = languagesOf(isVietnamese ? [] : words.map(({ folded }) => folded))
  return { words, languages, isVietnamese }
}

function addWord(word: string, terms: string[]): void {
  let spaced = 0
  if (!PLAIN.test(word)) {
    for (const run of word.matchAll(UNSPACED)) {
      addSpaced(word.slice(spaced, run.index), terms)
      addPairs([...run[0]], terms)
      spaced = run.index + run[0].length
    }
  }
  addSpaced(word.slice(spaced), terms)
}

function addSpaced(given: string, terms: string[]): void {
  if (given === '') return
  const word = !PLAIN.test(given) && LATIN_WITH_MARKS.test(given) ? fold(given) : given
  const stem = STEMMERS.find(([script]) => script.test(word))?.[1]
  const stemmed = stem?.(word) || word
  terms.push(LATIN.test(stemmed) ? stemmed.slice(0, MAX_LATIN) : stemmed)
}

/** Removes accents, as users type when their keyboard lacks the letter. */
export function fold(word: string): string {
  return word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter]!)
}

function addPairs(characters: string[], terms: string[]): void {
  if (characters.length === 1) terms.push(characters[0]!)
  for (let i = 0; i + 1 < characters.length; i++) terms.push(characters[i]! + characters[i + 1]!)
}
