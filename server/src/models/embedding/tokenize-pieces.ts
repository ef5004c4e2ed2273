interface TrieNode {
  next: Map<string, TrieNode>
  /** The piece that ends here. */
  piece?: number
}

const WORD_START = '\u2581'
const UNKNOWN = 0
// The first pieces are marks of the model's training, not text.
const FIRST_TEXT_PIECE = 6

/** Cuts a text into the pieces of a SentencePiece unigram vocabulary: the likeliest sequence, in linear time. */
export class PieceTokenizer {
  readonly #root: TrieNode = { next: new Map() }
  readonly #scores: number[]

  constructor(pieces: [text: string, score: number][]) {
    this.#scores = pieces.map(([, score]) => score)
    for (const [index, [text]] of pieces.entries()) {
      if (index >= FIRST_TEXT_PIECE) this.#add(text, index)
    }
  }

  encode(text: string): number[] {
    const symbols = [...(WORD_START + text.normalize('NFKC').replaceAll(' ', WORD_START))]
    const { from, piece } = this.#bestPaths(symbols)
    const pieces: number[] = []
    for (let end = symbols.length; end > 0; end = from[end]!) {
      // Several unknown characters in a row count as one.
      if (piece[end] !== UNKNOWN || pieces.at(-1) !== UNKNOWN) pieces.push(piece[end]!)
    }
    return pieces.reverse()
  }

  /** For every position: with which piece, from where, the best sequence arrives there. */
  #bestPaths(symbols: string[]) {
    const best = new Float64Array(symbols.length + 1).fill(Number.NEGATIVE_INFINITY)
    const from = new Int32Array(symbols.length + 1)
    const piece = new Int32Array(symbols.length + 1)
    best[0] = 0
    const arrive = (end: number, start: number, with_: number, score: number) => {
      if (score < best[end]!) return
      best[end] = score
      from[end] = start
      piece[end] = with_
    }
    for (let start = 0; start < symbols.length; start++) {
      let node: TrieNode | undefined = this.#root
      let isKnown = false
      for (let end = start; end < symbols.length; end++) {
        node = node.next.get(symbols[end]!)
        if (!node) break
        if (node.piece === undefined) continue
        isKnown = true
        arrive(end + 1, start, node.piece, best[start]! + this.#scores[node.piece]!)
      }
      if (!isKnown) arrive(start + 1, start, UNKNOWN, best[start]!)
    }
    return { from, piece }
  }

  #add(text: string, index: number): void {
    let node = this.#root
    for (const symbol of text) {
      let next = node.next.get(symbol)
      if (!next) {
        next = { next: new Map() }
        node.next.set(symbol, next)
      }
      node = next
    }
    node.piece = index
  }
}
