import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reading, Span } from '@docent/quote/reading.ts'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { type Piece, Pieces } from './word-pieces.ts'

/** The built-in reader. */
export const READER_FOLDER = join(import.meta.dirname, '../../../../../models/reader')

// The model was trained with these limits. It does not read the rest of a longer text.
const LONGEST_PASSAGE = 384
const LONGEST_QUESTION = 64
// The reader glances at all passages and reads the most promising one closely. If a glance cannot separate them, it
// reads up to `MOST_CLOSELY`: those with odds near the best and above `LEAST_PROMISING`.
const MOST_CLOSELY = 3
const NEAR_THE_BEST = 1.5
const LEAST_PROMISING = -3

const NOTHING: Reading = { presence: Number.NEGATIVE_INFINITY, spans: [] }

interface Glanced {
  text: Piece[]
  inputs: Record<string, Tensor>
  reading: Reading
}

/**
 * Reads English passages for the words that answer a question. The first layers glance at every passage. The other
 * layers read the most promising ones.
 */
export class PassageReader {
  readonly #glance: InferenceSession
  readonly #close: InferenceSession
  readonly #pieces: Pieces

  constructor(glance: InferenceSession, close: InferenceSession, pieces: Pieces) {
    this.#glance = glance
    this.#close = close
    this.#pieces = pieces
  }

  static async load(folder = READER_FOLDER): Promise<PassageReader> {
    const load = (part: string) =>
      InferenceSession.create(join(folder, `${part}.onnx`), {
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
        // Passages differ in length, so memory that is planned or kept for one does not fit the next.
        enableMemPattern: false,
        enableCpuMemArena: false,
      })
    const [pieces, glance, close] = await Promise.all([
      readFile(join(folder, 'pieces.txt'), 'utf8'),
      load('glance'),
      load('close'),
    ])
    return new PassageReader(glance, close, new Pieces(pieces.trimEnd().split('\n')))
  }

  /** Returns one reading for each passage, in order. */
  async read(question: string, passages: string[]): Promise<Reading[]> {
    const asked = this.#pieces.cut(question, LONGEST_QUESTION)
    if (asked.length === 0) return passages.map(() => NOTHING)
    const glances: (Glanced | undefined)[] = []
    // Padding to the longest passage costs more than batching saves.
    for (const passage of passages) {
      const text = this.#pieces.cut(passage, LONGEST_PASSAGE)
      glances.push(text.length > 0 ? await this.#glanceAt(asked, text) : undefined)
    }
    for (const one of mostPromising(glances.filter((one) => one !== undefined))) {
      const output = await this.#close.run(one.inputs)
      one.reading = toReading(output, asked, one.text)
    }
    return glances.map((one) => one?.reading ?? NOTHING)
  }

  async #glanceAt(asked: Piece[], text: Piece[]): Promise<Glanced> {
    const { begin, end } = this.#pieces
    const numbers = (pieces: Piece[]) => pieces.map(({ number }) => number)
    const pieces = Int32Array.of(begin, ...numbers(asked), end, ...numbers(text), end)
    const inputs = {
      pieces: new Tensor('int32', pieces, [pieces.length]),
      asked: new Tensor('int32', Int32Array.of(asked.length), [1]),
    }
    const output = await this.#glance.run(inputs)
    return {
      text,
      inputs: { ...inputs, states: output.states! },
      reading: toReading(output, asked, text),
    }
  }
}

function mostPromising(glances: Glanced[]): Glanced[] {
  const odds = ({ reading }: Glanced) => reading.presence
  const [best, ...others] = glances.toSorted((a, b) => odds(b) - odds(a)).slice(0, MOST_CLOSELY)
  if (!best) return []
  const least = Math.max(LEAST_PROMISING, odds(best) - NEAR_THE_BEST)
  return [best, ...others.filter((one) => odds(one) >= least)]
}

function toReading(
  output: InferenceSession.OnnxValueMapType,
  asked: Piece[],
  text: Piece[],
): Reading {
  const [presence] = output.presence!.data as Float32Array
  const scores = output.scores!.data as Float32Array
  const found = output.spans!.data as Int32Array
  const textStart = asked.length + 2
  const places = textStart + text.length + 1
  const spans = Array.from(found, (span, i) => ({
    first: text[Math.floor(span / places) - textStart],
    last: text[(span % places) - textStart],
    share: Math.exp(scores[i]!),
  }))
  return { presence: presence!, spans: spans.flatMap(toSpan) }
}

/** The model returns a fixed number of spans. For a short text, the surplus lies outside it or has no share. */
function toSpan(found: {
  first: Piece | undefined
  last: Piece | undefined
  share: number
}): Span[] {
  if (!found.first || !found.last || found.share === 0) return []
  return [{ start: found.first.start, end: found.last.end, share: found.share }]
}
