import type { DocumentText } from '../document-text.ts'

/** Heads each slide with its title or number, and writes speaker notes separately. */
export class OdfSlides {
  readonly #text: DocumentText
  #count = 0
  /** The slide has no heading yet. */
  #isNew = false
  #inTitle = false
  #title = ''
  #inNotes = false
  #notes: string[] = []

  constructor(text: DocumentText) {
    this.#text = text
  }

  openSlide(): void {
    this.#count += 1
    this.#isNew = true
  }

  openFrame(isTitle: boolean): void {
    this.#inTitle = isTitle && this.#count > 0
  }

  openNotes(): void {
    this.#inNotes = true
  }

  /** Writes a heading with the slide's number if its first text is not a title. */
  beginUntitled(): void {
    if (this.#inTitle || !this.#isNew) return
    this.#text.heading(1, `Slide ${this.#count}`)
    this.#isNew = false
  }

  /** Buffers text of a title or of notes until they end. Returns whether it did. */
  keep(words: string): boolean {
    if (this.#inTitle) this.#title += ` ${words}`
    else if (this.#inNotes) this.#notes.push(words)
    return this.#inTitle || this.#inNotes
  }

  closeFrame(): void {
    if (!this.#inTitle) return
    this.#inTitle = false
    if (this.#title.trim() !== '') this.#isNew = false
    this.#text.heading(1, this.#title)
    this.#title = ''
  }

  closeNotes(): void {
    this.#inNotes = false
    const lines = this.#notes.filter((line) => line.trim() !== '')
    if (lines.length > 0) this.#text.paragraph(`Notes: ${lines.join('\n')}`)
    this.#notes = []
  }
}
