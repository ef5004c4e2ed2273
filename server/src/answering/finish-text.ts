import type { LinkSources } from './allowed-links.ts'
import type { Neutralised } from './events.ts'
import { OutputGuard } from './guard-output.ts'
import { MarkerRepair } from './repair-markers.ts'

export interface TextRules extends LinkSources {
  show_citations: boolean
  /** It is our own quoting, whose markers are right. */
  quoted?: boolean
}

/**
 * The one way from what an engine says to what is stored and sent, piece by piece: its markers made right, then what
 * could do harm made harmless. A link from a passage is a quotation of it, so the passage is cited in any case.
 */
export class FinishedText {
  readonly #markers: MarkerRepair | undefined
  readonly #guard: OutputGuard
  readonly #cites: boolean

  constructor({ show_citations, quoted = false, ...sources }: TextRules) {
    this.#guard = new OutputGuard(sources)
    this.#markers = quoted ? undefined : new MarkerRepair(sources.passages, show_citations)
    this.#cites = show_citations && !quoted
  }

  get neutralised(): readonly Neutralised[] {
    return this.#guard.neutralised
  }

  add(text: string): string {
    return this.#guard.add(this.#markers ? this.#markers.add(text) : text)
  }

  end(): string {
    const rest = this.#guard.add(this.#markers?.end() ?? '') + this.#guard.end()
    return rest + this.#missingMarkers()
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
