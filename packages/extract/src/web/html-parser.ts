import { type Handler, Parser } from 'htmlparser2'

// Browsers stop at a tenth of it. Pages of old editors forget a thousand ends, and what follows is still to be told apart.
const MAX_DEPTH = 5_000
// What is in them is no text, and nothing is nested in them.
const RAW = new Set(['script', 'style', 'textarea', 'title'])

/**
 * Reads a page however deep it is nested. The parser's time grows with the square of the depth, so that elements below
 * some depth end where they begin: what follows is read as part of the one around them.
 */
export class HtmlParser extends Parser {
  #depth = 0
  #isTooDeep = false

  constructor({ onopentag, onclosetag, ...handlers }: Partial<Handler>) {
    super({
      ...handlers,
      onopentag: (name, attributes, isImplied) => {
        this.#depth += 1
        onopentag?.(name, attributes, isImplied)
      },
      onclosetag: (name, isImplied) => {
        this.#depth -= 1
        onclosetag?.(name, isImplied)
      },
    })
  }

  override onopentagname(start: number, end: number): void {
    this.#isTooDeep = this.#depth >= MAX_DEPTH
    super.onopentagname(start, end)
  }

  override onclosetag(start: number, end: number): void {
    this.#isTooDeep = false
    super.onclosetag(start, end)
  }

  protected override isVoidElement(name: string): boolean {
    // A form within another has no name here, and is closed by nobody.
    const endsHere = this.#isTooDeep && name !== '' && !RAW.has(name)
    return endsHere || super.isVoidElement(name)
  }
}
