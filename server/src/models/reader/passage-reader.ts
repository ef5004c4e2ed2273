import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { TokenNumbers } from './describe-tokens.ts'
import { CHARACTERS, SHAPES, type Token, tokenize } from './words.ts'

/** The model that comes with the server. */
export const READER_FOLDER = join(import.meta.dirname, '../../../models/reader')

// What the model was trained on; the rest of a longer text is not read.
const LONGEST_PASSAGE = 384
const LONGEST_QUESTION = 40
// Passages read at once. More are no faster, and scratch memory grows with them.
const BATCH = 5
// So that even a text of one word has as many spans as the model gives.
const LEAST_PLACES = 3

export interface Span {
  /** Where it stands in the passage, in UTF-16 units. */
  start: number
  end: number
  /** Its share of the probability of all spans of the passage, 0 to 1. */
  share: number
}

/** What the reader makes of one passage. */
export interface Reading {
  /** Log odds that the passage answers the question; comparable over passages and questions. Above 0: rather yes. */
  presence: number
  /** The best spans, best first; they may overlap. Empty where the passage has no words. */
  spans: Span[]
}

const NOTHING: Reading = { presence: Number.NEGATIVE_INFINITY, spans: [] }

/** Reads English passages for the words that answer a question. */
export class PassageReader {
  readonly #session: InferenceSession
  readonly #rows: ReadonlyMap<string, number>

  /** `words` are those of the model's table of word vectors, in its order. */
  constructor(session: InferenceSession, words: string[]) {
    this.#session = session
    this.#rows = new Map(words.map((word, i) => [word, i + 1]))
  }

  static async load(folder = READER_FOLDER): Promise<PassageReader> {
    const [words, session] = await Promise.all([
      readFile(join(folder, 'words.txt'), 'utf8'),
      InferenceSession.create(join(folder, 'reader.onnx'), {
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
        // Plans for scratch memory are kept for every shape of input, and here each batch has its own.
        enableMemPattern: false,
      }),
    ])
    return new PassageReader(session, words.trimEnd().split('\n'))
  }

  /** One reading for each passage, in their order. */
  async read(question: string, passages: string[]): Promise<Reading[]> {
    const asked = tokenize(question).slice(0, LONGEST_QUESTION)
    const texts = passages.map((passage) => tokenize(passage).slice(0, LONGEST_PASSAGE))
    const readings = new Map<Token[], Reading>()
    if (asked.length === 0) return passages.map(() => NOTHING)
    // Neighbours in length share a batch: the short ones of a batch cost as much as its longest.
    const ordered = texts.filter(({ length }) => length > 0).toSorted((a, b) => a.length - b.length)
    for (let from = 0; from < ordered.length; from += BATCH)
      await this.#readBatch(asked, ordered.slice(from, from + BATCH), readings)
    return texts.map((text) => readings.get(text) ?? NOTHING)
  }

  async #readBatch(asked: Token[], texts: Token[][], readings: Map<Token[], Reading>) {
    const places = Math.max(LEAST_PLACES, texts.at(-1)!.length)
    const numbers = new TokenNumbers()
    const texted = {
      ...tensors('passage', texts, places, numbers),
      ...tensors(
        'question',
        texts.map(() => asked),
        asked.length,
        numbers,
      ),
    }
    const table = numbers.describe(this.#rows)
    const output = await this.#session.run({
      ...texted,
      rows: new Tensor('int32', table.rows, [table.size]),
      characters: new Tensor('int32', table.characters, [table.size, CHARACTERS]),
      shapes: new Tensor('float32', table.shapes, [table.size, SHAPES]),
      keys: new Tensor('int32', table.keys, [table.size]),
      stems: new Tensor('int32', table.stems, [table.size]),
    })
    const presence = output.presence!.data as Float32Array
    const scores = output.scores!.data as Float32Array
    const spans = output.spans!.data as Int32Array
    const best = spans.length / texts.length
    for (const [i, text] of texts.entries()) {
      const found = Array.from({ length: best }, (_, k) => i * best + k).map((at) => ({
        first: text[Math.floor(spans[at]! / places)],
        last: text[spans[at]! % places],
        share: Math.exp(scores[at]!),
      }))
      readings.set(text, { presence: presence[i]!, spans: found.flatMap(toSpan) })
    }
  }
}

/** A short text has fewer spans than the model gives: the surplus ends outside it or has no share. */
function toSpan(found: {
  first: Token | undefined
  last: Token | undefined
  share: number
}): Span[] {
  if (!found.first || !found.last || found.share === 0) return []
  return [{ start: found.first.start, end: found.last.end, share: found.share }]
}

function tensors(
  name: string,
  texts: Token[][],
  places: number,
  numbers: TokenNumbers,
): Record<string, Tensor> {
  const padded = new Int32Array(texts.length * places)
  for (const [i, text] of texts.entries()) padded.set(numbers.of(text), i * places)
  const lengths = Int32Array.from(texts, ({ length }) => length)
  return {
    [name]: new Tensor('int32', padded, [texts.length, places]),
    [`${name}_length`]: new Tensor('int32', lengths, [texts.length]),
  }
}
