import { analyzeQuestion, analyzeText } from '@docent/text/analyze-text.ts'

const K1 = 1.2
const B = 0.75

/** In-memory BM25 with the server's tokenizer: enough to give the reader realistic passages. */
export class PassageSearch {
  readonly #texts: string[]
  readonly #postings = new Map<string, Map<number, number>>()
  readonly #lengths: number[]
  readonly #average: number

  constructor(passages: [id: string, text: string][]) {
    this.#texts = passages.map(([, text]) => text)
    const terms = this.#texts.map(analyzeText)
    this.#lengths = terms.map((words) => words.length)
    this.#average = this.#lengths.reduce((sum, length) => sum + length, 0) / terms.length
    for (const [i, words] of terms.entries())
      for (const word of words) {
        const posting = this.#postings.get(word) ?? new Map<number, number>()
        posting.set(i, (posting.get(i) ?? 0) + 1)
        this.#postings.set(word, posting)
      }
  }

  find(question: string, limit: number): string[] {
    const scores = new Map<number, number>()
    for (const term of analyzeQuestion(question)) {
      const posting = this.#postings.get(term)
      if (!posting) continue
      const idf = Math.log(1 + (this.#texts.length - posting.size + 0.5) / (posting.size + 0.5))
      for (const [i, count] of posting) {
        const norm = K1 * (1 - B + (B * this.#lengths[i]!) / this.#average)
        scores.set(i, (scores.get(i) ?? 0) + (idf * count * (K1 + 1)) / (count + norm))
      }
    }
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, limit)
    return best.map(([i]) => this.#texts[i]!)
  }
}
