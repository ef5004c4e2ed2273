import { type Handler, Parser } from 'htmlparser2'

// Browsers stop at a tenth of this. Old editors forget a thousand end tags, and the text after them still needs its
// structure.
const MAX_DEPTH = 5_000
// Raw-text elements. They contain no elements, so they do not add depth.
const RAW = new Set(['script', 'style', 'textarea', 'title'])

/**
 * Parses pages of any depth. The parser's time grows quadratically with depth, so elements below MAX_DEPTH are treated
 * as void. Their content belongs to the element around them.
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
    // A form inside a form has no name here, and no end tag closes it.
    const endsHere = this.#isTooDeep && name !== '' && !RAW.has(name)
    return endsHere || super.isVoidElement(name)
  }
}
