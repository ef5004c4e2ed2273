import type { Terminal } from './terminal.ts'

/** One entry of the table of commands. Its code is loaded when it is called. */
export interface Command {
  /** As it is typed, such as `serve` or `source add`. */
  name: string
  /** What comes behind it, such as `FILE…`. */
  usage?: string
  /** What it does, as the end of a sentence. */
  summary: string
  options?: Record<string, Option>
  /** Whole lines, each of which a test has understood. */
  examples: string[]
  /** Goes on when nobody reads what it prints any more, or the disk that takes it is full. */
  outlivesOutput?: true
  run(call: Invocation): Promise<number> | Promise<void>
}

export interface Option {
  /** What the option takes, such as `NAME`; without one it is a switch. */
  takes?: string
  summary: string
}

/** A command as somebody has called it. */
export interface Invocation {
  /** What is no option. */
  args: string[]
  /** Options that take something, as far as they were given. */
  values: Record<string, string | undefined>
  /** Switches: true, false (`--no-…`), or undefined where nothing was said. */
  switches: Record<string, boolean | undefined>
  json: boolean
  environment: NodeJS.ProcessEnv
  terminal: Terminal
}

/** It was called in a way that it does not understand. */
export class UsageError extends Error {}

/** Nothing says who asks. */
export class NoToken extends Error {}

export function required(value: string | undefined, what: string): string {
  if (!value?.trim()) throw new UsageError(`Give ${what}.`)
  return value.trim()
}
