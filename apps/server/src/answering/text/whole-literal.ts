const NUMBER_PART = /^[\d.eE+\s-]*$/
/** Longer waiting blanks are passed on: each new piece scans them again, and no literal is followed by so many. */
const MOST_BLANKS = 1_000
const WORDS = ['true', 'false', 'null']

/**
 * Adds a period to an answer that is, as a whole, one JSON number, boolean, null or string. Clients that parse each
 * chunk as JSON read `42` as a number and fail. Lists and objects stay unchanged. While an answer may still become such
 * a literal, its trailing whitespace waits, so that the period follows the literal.
 */
export class WholeLiteral {
  #kind: 'open' | 'number' | 'word' | 'string' | 'text' = 'open'
  #word = ''
  #space = ''

  /** Returns the text that can be passed on. */
  add(text: string): string {
    this.#follow(text)
    const all = this.#space + text
    const end = all.trimEnd()
    const mayWait = this.#kind !== 'text' && this.#kind !== 'open'
    const passed = mayWait && all.length - end.length <= MOST_BLANKS ? end : all
    this.#space = all.slice(passed.length)
    return passed
  }

  /** Returns the last text of an ended answer. `text` is everything that was passed on. */
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
