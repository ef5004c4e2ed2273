/** A cursor over the lines of a section of a reStructuredText file. */
export class RstLines {
  at = 0
  readonly #lines: readonly string[]

  constructor(lines: readonly string[]) {
    this.#lines = lines
  }

  get isAtEnd(): boolean {
    return this.at >= this.#lines.length
  }

  peek(ahead = 0): string {
    return this.#lines[this.at + ahead] ?? ''
  }

  has(ahead: number): boolean {
    return this.at + ahead < this.#lines.length
  }

  take(): string {
    const line = this.peek()
    this.at += 1
    return line
  }

  takeWhile(isSuch: (line: string) => boolean): string[] {
    const from = this.at
    while (!this.isAtEnd && isSuch(this.peek())) this.at += 1
    return this.#lines.slice(from, this.at)
  }

  /** Takes the indented lines and the empty lines between them, without their indentation. */
  takeIndented(): string[] {
    const lines = this.takeWhile((line) => isBlank(line) || line.startsWith(' '))
    let end = lines.length
    while (end > 0 && isBlank(lines[end - 1]!)) end -= 1
    this.at -= lines.length - end
    return dedented(lines.slice(0, end))
  }
}

export function isBlank(line: string): boolean {
  return line.trim() === ''
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

export function dedented(lines: readonly string[]): string[] {
  let least = Number.POSITIVE_INFINITY
  for (const line of lines) if (!isBlank(line)) least = Math.min(least, indentOf(line))
  return lines.map((line) => line.slice(Math.min(least, line.length)))
}
