import type { MarkedPassage } from '@docent/quote/cite-sources.ts'
import { analyzeQuestion, analyzeText } from '@docent/text/analyze-text.ts'
import { CodeTracker } from './code-tracker.ts'

// [1.1] as instructed, and the variants that models write: [1.1, 2.1], [1], [Source 1.1], 【1.1†source】, (see passage
// 1.1).
const WORDS = 'see|sources?|passages?|refs?|references?|citations?|documents?|quellen?|siehe'
const NUMBER = '\\d{1,2}(?:[.:]\\d{1,3})?'
const NUMBERS = `\\^?#?${NUMBER}(?:\\s*(?:,|;|&|and|und)\\s*(?:(?:${WORDS})\\s*)?${NUMBER})*`
const BRACKETED = `[[【［]\\s*(?:(?:${WORDS})[\\s:]*)*(${NUMBERS})\\s*(?:†[^\\]】］]{0,40})?[\\]】］]`
const WORDED = `\\((?:(?:${WORDS})[\\s:]*)+(${NUMBERS})\\s*\\)`
// ([1.1], [2.1]): without this pattern, empty brackets would stay behind.
const AROUND = `\\(((?:\\[${NUMBER}\\][\\s,;]{0,3}){1,5})\\)`
const MARKER = new RegExp(`^\\s*(?:${BRACKETED}|${WORDED}|${AROUND})`, 'i')
// A removed marker takes the space before it along.
const OPENING = /(?<!\s)\s*(?:[[【［]|\((?=$|[a-z[]))/i
// Text that may still become a marker.
const UNFINISHED = /^\s*(?:[[【［][\s\w.,;:#^&†-]{0,60}|\([\s\w.,;:#^&[\]-]{0,40})?$/
// More blanks than this do not wait for the text after them.
const MOST_BLANKS = 1_000
const CLOSES = /^[.,;:!?)\]}…。，、！？；：）」』”’"'|*_~]/

// A passage supports a statement if it holds at least this share of the statement's words.
const SUPPORTED = 0.5
const LONGEST_STATEMENT = 400

/**
 * Repairs the markers in a streamed answer. A marker that names a passage stays, unless the statement before it clearly
 * comes from another passage. A marker that names no passage gets the passage of the statement. Any other marker is
 * removed. If the chatbot shows no citations, each marker is removed once its validity is known. Code stays unchanged.
 */
export class MarkerRepair {
  /** The valid markers, shown or removed. */
  readonly markers = new Set<string>()
  readonly #passages: readonly MarkedPassage[]
  readonly #show: boolean
  readonly #words = new Map<MarkedPassage, Set<string>>()
  #held = ''
  #statement = ''
  #analyzed = { statement: '', words: [] as string[] }
  #group = new Set<string>()
  readonly #code = new CodeTracker()
  #isBegun = false
  /** The blanks before a removed marker. They merge with the blanks after it. */
  #gap: string | undefined

  constructor(passages: readonly MarkedPassage[], show: boolean) {
    this.#passages = passages
    this.#show = show
  }

  add(text: string): string {
    this.#held += text
    return this.#pass(false)
  }

  end(): string {
    return this.#pass(true)
  }

  #pass(final: boolean): string {
    let out = ''
    while (this.#held !== '') {
      if (this.#gap !== undefined && !this.#closeGap(this.#gap, final)) break
      const opening = OPENING.exec(this.#held)
      const certain = opening?.index ?? this.#endOfText(final)
      if (certain > 0) {
        out += this.#plain(certain)
        continue
      }
      if (!opening) break
      const found = MARKER.exec(this.#held)
      if (found && !this.#code.isInsideAfter(/^\s*/.exec(found[0])![0])) {
        this.#held = this.#held.slice(found[0].length)
        out += this.#repair(found)
      } else if (!final && UNFINISHED.test(this.#held)) {
        break
      } else {
        out += this.#plain(opening[0].length)
      }
    }
    return out
  }

  /** Blanks at the end wait, because they may stand before a marker that will be removed. */
  #endOfText(final: boolean): number {
    const { length } = this.#held
    if (this.#show || this.#passages.length === 0) return length
    const end = this.#held.trimEnd().length
    return final || length - end > MOST_BLANKS ? length : end
  }

  /** Returns false if more text must arrive first. Paragraphs, lines and words stay separate. */
  #closeGap(before: string, final: boolean): boolean {
    const rest = this.#held.trimStart()
    const after = this.#held.slice(0, this.#held.length - rest.length)
    if (rest === '' && !final && after.length <= MOST_BLANKS) return false
    const isJoined = after === '' && !before.includes('\n') && CLOSES.test(rest)
    const isBefore = !isJoined && (after === '' || lineBreaksOf(before) > lineBreaksOf(after))
    this.#held = (this.#isBegun && rest !== '' ? (isBefore ? before : after) : '') + rest
    this.#gap = undefined
    return this.#held !== ''
  }

  #plain(length: number): string {
    const text = this.#held.slice(0, length)
    this.#held = this.#held.slice(length)
    this.#code.add(text)
    if (text.trim() !== '') {
      this.#isBegun = true
      if (this.#group.size > 0) this.#statement = ''
      this.#group = new Set()
    }
    this.#statement = (this.#statement + text).slice(-LONGEST_STATEMENT)
    return text
  }

  #repair([whole, bracketed, worded, around]: RegExpExecArray): string {
    const [space = ''] = /^\s*/.exec(whole)!
    const numbers = (bracketed ?? worded ?? around ?? '').match(new RegExp(NUMBER, 'g')) ?? []
    // Times and ranges in brackets belong to the text.
    if (numbers.some((number) => number.includes(':') && !this.#isNamed(number)))
      return this.#keep(whole)
    const right = numbers.flatMap((number) => this.#find(number.replace(':', '.')) ?? [])
    // Without citations, only certain markers are removed: [1] may be part of a quote.
    const isOwn = numbers.some((number) => /[.:]/.test(number)) || !whole.includes('[')
    const fresh = [...new Set(right)].filter((marker) => !this.#group.has(marker))
    for (const marker of fresh) this.markers.add(marker)
    if (!this.#show && !isOwn) return this.#keep(whole)
    for (const marker of fresh) this.#group.add(marker)
    if (this.#show && fresh.length > 0) {
      this.#isBegun = true
      const shown = space + fresh.map((marker) => `[${marker}]`).join('')
      this.#code.add(shown)
      return shown
    }
    this.#gap = space
    return ''
  }

  #keep(text: string): string {
    this.#isBegun = true
    this.#code.add(text)
    this.#statement += text
    return text
  }

  #isNamed(number: string): boolean {
    return this.#passages.some(({ marker }) => marker === number.replace(':', '.'))
  }

  /** Returns the marker that a number names, or should name. */
  #find(number: string): string | undefined {
    const scored = this.#passages.map((passage) => ({ passage, support: this.#support(passage) }))
    const byMost = scored.toSorted((a, b) => b.support - a.support)
    const best = byMost[0]
    // A number alone names a source. The best of its passages counts.
    const named = number.includes('.')
      ? scored.find(({ passage }) => passage.marker === number)
      : byMost.find(({ passage }) => passage.marker.startsWith(`${number}.`))
    const isSupported = best !== undefined && best.support >= SUPPORTED
    if (isSupported && (!named || named.support < best.support / 2)) return best.passage.marker
    return named?.passage.marker
  }

  /** Returns the share of the statement's words that the passage has. */
  #support(passage: MarkedPassage): number {
    if (this.#statement.trim() === '') return 0
    // Cached for every number of a group and for every passage.
    if (this.#analyzed.statement !== this.#statement) {
      this.#analyzed = { statement: this.#statement, words: analyzeQuestion(this.#statement) }
    }
    const statement = this.#analyzed.words
    let words = this.#words.get(passage)
    if (!words) {
      words = new Set(analyzeText(`${passage.title} ${passage.text}`))
      this.#words.set(passage, words)
    }
    return statement.filter((word) => words.has(word)).length / statement.length
  }
}

function lineBreaksOf(text: string): number {
  return text.split('\n').length - 1
}
