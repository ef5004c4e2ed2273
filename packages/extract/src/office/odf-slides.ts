import type { DocumentText } from '../document-text.ts'

/** Heads each slide with its title, or its number, and keeps what its speaker says apart. */
export class OdfSlides {
  readonly #text: DocumentText
  #count = 0
  /** It has no heading yet. */
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

  /** A slide whose first words are not its title. */
  beginUntitled(): void {
    if (this.#inTitle || !this.#isNew) return
    this.#text.heading(1, `Slide ${this.#count}`)
    this.#isNew = false
  }

  /** Keeps what belongs to a title or to notes until they end; says whether it did. */
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
