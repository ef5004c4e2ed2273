import { PieceTokenizer } from '../../server/src/models/embedding/tokenize-pieces.ts'

/** Every distinct text once, cut into pieces. Pairs name texts by their numbers. */
export class TextTable {
  readonly #tokenizer: PieceTokenizer
  readonly #numbers = new Map<string, number>()
  readonly #texts: number[][] = []

  constructor(pieces: [text: string, score: number][]) {
    this.#tokenizer = new PieceTokenizer(pieces)
  }

  /** The number of a text of which at most so many pieces are read. */
  add(text: string, maxPieces: number): number {
    const key = `${maxPieces} ${text}`
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#numbers.set(key, this.#texts.length)
    return this.#texts.push(this.#tokenizer.encode(text).slice(0, maxPieces)) - 1
  }

  /** All pieces in a row, and how many belong to each text. */
  toArrays(): { pieces: Uint16Array; lengths: Uint16Array } {
    return {
      pieces: Uint16Array.from(this.#texts.flat()),
      lengths: Uint16Array.from(this.#texts, (text) => text.length),
    }
  }
}
