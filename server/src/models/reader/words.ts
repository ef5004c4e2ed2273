// How text becomes tokens. training/reader/words.py does the same, and a test compares the two.

// Letters and digits. Beyond ASCII by ranges rather than by Unicode class, so that both languages agree whatever Unicode
// version each of them knows: everything that is not punctuation, a symbol, a space or a private character.
const W =
  '[A-Za-z0-9\\u00aa\\u00b5\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff' +
  '\\uf900-\\ufdff\\ufe70-\\ufefe\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\uff66-\\uffdc]'
const SPACE =
  '\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'
const TOKEN = new RegExp(
  [
    `[0-9]+(?:[.,][0-9]+)+(?!${W})`, // 1,500 and 8.0
    '(?:[A-Za-z]\\.){2,}', // U.S.
    `${W}+?(?=n['\\u2019]t(?!${W}))|n['\\u2019]t(?!${W})`, // do|n't, as the word vectors have it
    `${W}+`,
    `['\\u2019](?:s|re|ve|ll|d|m)(?!${W})`,
    `[^${SPACE}]`,
  ].join('|'),
  'gu',
)

/** Characters of a word that the model sees: the first ten and the last six of a longer one. */
export const CHARACTERS = 16
const HEAD = 10

/** Features that say what the letters of a token look like. */
export const SHAPES = 6

// What the word vectors call a character that they write in another way.
const PLAIN: Record<string, string> = {
  '\u2019': "'",
  '\u2018': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
}
const PLAIN_CHARACTER = /[\u2019\u2018\u201c\u201d\u2013\u2014\u2212]/g

// The longest that fits is taken off; the order is that of the training.
const SUFFIXES =
  'ations ation ments ment ingly ings ing edly ions ion ies ied ers ors est ed es er or ly al s y e'.split(
    ' ',
  )
const ENGLISH = /^[a-z]{4,}$/

export interface Token {
  text: string
  /** Where it stands, in UTF-16 units. */
  start: number
  end: number
}

export function tokenize(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: token, index }) => ({
    text: token,
    start: index,
    end: index + token.length,
  }))
}

/** The form under which a token is looked up among the word vectors. */
export function plainForm(token: string): string {
  return token.toLowerCase().replace(PLAIN_CHARACTER, (character) => PLAIN[character]!)
}

/** A rough common form of a lower-case word: it only has to bring "created" and "creation" together. */
export function roughStem(word: string): string {
  if (!ENGLISH.test(word)) return word
  const suffix = SUFFIXES.find((one) => word.endsWith(one) && word.length - one.length >= 3)
  const stem = suffix ? word.slice(0, -suffix.length) : word
  return stem.at(-1) === stem.at(-2) ? stem.slice(0, -1) : stem
}

/** 0 is padding, 1 to 94 printable ASCII, 95 to 126 everything else by its code point. */
export function characterIds(token: string): number[] {
  let points = Array.from(token, (character) => character.codePointAt(0)!)
  if (points.length > CHARACTERS)
    points = [...points.slice(0, HEAD), ...points.slice(HEAD - CHARACTERS)]
  return points.map((point) => (point > 32 && point < 127 ? point - 32 : 95 + (point % 32)))
}

/** Capital first, all capitals, a digit, only digits, no letter or digit, long. */
export function tokenShape(token: string): number[] {
  const letters = token.replace(/[^A-Za-z]/g, '')
  const digits = token.replace(/[^0-9]/g, '')
  const length = [...token].length
  return [
    /^[A-Z]/.test(token),
    letters.length > 1 && !/[a-z]/.test(letters),
    digits !== '',
    digits.length === length,
    letters === '' && digits === '',
    length > 8,
  ].map(Number)
}
