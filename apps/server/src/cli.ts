import { existsSync } from 'node:fs'
import { UsageError } from './commands/command.ts'
import { COMMAND_GROUPS, COMMANDS } from './commands/command-table.ts'
import { EXIT } from './commands/exit-codes.ts'
import { explainFailure } from './commands/explain-failure.ts'
import { describeCommands } from './commands/help.ts'
import { findCommand, parseCommand } from './commands/parse-command.ts'
import { openTerminal, sayUnwritable } from './commands/terminal.ts'
import { VERSION } from './runtime/version.ts'

const terminal = openTerminal()
let outlivesOutput = false

async function main(words: string[]): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  const options = words.slice(0, words.indexOf('--') >>> 0)
  const wantsHelp = options.some((word) => word === '--help' || word === '-h')
  if (words[0] === '--version') {
    terminal.print(VERSION)
    return
  }
  const named = words.filter((word) => !word.startsWith('-'))
  const unknown = named.length === 0 && !wantsHelp ? words[0] : undefined
  if (unknown !== undefined)
    throw new UsageError(`Unknown option "${unknown}". Run "docent help" for a list.`)
  if (named.length === 0 || named[0] === 'help' || wantsHelp) {
    const asked = named[0] === 'help' ? named.slice(1) : named.slice(0, 2)
    terminal.print(describeCommands(COMMAND_GROUPS, asked))
    return
  }
  const { command, rest } = findCommand(COMMANDS, words)
  outlivesOutput = command.outlivesOutput ?? false
  const parsed = parseCommand(command, rest)
  const call = {
    ...parsed,
    // biome-ignore lint/style/noProcessEnv: the one place that hands the environment on
    environment: process.env,
    terminal,
    print: (data: unknown, text: string) =>
      terminal.print(parsed.json ? JSON.stringify(data) : text),
  }
  process.exitCode = (await command.run(call)) ?? 0
}

// A reader such as "head" may close the pipe early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (outlivesOutput) return
  if (error.code === 'EPIPE') process.exit(EXIT.done)
  fail(sayUnwritable(error), EXIT.failed)
})
// Notes on stderr are optional, so a closed stderr does not end the command.
process.stderr.on('error', () => {})

try {
  await main(process.argv.slice(2))
} catch (error) {
  const { message, exit } = explainFailure(error)
  fail(message, exit)
}

function fail(message: string, exit: number): never {
  const wantsJson = process.argv.includes('--json')
  terminal.note(wantsJson ? JSON.stringify({ error: message, exit }) : message)
  process.exit(exit)
}
