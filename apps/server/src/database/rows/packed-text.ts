import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** How long a piece of a text is, but for the last one. */
export const PIECE_CHARACTERS = 50_000

// No character takes more bytes.
const MOST_BYTES = 4 * PIECE_CHARACTERS
const FAST = { level: 1 }

/** A stretch of a text as it is kept. */
export interface TextPiece {
  /** In UTF-16 units, as JavaScript counts. */
  length: number
  packed: Uint8Array
}

/** A text in pieces, none of which begins or ends in the middle of a character. */
export function* packText(text: string): Generator<TextPiece> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + PIECE_CHARACTERS, text.length)
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1
    yield { length: to - from, packed: deflateRawSync(text.slice(from, to), FAST) }
    from = to
  }
}

export function unpackText(packed: Uint8Array): string {
  return inflateRawSync(packed, { maxOutputLength: MOST_BYTES }).toString()
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00
}

/**
 * The text of a long document waits for hours until all of it is embedded, and is then written. Packed, it takes less than half
 * of the memory, and never has to be there as a whole.
 */
export class PackedText {
  readonly #pieces: (TextPiece & { start: number })[] = []
  #open: { start: number; text: string } | undefined
  length = 0

  static of(text: string): PackedText {
    const packed = new PackedText()
    for (const piece of packText(text)) packed.add(piece)
    return packed
  }

  add(piece: TextPiece): void {
    this.#pieces.push({ ...piece, start: this.length })
    this.length += piece.length
  }

  get pieces(): readonly (TextPiece & { start: number })[] {
    return this.#pieces
  }

  slice(start: number, end: number): string {
    return this.#pieces
      .filter((piece) => piece.start < end && piece.start + piece.length > start)
      .map((piece) =>
        this.#unpack(piece).slice(Math.max(0, start - piece.start), end - piece.start),
      )
      .join('')
  }

  /** The last one is kept open: whoever goes through the passages asks for it many times. */
  #unpack({ start, packed }: TextPiece & { start: number }): string {
    if (this.#open?.start !== start) this.#open = { start, text: unpackText(packed) }
    return this.#open.text
  }
}
