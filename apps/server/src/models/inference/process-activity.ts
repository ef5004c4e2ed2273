import { readFileSync } from 'node:fs'

// It runs or wants to, or waits for a disk.
const MOVING_STATES = new Set(['R', 'D'])

/**
 * Tells a process that is frozen or waits for ever from one that is only slow: whether it has used a processor since the
 * last look, or wants one. True on systems that do not say.
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
    // The name before may have spaces and brackets in it. After it come the state and, as 12th and 13th, the times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0]!, ticks: `${fields[11]} ${fields[12]}` }
  } catch {
    return undefined
  }
}
