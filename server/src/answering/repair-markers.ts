import { analyzeQuestion, analyzeText } from '../search/analyze-text.ts'
import type { MarkedPassage } from './cite-sources.ts'

// [1.1] as asked for, and what models make of it: [1.1, 2.1], [1], [Source 1.1], 【1.1†source】, (see passage 1.1).
const WORDS = 'see|sources?|passages?|refs?|references?|citations?|documents?|quellen?|siehe'
const NUMBER = '\\d{1,2}(?:[.:]\\d{1,3})?'
const NUMBERS = `\\^?#?${NUMBER}(?:\\s*(?:,|;|&|and|und)\\s*(?:(?:${WORDS})\\s*)?${NUMBER})*`
const MARKER = new RegExp(
  `^\\s*(?:[[【［]\\s*(?:(?:${WORDS})[\\s:]*)*(${NUMBERS})\\s*(?:†[^\\]】］]{0,40})?[\\]】］]|\\((?:(?:${WORDS})[\\s:]*)+(${NUMBERS})\\s*\\))`,
  'i',
)
// The space before a marker goes with it if it is removed.
const OPENING = /(?<!\s)\s*(?:[[【［]|\((?=$|[a-z]))/i
// What may still become a marker when more of it comes.
const UNFINISHED = /^\s*(?:[[【［][\s\w.,;:#^&†-]{0,60}|\([\s\w.,;:#^&-]{0,40})?$/

// A statement comes from a passage that holds at least this share of its words.
const SUPPORTED = 0.5
const LONGEST_STATEMENT = 400

/**
 * The markers that a model puts into its answer, made right while the text comes. One that names a passage stays, unless
 * the statement before it plainly comes from another; one that names none is given to the passage that the statement
 * comes from; what is left cites nothing, and is removed. Code is left alone.
 */
export class MarkerRepair {
  /** Those that are in the text. */
  readonly markers = new Set<string>()
  readonly #passages: readonly MarkedPassage[]
  readonly #show: boolean
  readonly #words = new Map<MarkedPassage, Set<string>>()
  #held = ''
  #statement = ''
  #analyzed = { statement: '', words: [] as string[] }
  #group = new Set<string>()
  #ticks = 0

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
      const opening = OPENING.exec(this.#held)
      const certain = opening?.index ?? this.#held.length
      if (certain > 0) {
        out += this.#plain(certain)
        continue
      }
      const found = MARKER.exec(this.#held)
      if (found && this.#ticks % 2 === 0) {
        const emitted = this.#repair(found)
        this.#held = this.#held.slice(found[0].length)
        out += emitted
      } else if (!final && UNFINISHED.test(this.#held)) {
        break
      } else {
        out += this.#plain(opening ? opening[0].length : this.#held.length)
      }
    }
    return out
  }

  #plain(length: number): string {
    const text = this.#held.slice(0, length)
    this.#held = this.#held.slice(length)
    this.#ticks += text.split('`').length - 1
    if (text.trim() !== '') {
      if (this.#group.size > 0) this.#statement = ''
      this.#group = new Set()
    }
    this.#statement = (this.#statement + text).slice(-LONGEST_STATEMENT)
    return text
  }

  #repair([whole, bracketed, worded]: RegExpExecArray): string {
    const [space = ''] = /^\s*/.exec(whole)!
    const numbers = (bracketed ?? worded ?? '').match(new RegExp(NUMBER, 'g')) ?? []
    const isOwn = numbers.some((number) => /[.:]/.test(number)) || !whole.includes('[')
    // Without citations only what is certainly a marker goes: [1] may be a part of what is quoted.
    if (!this.#show) return isOwn ? '' : this.#keep(whole)
    const right = numbers.flatMap((number) => this.#find(number.replace(':', '.')) ?? [])
    const fresh = [...new Set(right)].filter((marker) => !this.#group.has(marker))
    for (const marker of fresh) {
      this.#group.add(marker)
      this.markers.add(marker)
    }
    return fresh.length > 0 ? space + fresh.map((marker) => `[${marker}]`).join('') : ''
  }

  #keep(text: string): string {
    this.#statement += text
    return text
  }

  /** The marker that a number stands for, or ought to. */
  #find(number: string): string | undefined {
    const scored = this.#passages.map((passage) => ({ passage, support: this.#support(passage) }))
    const byMost = scored.toSorted((a, b) => b.support - a.support)
    const best = byMost[0]
    // A number alone is a source: whichever of its passages fits.
    const named = number.includes('.')
      ? scored.find(({ passage }) => passage.marker === number)
      : byMost.find(({ passage }) => passage.marker.startsWith(`${number}.`))
    const isSupported = best !== undefined && best.support >= SUPPORTED
    if (isSupported && (!named || named.support < best.support / 2)) return best.passage.marker
    return named?.passage.marker
  }

  /** Which share of the statement's words the passage has. */
  #support(passage: MarkedPassage): number {
    if (this.#statement.trim() === '') return 0
    // The same for every number of a group, and for every passage.
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
