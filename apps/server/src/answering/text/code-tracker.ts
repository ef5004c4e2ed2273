// Prefixes of a line behind which a fence may begin: quotes and lists.
const BEFORE_FENCE = /[\s>*+\-\d.)]/
const SHORTEST_FENCE = 3

/** Follows a text that comes in pieces, and knows whether what comes next stands in code: a span or a fenced block. */
export class CodeTracker {
  /** The backticks that the open span began with; it ends at as many. */
  #span = 0
  #fence: { sign: string; length: number; isOpening: boolean } | undefined
  #run = { sign: '', length: 0 }
  #isLineStart = true
  #isBlankLine = true

  /** Whether what comes behind these blanks does. A blank line ends a span, but no fence. */
  isInsideAfter(blanks: string): boolean {
    this.#endRun()
    const endsSpan = this.#isBlankLine ? /\n/ : /\n[^\S\n]*\n/
    return this.#fence !== undefined || (this.#span > 0 && !endsSpan.test(blanks))
  }

  add(text: string): void {
    for (const sign of text) {
      if (sign === '`' || sign === '~') {
        if (this.#run.sign !== sign) this.#endRun()
        this.#run = { sign, length: this.#run.length + 1 }
        continue
      }
      this.#endRun()
      if (sign === '\n') this.#endLine()
      else {
        this.#isBlankLine &&= sign.trim() === ''
        this.#isLineStart &&= BEFORE_FENCE.test(sign)
      }
    }
  }

  #endLine(): void {
    // A paragraph ends, and with it a span that nobody closed.
    if (this.#isBlankLine) this.#span = 0
    if (this.#fence) this.#fence.isOpening = false
    this.#isBlankLine = true
    this.#isLineStart = true
  }

  #endRun(): void {
    const { sign, length } = this.#run
    if (length === 0) return
    this.#run = { sign: '', length: 0 }
    const isLineStart = this.#isLineStart
    this.#isLineStart = false
    this.#isBlankLine = false
    const fence = this.#fence
    if (fence) {
      // A fence that ends in the line where it began is a span of as many backticks.
      const isEnd = fence.isOpening ? length === fence.length : isLineStart
      if (isEnd && sign === fence.sign && length >= fence.length) this.#fence = undefined
    } else if (this.#span === 0 && isLineStart && length >= SHORTEST_FENCE)
      this.#fence = { sign, length, isOpening: true }
    else if (sign === '`' && (this.#span === 0 || this.#span === length))
      this.#span = this.#span === 0 ? length : 0
  }
}
