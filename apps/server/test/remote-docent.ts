import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import {
  type Ends,
  startTestServer,
  type TestOptions,
  type TestServer,
  temporaryFolder,
} from './harness.ts'

const CLI = join(import.meta.dirname, '../src/cli.ts')

/** Terminal control sequences, except line ends and cursor movements. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
export const DRIVING = /\u001b\]|\u001b\[2J|[\u0007\u0080-\u009f]/

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  process: ChildProcess
  output(): string
  /** Waits until a line of the output matches. */
  says(pattern: RegExp): Promise<void>
  ended: Promise<Ended>
}

export interface Remote {
  server: TestServer
  /** The working directory of the commands, which also holds their state. */
  folder: string
  environment: NodeJS.ProcessEnv
  run(args: string[], more?: { input?: string; environment?: NodeJS.ProcessEnv }): Promise<Ended>
  start(args: string[], environment?: NodeJS.ProcessEnv): Running
}

/** Starts a server and prepares a command line with a token for it. */
export async function startRemote(t: Ends, options: TestOptions = {}): Promise<Remote> {
  const server = await startTestServer(t, options)
  const folder = temporaryFolder(t)
  const environment = {
    DOCENT_URL: server.address,
    DOCENT_TOKEN: server.owner.token,
    XDG_CONFIG_HOME: join(folder, '.config'),
    XDG_STATE_HOME: join(folder, '.state'),
    // biome-ignore lint/style/noProcessEnv: the shell needs its path
    PATH: process.env.PATH,
  }
  const start: Remote['start'] = (args, more = {}) =>
    startDocent(t, args, { ...environment, ...more }, folder)
  return {
    server,
    folder,
    environment,
    start,
    async run(args, { input, environment: more = {} } = {}) {
      const running = start(args, more)
      running.process.stdin!.end(input ?? '')
      return running.ended
    },
  }
}

export function startDocent(t: Ends, args: string[], env: NodeJS.ProcessEnv, cwd: string): Running {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, ...args], {
    env,
    cwd,
  })
  t.after(() => child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([code]) => ({ code, stdout, stderr }))
  return {
    process: child,
    output: () => stdout + stderr,
    async says(pattern) {
      while (!pattern.test(stdout + stderr)) {
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`It ended without saying ${pattern}:\n${stdout}${stderr}`)
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    ended,
  }
}

/** Runs a command with all its streams in a terminal. Each text is typed after the output matches `after`. */
export async function runInTerminal(
  { environment, folder }: Pick<Remote, 'environment' | 'folder'>,
  args: string[],
  typed: [after: RegExp, text: string][] = [],
): Promise<string> {
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', CLI, ...args]
  const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { ...environment, TERM: 'xterm' },
    cwd: folder,
  })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const ended = once(child, 'close')
  for (const [after, text] of typed) {
    while (!after.test(output) && child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    child.stdin.write(text)
  }
  await ended
  return output
}
