import type { Terminal } from '../terminal.ts'

const REDRAW_MS = 80
const BAR = 20

interface Line {
  label: string
  note: string
  /** From 0 to 1, if known. */
  share: number | undefined
}

/**
 * Shows each running task as a line, redrawn at the bottom of the terminal. If the terminal cannot redraw, it prints
 * only finished tasks.
 */
export class ProgressBoard {
  readonly #terminal: Terminal
  readonly #lines = new Map<string, Line>()
  #drawn = 0
  #timer: NodeJS.Timeout | undefined

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  update(id: string, line: Line): void {
    this.#lines.set(id, line)
    if (!this.#terminal.canRedraw) return
    this.#timer ??= setTimeout(() => this.#draw(), REDRAW_MS).unref()
  }

  /** Removes the line and prints a sentence in its place. */
  finish(id: string, sentence: string | undefined): void {
    this.#lines.delete(id)
    this.#draw(sentence === undefined ? [] : [sentence])
  }

  #draw(above: string[] = []): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (!this.#terminal.canRedraw) {
      for (const line of above) this.#terminal.note(line)
      return
    }
    const lines = [...this.#lines.values()].map((line) => this.#render(line))
    this.#terminal.redraw(this.#drawn, [...above, ...lines])
    this.#drawn = lines.length
  }

  #render({ label, note, share }: Line): string {
    const filled = Math.round((share ?? 0) * BAR)
    const bar = share === undefined ? ' '.repeat(BAR) : '█'.repeat(filled).padEnd(BAR, '░')
    const percent = share === undefined ? '    ' : `${Math.round(share * 100)}%`.padStart(4)
    const room = Math.max(10, this.#terminal.columns - BAR - note.length - 10)
    const name = label.length > room ? `…${label.slice(1 - room)}` : label
    return `${bar} ${percent}  ${name}  ${note}`
  }
}
