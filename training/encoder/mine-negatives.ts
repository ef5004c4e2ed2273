import { analyzeQuestion, analyzeText } from '../../server/src/search/analyze-text.ts'

const K1 = 1.2
const B = 0.75
// A word of this many passages says little, and takes most of the time.
const TOO_COMMON = 4_000

/** BM25 over the passages of the training data: what shares a question's words without answering it. */
export class NegativeSearch {
  readonly #postings = new Map<string, { passages: number[]; weights: number[] }>()
  readonly #size: number

  constructor(passages: string[]) {
    this.#size = passages.length
    const texts = passages.map(analyzeText)
    const average = texts.reduce((sum, { length }) => sum + length, 0) / texts.length
    for (const [i, words] of texts.entries()) {
      const counts = new Map<string, number>()
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
      const norm = K1 * (1 - B + (B * words.length) / average)
      for (const [word, count] of counts) {
        const posting = this.#postings.get(word) ?? { passages: [], weights: [] }
        this.#postings.set(word, posting)
        posting.passages.push(i)
        posting.weights.push((count * (K1 + 1)) / (count + norm))
      }
    }
  }

  /** The passages with the best scores, but for the one that answers. */
  find(question: string, answering: number, limit: number): number[] {
    const scores = new Float32Array(this.#size)
    for (const word of analyzeQuestion(question)) {
      const posting = this.#postings.get(word)
      if (!posting || posting.passages.length >= TOO_COMMON) continue
      const { passages, weights } = posting
      const having = passages.length
      const idf = Math.log(1 + (this.#size - having + 0.5) / (having + 0.5))
      for (let k = 0; k < having; k++) scores[passages[k]!]! += idf * weights[k]!
    }
    scores[answering] = 0
    return best(scores, limit)
  }
}

/** The indices of the highest scores above 0, highest first. */
function best(scores: Float32Array, limit: number): number[] {
  const found: number[] = []
  let least = 0
  for (const [i, score] of scores.entries()) {
    if (score <= least) continue
    let place = found.length
    while (place > 0 && scores[found[place - 1]!]! < score) place--
    found.splice(place, 0, i)
    if (found.length > limit) found.pop()
    if (found.length === limit) least = scores[found[limit - 1]!]!
  }
  return found
}
