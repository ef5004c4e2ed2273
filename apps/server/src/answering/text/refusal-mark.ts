// [none] as instructed, and the variants that models write: **[None]**, `[none]`.
const DRESS = '[*_`"“]{0,3}'
const MARK = new RegExp(
  `^\\s{0,200}${DRESS}[[【［] {0,3}none {0,3}[\\]】］][*_\`"”]{0,3}[.:,]?`,
  'i',
)
// Text that may still become the mark, or continue it.
const UNFINISHED = new RegExp(
  `^\\s{0,200}${DRESS}(?:[[【［] {0,3}(?:n(?:o(?:n(?:e {0,3}(?:[\\]】］][*_\`"”]{0,3})?)?)?)?)?)?$`,
  'i',
)

/**
 * Removes the mark of a refusal from the beginning of streamed text, with the blanks after it. Elsewhere the mark is
 * text. Holds back no more than the mark and the blanks around it.
 */
export class RefusalMark {
  isThere = false
  #held = ''
  #isDone = false

  add(text: string): string {
    if (this.#isDone) return text
    this.#held += text
    return this.#pass(false)
  }

  end(): string {
    return this.#isDone ? '' : this.#pass(true)
  }

  #pass(final: boolean): string {
    // A model may repeat the mark.
    for (;;) {
      if (!final && UNFINISHED.test(this.#held)) return ''
      const mark = MARK.exec(this.#held)
      if (!mark) break
      this.isThere = true
      this.#held = this.#held.slice(mark[0].length)
    }
    this.#isDone = true
    const text = this.isThere ? this.#held.trimStart() : this.#held
    this.#held = ''
    return text
  }
}
