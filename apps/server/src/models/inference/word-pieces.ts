// Splits text into word pieces. models/training/shared/pieces.py does the same, and a test compares the two.

// Letters and digits. Beyond ASCII these are ranges instead of Unicode classes, so that both languages agree in every
// Unicode version. They include everything except punctuation, symbols, spaces and private characters.
const W =
  '[A-Za-z0-9\\u00aa\\u00b5\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u1fff\\u2c00-\\u2dff\\u3040-\\ud7ff' +
  '\\uf900-\\ufdff\\ufe70-\\ufefe\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\uff66-\\uffdc]'
const SPACE =
  '\\t\\n\\v\\f\\r \\u00a0\\u1680\\u2000-\\u200b\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff'
const WORD = new RegExp(`${W}+|[^${SPACE}]`, 'gu')
// Accents, after decomposition separates them from their letters.
const MARKS = /[\u0300-\u036f]/g
const LONGEST_WORD = 64

/** A piece of a text, with the range of its whole word in UTF-16 units. */
export interface Piece {
  number: number
  start: number
  end: number
}

/** The model's vocabulary in order of number. Pieces that continue a word begin with ##. */
export class Pieces {
  readonly #numbers: ReadonlyMap<string, number>
  readonly #unknown: number
  /** `begin` stands before the question. `end` follows the question and the passage. */
  readonly begin: number
  readonly end: number

  constructor(pieces: string[]) {
    this.#numbers = new Map(pieces.map((piece, number) => [piece, number]))
    const mark = (name: string) => this.#numbers.get(name)!
    this.#unknown = mark('[UNK]')
    this.begin = mark('[CLS]')
    this.end = mark('[SEP]')
  }

  /** Returns at most `most` pieces. Drops the first word that does not fit, and everything after it. */
  cut(text: string, most: number): Piece[] {
    const pieces: Piece[] = []
    for (const { 0: word, index: start } of text.matchAll(WORD)) {
      const numbers = this.#cutWord(fold(word))
      if (pieces.length + numbers.length > most) break
      const end = start + word.length
      for (const number of numbers) pieces.push({ number, start, end })
    }
    return pieces
  }

  /** Takes the longest piece that fits, repeatedly. */
  #cutWord(word: string): number[] {
    const characters = [...word]
    if (characters.length > LONGEST_WORD) return [this.#unknown]
    const numbers: number[] = []
    let start = 0
    while (start < characters.length) {
      const [number, end] = this.#longest(characters, start)
      if (number === undefined) return [this.#unknown]
      numbers.push(number)
      start = end
    }
    return numbers.length > 0 ? numbers : [this.#unknown]
  }

  #longest(characters: string[], start: number): [number | undefined, number] {
    const goesOn = start > 0 ? '##' : ''
    for (let end = characters.length; end > start; end--) {
      const number = this.#numbers.get(goesOn + characters.slice(start, end).join(''))
      if (number !== undefined) return [number, end]
    }
    return [undefined, start]
  }
}

/** Lowercase, without accents. */
function fold(word: string): string {
  return word.toLowerCase().normalize('NFD').replace(MARKS, '')
}
