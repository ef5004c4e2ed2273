import type { Neutralized } from '../answer-events.ts'
import type { LinkSources } from './allowed-links.ts'
import { OutputGuard } from './neutralize-links.ts'
import { RefusalMark } from './refusal-mark.ts'
import { MarkerRepair } from './repair-markers.ts'

export interface TextRules extends LinkSources {
  show_citations: boolean
  /** The text is Docent's own quote, with correct markers. */
  quoted?: boolean
}

/**
 * The only way from an engine's output to the stored and sent text, piece by piece. It repairs or removes markers,
 * removes the mark of a refusal, and neutralizes harmful content. A link from a passage quotes the passage, so the
 * passage is cited in any case.
 */
export class FinishedText {
  readonly #refusal: RefusalMark | undefined
  readonly #markers: MarkerRepair | undefined
  readonly #guard: OutputGuard
  readonly #cites: boolean

  constructor({ show_citations, quoted = false, ...sources }: TextRules) {
    this.#guard = new OutputGuard(sources)
    this.#refusal = quoted ? undefined : new RefusalMark()
    this.#markers = quoted ? undefined : new MarkerRepair(sources.passages, show_citations)
    this.#cites = show_citations && !quoted
  }

  get neutralised(): readonly Neutralized[] {
    return this.#guard.neutralised
  }

  /** Whether the text began with the mark of a refusal: the passages do not hold the answer. */
  get isRefusal(): boolean {
    return this.#refusal?.isThere ?? false
  }

  /** Whether a valid marker cites a passage, shown or not, or a link quotes a passage. */
  get isGrounded(): boolean {
    return (this.#markers?.markers.size ?? 0) > 0 || this.#guard.linkedFrom.length > 0
  }

  add(text: string): string {
    const marked = this.#markers?.add(text) ?? text
    return this.#guard.add(this.#refusal?.add(marked) ?? marked)
  }

  end(): string {
    const marked = this.#markers?.end() ?? ''
    const rest = (this.#refusal?.add(marked) ?? marked) + (this.#refusal?.end() ?? '')
    return this.#guard.add(rest) + this.#guard.end() + this.#missingMarkers()
  }

  #missingMarkers(): string {
    if (!this.#cites) return ''
    const cited = new Set(this.#markers!.markers)
    let missing = ''
    for (const markers of this.#guard.linkedFrom) {
      if (markers.some((marker) => cited.has(marker))) continue
      cited.add(markers[0]!)
      missing += `[${markers[0]}]`
    }
    return missing && ` ${missing}`
  }
}
