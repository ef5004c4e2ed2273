import { randomUUID } from 'node:crypto'

const MOST_IN_A_MS = 0xfff

let time = 0
let count = 0

/**
 * A UUIDv7 without dashes, so ids sort by time. A counter orders ids of one millisecond. If the counter overflows or
 * the clock goes back, ids run ahead of the clock.
 */
export function newId(): string {
  const random = randomUUID()
  const now = Date.now()
  if (now > time) {
    time = now
    count = Number.parseInt(random.slice(0, 2), 16)
  } else if (++count > MOST_IN_A_MS) {
    time += 1
    count = 0
  }
  return assemble(time, count, random)
}

/** An id for a record that was created elsewhere at a known time, so that lists show it in order. */
export function newIdOf(madeAt: number): string {
  const random = randomUUID()
  const time = Math.max(0, Math.min(madeAt, Date.now()))
  return assemble(time, Number.parseInt(random.slice(0, 3), 16), random)
}

function assemble(time: number, count: number, random: string): string {
  return `${hex(time, 12)}7${hex(count, 3)}${random.slice(19, 23)}${random.slice(24)}`
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0')
}
