// Characters before a fence on its line: quotes and lists.
const BEFORE_FENCE = /[\s>*+\-\d.)]/
const SHORTEST_FENCE = 3

/** Follows streamed text and knows whether the next character stands in code: a span or a fenced block. */
export class CodeTracker {
  /** The number of backticks that opened the span. As many close it. */
  #span = 0
  #fence: { sign: string; length: number; isOpening: boolean } | undefined
  #run = { sign: '', length: 0 }
  #isLineStart = true
  #isBlankLine = true

  /** Whether text after these blanks stands in code. A blank line ends a span, but not a fence. */
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
    // The paragraph ends, and with it an unclosed span.
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
      // A fence that ends on its first line is a span with the same number of backticks.
      const isEnd = fence.isOpening ? length === fence.length : isLineStart
      if (isEnd && sign === fence.sign && length >= fence.length) this.#fence = undefined
    } else if (this.#span === 0 && isLineStart && length >= SHORTEST_FENCE)
      this.#fence = { sign, length, isOpening: true }
    else if (sign === '`' && (this.#span === 0 || this.#span === length))
      this.#span = this.#span === 0 ? length : 0
  }
}
