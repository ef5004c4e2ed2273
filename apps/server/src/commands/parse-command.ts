import { parseArgs } from 'node:util'
import { type Command, type Invocation, type Option, UsageError } from './command.ts'

/** Finds the command with the longest matching name, such as `source add ./docs`, and returns the words after it. */
export function findCommand(
  table: readonly Command[],
  words: string[],
): { command: Command; rest: string[] } {
  const [first = '', second = ''] = words
  for (const [name, length] of [
    [`${first} ${second}`, 2],
    [first, 1],
  ] as const) {
    const command = table.find((one) => one.name === name)
    if (command) return { command, rest: words.slice(length) }
  }
  const siblings = table.filter(({ name }) => name.startsWith(`${first} `))
  if (siblings.length === 0) {
    throw new UsageError(`Unknown command "${first}". Run "docent help" for a list.`)
  }
  const verbs = siblings.map(({ name }) => name.split(' ')[1]).join(', ')
  throw new UsageError(
    `"docent ${first}" needs one of: ${verbs}. Run "docent help ${first}" for details.`,
  )
}

type Parsed = Pick<Invocation, 'args' | 'values' | 'switches' | 'json'>

export function parseCommand(command: Command, rest: string[]): Parsed {
  const { name, options = {} } = command
  const known: Record<string, Option> = { ...options, json: { summary: '' } }
  const types = Object.entries(known).map(([key, { takes }]) => [
    key,
    { type: takes ? 'string' : 'boolean' },
  ])
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: Object.fromEntries(types),
      allowPositionals: true,
      allowNegative: true,
    })
    refuseSuperfluous(command, positionals)
    const given = Object.entries(values as Record<string, string | boolean>)
    return {
      args: positionals,
      values: Object.fromEntries(given.filter(([, value]) => typeof value === 'string')),
      switches: Object.fromEntries(given.filter(([, value]) => typeof value === 'boolean')),
      json: given.some(([key, value]) => key === 'json' && value === true),
    } as Parsed
  } catch (error) {
    if (error instanceof UsageError) throw error
    // Node's first sentence says what is wrong. The rest is advice about dashes.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/)
    throw new UsageError(`${sentence.replace(/\.$/, '')}. Run "docent help ${name}" for details.`)
  }
}

/** An extra word usually means missing quotes. */
function refuseSuperfluous({ name, usage = '' }: Command, given: string[]): void {
  const most = usage.includes('…') ? given.length : usage.split(' ').filter(Boolean).length
  if (given.length <= most) return
  throw new UsageError(
    `Unexpected argument "${given[most]}". Put arguments with spaces in quotes. Run "docent help ${name}" for details.`,
  )
}
