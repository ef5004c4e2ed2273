const NUMBER_PART = /^[\d.eE+\s-]*$/
/** No literal is followed by more. What waits is looked through with each piece that comes. */
const MOST_BLANKS = 1_000
const WORDS = ['true', 'false', 'null']

/**
 * Puts a full stop behind an answer that is, as a whole, one JSON number, boolean, null or string: clients that take each
 * chunk for JSON if it can be one read `42` as a number and fail. A list or an object stays what was asked for. While an
 * answer may still become such a literal, the white space at its end waits, so that the full stop follows the literal.
 */
export class WholeLiteral {
  #kind: 'open' | 'number' | 'word' | 'string' | 'text' = 'open'
  #word = ''
  #space = ''

  /** What of it can be passed on. */
  add(text: string): string {
    this.#follow(text)
    const all = this.#space + text
    const end = all.trimEnd()
    const mayWait = this.#kind !== 'text' && this.#kind !== 'open'
    const passed = mayWait && all.length - end.length <= MOST_BLANKS ? end : all
    this.#space = all.slice(passed.length)
    return passed
  }

  /** What is still to come of an answer that has ended, given all of it that was passed on. */
  end(text: string): string {
    const isLiteral = this.#kind !== 'open' && this.#kind !== 'text' && isJson(text.trim())
    return isLiteral ? `.${this.#space}` : this.#space
  }

  #follow(text: string): void {
    if (this.#kind === 'open') this.#kind = kindOf(text.trimStart()[0])
    if (this.#kind === 'number' && !NUMBER_PART.test(text)) this.#kind = 'text'
    if (this.#kind !== 'word') return
    this.#word = (this.#word + text).trim()
    if (!isWordPart(this.#word)) this.#kind = 'text'
  }
}

function kindOf(first: string | undefined) {
  if (first === undefined) return 'open'
  if (first === '"') return 'string'
  if (/[\d-]/.test(first)) return 'number'
  return /[tfn]/.test(first) ? 'word' : 'text'
}

function isWordPart(text: string): boolean {
  return WORDS.some((word) => word.startsWith(text))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
