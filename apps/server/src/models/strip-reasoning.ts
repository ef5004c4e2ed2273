const BEGIN = '<think>'
const END = '</think>'

/** Some servers pass on what a model thinks before it answers, at the beginning of the answer and between marks. */
export class Thoughts {
  #state: 'unknown' | 'thinking' | 'ended' | 'over' = 'unknown'
  /** What may be the beginning of a mark. */
  #held = ''

  /** What is said of a piece of text. */
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

  /** The blanks before an answer are none of it. */
  #begin(text: string): string {
    const said = text.trimStart()
    this.#state = said === '' ? 'ended' : 'over'
    return said
  }
}
