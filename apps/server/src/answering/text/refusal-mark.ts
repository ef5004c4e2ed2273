// [none], as asked for, and as models dress it up: **[None]**, `[none]`.
const DRESS = '[*_`"“]{0,3}'
const MARK = new RegExp(
  `^\\s{0,200}${DRESS}[[【［] {0,3}none {0,3}[\\]】］][*_\`"”]{0,3}[.:,]?`,
  'i',
)
// What may still become the mark, or be more of it, when more text comes.
const UNFINISHED = new RegExp(
  `^\\s{0,200}${DRESS}(?:[[【［] {0,3}(?:n(?:o(?:n(?:e {0,3}(?:[\\]】］][*_\`"”]{0,3})?)?)?)?)?)?$`,
  'i',
)

/**
 * Takes the mark of a refusal from the beginning of a text that comes in pieces, with the blanks behind it. Anywhere else
 * it is text. What it holds back is no longer than the mark and the blanks around it.
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
    // A model may stutter.
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
