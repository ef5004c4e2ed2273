import { type Command, UsageError } from './command.ts'

const HEAD = `Docent, a self-hosted chatbot service.

  docent COMMAND [--json]           print JSON on standard output
  docent help COMMAND               show options and examples
`

const FOOT = `Commands marked * connect to a running server. Set DOCENT_URL (default: this machine) and DOCENT_TOKEN, or run
"docent login" once. Other commands run on the machine of the server, with its settings (docs/reference/settings.md).`

/** Describes all commands, or the ones that `docent help source add` names. */
export function describeCommands(
  groups: readonly { title: string; commands: readonly Command[] }[],
  words: string[],
): string {
  if (words.length > 0)
    return describeSome(
      groups.flatMap(({ commands }) => commands),
      words,
    )
  const sections = groups.map(({ title, commands }) => {
    const lines = commands.map((command) => `  ${callOf(command).padEnd(36)}${command.summary}`)
    return `${title}\n${lines.join('\n')}\n`
  })
  return [HEAD, ...sections, FOOT].join('\n')
}

function describeSome(commands: readonly Command[], words: string[]): string {
  const asked = words.join(' ')
  const found = commands.filter(({ name }) => name === asked || name.startsWith(`${asked} `))
  if (found.length === 0) {
    throw new UsageError(`Unknown command "${asked}". Run "docent help" for a list.`)
  }
  return found.map(describe).join('\n').trimEnd()
}

function describe(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, { takes, summary }]) => {
    const call = `--${name}${takes ? ` ${takes}` : ''}`
    return `  ${call.padEnd(28)}${summary}\n`
  })
  const examples = command.examples.map((line) => `  ${line}\n`).join('')
  return `${callOf(command)}\n  ${upperFirst(command.summary)}.\n${options.length > 0 ? `\n${options.join('')}` : ''}\n${examples}`
}

function callOf({ name, usage }: Command): string {
  return ['docent', name, usage].filter(Boolean).join(' ')
}

function upperFirst(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1)
}
