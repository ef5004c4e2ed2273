// What may stand right behind a link, since whoever makes links of addresses leaves it out of them: a sign that ends a
// sentence, emphasis, quotes and brackets that close. Only so much of it that hardly anything can be said by it.
const EMPHASIS = String.raw`(?:\*{1,3}|_{1,3}|~{1,2})?`
const TAIL = new RegExp(
  String.raw`^(?:[\]}»«”“’‘]|[.,;:!?](?=$|[*_~"'\`)]))?${EMPHASIS}["'\`)]{0,2}${EMPHASIS}(?:[,;:!?]|\.{1,3})?$`,
)

/**
 * Keeps what follows a link apart from it. Programs disagree about where an address ends that stands in a text, so that
 * anything more would be part of it for some of them, and be sent to its host.
 */
export class LinkTail {
  /** What has followed the last link so far. Undefined: nothing more can become part of it. */
  #tail: string | undefined

  begin(): void {
    this.#tail = ''
  }

  /** Nothing has come between the link and what follows. */
  get isEmpty(): boolean {
    return this.#tail === ''
  }

  end(): void {
    this.#tail = undefined
  }

  /** Where the text would go on for too long without a space; -1 if it does not. */
  breakIn(text: string): number {
    for (let index = 0; this.#tail !== undefined && index < text.length; index += 1) {
      const next = text[index]!
      if (TAIL.test(this.#tail + next)) this.#tail += next
      else {
        this.#tail = undefined
        // Not every program takes the other blanks for one.
        return /[ \t\r\n]/.test(next) ? -1 : index
      }
    }
    return -1
  }
}
