import {
  CHARACTERS,
  characterIds,
  plainForm,
  roughStem,
  SHAPES,
  type Token,
  tokenShape,
} from './words.ts'

/** What the model is told: each distinct token once, and texts as numbers of those. Number 0 is padding. */
export interface TokenTable {
  size: number
  rows: Int32Array
  characters: Int32Array
  shapes: Float32Array
  keys: Int32Array
  stems: Int32Array
}

/** The tokens of one question and its passages, each distinct one numbered. */
export class TokenNumbers {
  readonly #numbers = new Map<string, number>([['', 0]])

  of(tokens: Token[]): number[] {
    return tokens.map(({ text }) => {
      const known = this.#numbers.get(text)
      if (known !== undefined) return known
      this.#numbers.set(text, this.#numbers.size)
      return this.#numbers.size - 1
    })
  }

  /** `rows` are the words' places in the table of word vectors, from 1; 0 stands for a word that is not there. */
  describe(rows: ReadonlyMap<string, number>): TokenTable {
    const size = this.#numbers.size
    const table: TokenTable = {
      size,
      rows: new Int32Array(size),
      characters: new Int32Array(size * CHARACTERS),
      shapes: new Float32Array(size * SHAPES),
      keys: new Int32Array(size),
      stems: new Int32Array(size),
    }
    const keys = new Map<string, number>()
    const stems = new Map<string, number>()
    for (const [token, number] of this.#numbers) {
      const plain = plainForm(token)
      table.keys[number] = numberOf(keys, plain)
      table.stems[number] = numberOf(stems, roughStem(plain))
      if (number === 0) continue
      table.rows[number] = rows.get(plain) ?? 0
      table.characters.set(characterIds(token), number * CHARACTERS)
      table.shapes.set(tokenShape(token), number * SHAPES)
    }
    return table
  }
}

function numberOf(numbers: Map<string, number>, name: string): number {
  const known = numbers.get(name)
  if (known !== undefined) return known
  numbers.set(name, numbers.size)
  return numbers.size - 1
}
