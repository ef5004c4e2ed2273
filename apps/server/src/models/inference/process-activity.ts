import { readFileSync } from 'node:fs'

// Running or runnable, or waiting for a disk.
const MOVING_STATES = new Set(['R', 'D'])

/**
 * Distinguishes a frozen or blocked process from a slow one: whether it used a processor since the last check, or wants
 * one. Returns true on systems without /proc.
 */
export class ProcessActivity {
  readonly #pid: number | undefined
  #lastTicks: string | undefined

  constructor(pid: number | undefined) {
    this.#pid = pid
  }

  hasMoved(): boolean {
    const now = look(this.#pid)
    if (!now) return true
    const hasMoved = MOVING_STATES.has(now.state) || now.ticks !== this.#lastTicks
    this.#lastTicks = now.ticks
    return hasMoved
  }
}

function look(pid: number | undefined): { state: string; ticks: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name before may contain spaces and parentheses. The state follows it, with the CPU times as fields 12 and 13.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0]!, ticks: `${fields[11]} ${fields[12]}` }
  } catch {
    return undefined
  }
}
