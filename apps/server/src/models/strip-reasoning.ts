const BEGIN = '<think>'
const END = '</think>'

/** Removes the reasoning that some servers send between marks at the beginning of an answer. */
export class Thoughts {
  #state: 'unknown' | 'thinking' | 'ended' | 'over' = 'unknown'
  /** Text that may be the beginning of a mark. */
  #held = ''

  /** Returns the text of a chunk without the reasoning. */
  leaveOut(piece: string): string {
    if (this.#state === 'over') return piece
    if (this.#state === 'ended') return this.#begin(piece)
    this.#held += piece
    if (this.#state === 'unknown') {
      const begun = this.#held.trimStart()
      if (begun.length < BEGIN.length && BEGIN.startsWith(begun)) return ''
      if (!begun.startsWith(BEGIN)) {
        this.#state = 'over'
        return this.#held
      }
      this.#state = 'thinking'
    }
    const end = this.#held.indexOf(END)
    if (end >= 0) return this.#begin(this.#held.slice(end + END.length))
    this.#held = this.#held.slice(-END.length)
    return ''
  }

  /** Drops the whitespace before an answer. */
  #begin(text: string): string {
    const said = text.trimStart()
    this.#state = said === '' ? 'ended' : 'over'
    return said
  }
}
