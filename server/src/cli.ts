import { existsSync } from 'node:fs'
import { CHATBOT_HELP, runChatbotCommand } from './chatbot-commands.ts'
import { type Config, readConfig } from './config.ts'
import { adviseOn, storageFaultOf } from './database/storage-fault.ts'
import { runDoctor } from './doctor.ts'
import { AppError } from './errors.ts'
import { KEEP_HELP, runKeepCommand } from './keep-commands.ts'
import { startServer } from './main.ts'
import { MOVE_HELP, runMoveCommand } from './move-commands.ts'
import { runTokenCommand } from './token-commands.ts'

const HELP = `Docent: a chatbot service of your own.

  docent serve                      start the server (what "npm start" does)
  docent user create NAME           make a user
  docent user list
  docent user password NAME         set a password; it is read from standard input
  docent token create --name NAME   make an API token; it is shown once
      [--user NAME]                 whose it is (default: the first user)
      [--scopes read,write,chat]    what it may do (default: all)
      [--expires 30d]               when it ends: 12h, 30d, or a date (default: never)
  docent token list
  docent token revoke ID|NAME       end a token at once

${KEEP_HELP}
${CHATBOT_HELP}
${MOVE_HELP}
  docent doctor                     check settings, data folder and model providers

  --json                            print JSON, for scripts

Settings come from the environment or a file .env: PORT, HOST, DATA_DIR and others; see docs/configuration.md.
`

/** Two signals in quick succession are one press of Ctrl-C, seen by us and passed on by npm. */
const SAME_SIGNAL_MS = 500

async function serve(config: Config): Promise<void> {
  const server = await startServer(config)
  let stoppingSince: number | undefined
  const onSignal = () => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    print('Stopping: running answers may finish. Press Ctrl-C again to end now.')
    void server.stop().then(() => process.exit(0))
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)

  const lines = [
    `Docent is ready at ${server.address}`,
    server.needsAccount
      ? `Console: ${server.address}/setup#${server.services.setupCode} (the link is good until there is an account)`
      : `Console: ${server.address}/`,
    `API reference: ${server.address}/docs`,
    `Data folder: ${config.dataDir}`,
    ...(config.databaseUrl === undefined
      ? []
      : [`Database: ${withoutPassword(config.databaseUrl)}`]),
  ]
  if (server.firstToken) {
    lines.push(`Token: ${server.firstToken}`)
    lines.push('It is shown this once. "npx docent token create --name NAME" makes another.')
  }
  print(lines.join('\n'))
}

function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.password = ''
  return shown.href
}

async function main(args: string[]): Promise<void> {
  const [command = 'help', ...rest] = args
  if (existsSync('.env')) process.loadEnvFile('.env')
  switch (command) {
    case 'serve':
      // biome-ignore lint/style/noProcessEnv: the one place that hands the environment to readConfig
      return serve(readConfig(process.env))
    case 'token':
    case 'user':
      // biome-ignore lint/style/noProcessEnv: as above
      return runTokenCommand(readConfig(process.env), command, rest, print)
    case 'backup':
    case 'restore':
      // biome-ignore lint/style/noProcessEnv: as above
      return runKeepCommand(readConfig(process.env), command, rest, print)
    case 'export':
    case 'import':
      // biome-ignore lint/style/noProcessEnv: as above
      return runChatbotCommand(readConfig(process.env), command, rest, print)
    case 'move':
      // biome-ignore lint/style/noProcessEnv: as above
      return runMoveCommand(readConfig(process.env), rest, print)
    case 'doctor':
      // biome-ignore lint/style/noProcessEnv: as above
      if (!(await runDoctor(process.env, rest, print))) process.exitCode = 1
      return
    case 'help':
    case '--help':
    case '-h':
      return print(HELP)
    default:
      throw new AppError('invalid', `There is no command "${command}". "docent help" lists them.`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const fault = storageFaultOf(error)
  // biome-ignore lint/style/noProcessEnv: the settings may be what is wrong, and are not read again
  const message = fault ? adviseOn(fault, process.env.DATA_DIR || './data') : messageOf(error)
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
