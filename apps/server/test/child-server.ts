import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface ChildServer {
  address: string
  /** Printed on the first start only. */
  token: string | undefined
  process: ChildProcess
  /** Both streams together. */
  output(): string
  end(signal: NodeJS.Signals): Promise<number | null>
}

const ROOT = join(import.meta.dirname, '../../..')
const COMPILE_CACHE = join(tmpdir(), 'docent-test-compile-cache')

/** Starts a server in its own process and resolves when it listens. */
export function startChild(
  script: string,
  environment: NodeJS.ProcessEnv,
  args: string[] = [],
  log: number | 'pipe' = 'pipe',
): Promise<ChildServer> {
  const command = ['--disable-warning=ExperimentalWarning', join(ROOT, script), ...args]
  return startProgram(process.execPath, command, {
    env: environment,
    stdio: ['ignore', 'pipe', log],
  })
}

/** Starts any program that starts a server. */
export async function startProgram(
  program: string,
  args: string[],
  { env, ...options }: Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'>,
): Promise<ChildServer> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    ...options,
    env: { PORT: '0', LOG_LEVEL: 'error', NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
  })
  let output = ''
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  const exited = once(child, 'exit')
  const ready = new Promise<string>((resolve) => {
    createInterface(child.stdout!).on('line', (line) => {
      output += `${line}\n`
      const [, address] = /^Docent is ready at (\S+)$/.exec(line) ?? []
      if (address) setImmediate(resolve, address)
    })
  })
  const address = await Promise.race([ready, exited.then(() => undefined)])
  if (!address) throw new Error(`The server did not start:\n${output}`)
  return {
    address,
    get token() {
      return /^Token: (\S+)$/m.exec(output)?.[1]
    },
    process: child,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}
