import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** All pieces except the last have this length. */
export const PIECE_CHARACTERS = 50_000

// UTF-8 needs at most 4 bytes per character.
const MOST_BYTES = 4 * PIECE_CHARACTERS
const FAST = { level: 1 }

/** A compressed part of a text. */
export interface TextPiece {
  /** In UTF-16 units, as JavaScript counts. */
  length: number
  packed: Uint8Array
}

/** Splits a text into compressed pieces without cutting a surrogate pair. */
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
 * A long document's text waits in memory for hours until all of it is embedded. Compressed, it takes less than half of
 * the memory and is never expanded as a whole.
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

  /** Keeps the last piece expanded, because callers read passages in order. */
  #unpack({ start, packed }: TextPiece & { start: number }): string {
    if (this.#open?.start !== start) this.#open = { start, text: unpackText(packed) }
    return this.#open.text
  }
}
