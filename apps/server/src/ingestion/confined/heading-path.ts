const HEADING = /^(#{1,6})\s+(.+)$/gm
const MAX_LENGTH = 300

/** Tracks the headings above each passage. Passages must come in document order. */
export class HeadingPath {
  readonly #title: string
  #open: { level: number; text: string }[] = []

  constructor(title: string) {
    this.#title = title
  }

  /**
   * Returns the lead of a passage: the title and the headings above it, a line each, unless the passage contains them.
   */
  leadTo(passage: string, isCode = (_at: number) => false): string {
    const headings = [...passage.matchAll(HEADING)].filter(({ index }) => !isCode(index))
    const own = headings.map(([, marks = '', text = ''], i) => ({
      level: marks.length,
      text,
      isFirst: i === 0 && passage.startsWith(marks),
    }))
    if (own[0]?.isFirst) this.#close(own[0].level)
    const lead = [this.#title, ...this.#open.map(({ text }) => text)]
    for (const { level, text } of own) {
      this.#close(level)
      this.#open.push({ level, text })
    }
    const lines = lead.filter((line, i) => line !== '' && lead.indexOf(line) === i)
    return lines
      .filter((line) => !passage.includes(line))
      .join('\n')
      .slice(0, MAX_LENGTH)
  }

  #close(level: number): void {
    this.#open = this.#open.filter((heading) => heading.level < level)
  }
}
