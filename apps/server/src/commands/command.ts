import type { Terminal } from './terminal.ts'

/** An entry in the table of commands. Its code is loaded when the command runs. */
export interface Command {
  /** As typed, such as `serve` or `source add`. */
  name: string
  /** The arguments after the name, such as `FILE…`. */
  usage?: string
  /** Says what the command does: begins with a verb in lower case, without a period. */
  summary: string
  options?: Record<string, Option>
  /** Complete lines. A test parses each of them. */
  examples: string[]
  /** The command continues if its output is closed, or if the disk for its output is full. */
  outlivesOutput?: true
  run(call: Invocation): Promise<number> | Promise<void>
}

export interface Option {
  /** The option's value, such as `NAME`. An option without a value is a switch. */
  takes?: string
  summary: string
}

/** A parsed call of a command. */
export interface Invocation {
  /** The positional arguments. */
  args: string[]
  /** The given options that take a value. */
  values: Record<string, string | undefined>
  /** Switches: true, false (`--no-…`), or undefined if not given. */
  switches: Record<string, boolean | undefined>
  json: boolean
  environment: NodeJS.ProcessEnv
  terminal: Terminal
  /** Prints the result: the data as JSON if the user asked for that, otherwise the text. */
  print(data: unknown, text: string): void
}

/** The arguments are invalid. */
export class UsageError extends Error {}

/** No token was given or saved. */
export class NoToken extends Error {}

export function required(value: string | undefined, what: string): string {
  if (!value?.trim()) throw new UsageError(`Give ${what}.`)
  return value.trim()
}
