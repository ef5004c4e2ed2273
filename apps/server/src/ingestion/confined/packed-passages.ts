import { deserialize, serialize } from 'node:v8'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { IndexedPassage, PassageList } from '../../search/index/passage-index.ts'

/** Passages packed for the way from the confined process to the server. */
export interface PackedPart {
  count: number
  bytes: Uint8Array
}

// More than any part that our own code sends.
const MOST_BYTES = 64 * 1024 * 1024
const FAST = { level: 1 }

export function packPassages(passages: IndexedPassage[]): PackedPart {
  return { count: passages.length, bytes: deflateRawSync(serialize(passages), FAST) }
}

/**
 * The passages of a long document wait for hours until they are embedded. Packed, they take a tenth of the memory, and
 * the garbage collector does not scan them.
 */
export class PackedPassages implements PassageList {
  readonly #parts: (PackedPart & { from: number })[] = []
  #open: { from: number; passages: IndexedPassage[] } | undefined
  length = 0

  add(part: PackedPart): void {
    this.#parts.push({ ...part, from: this.length })
    this.length += part.count
  }

  slice(from: number, to: number): IndexedPassage[] {
    return this.#parts
      .filter((part) => part.from < to && part.from + part.count > from)
      .flatMap((part) => this.#unpack(part).slice(Math.max(0, from - part.from), to - part.from))
  }

  /** Caches the last unpacked part, because a caller that iterates reads it many times. */
  #unpack({ from, bytes }: PackedPart & { from: number }): IndexedPassage[] {
    if (this.#open?.from !== from) {
      const passages = deserialize(inflateRawSync(bytes, { maxOutputLength: MOST_BYTES }))
      this.#open = { from, passages }
    }
    return this.#open.passages
  }
}
