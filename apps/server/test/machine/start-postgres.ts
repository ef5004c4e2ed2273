import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENVIRONMENT, freePort, isRoot, makeDebian, run } from './make-debian.ts'

const START_PATIENCE_MS = 60_000
// The data is thrown away, so it need not survive a power cut, only a crash of the process.
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=300',
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
]
const USER = 'postgres'
export interface Postgres {
  /** The address of the server's own database, as its superuser. */
  url: string
  port: number
  /** Ends the process at once, like a crash. */
  kill(): Promise<void>
  /** Restarts the server on the same port with the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

interface Installation {
  /** The root folder of the server process. */
  root: string
  /** The folder of the programs, inside that root. */
  bin: string
}

/**
 * A temporary server with pgvector. Uses the installed PostgreSQL if it has pgvector. Otherwise, as root and with
 * debootstrap, it uses a small Debian cached in a folder (DOCENT_POSTGRES_CACHE). Undefined if both are missing.
 */
export async function startPostgres(): Promise<Postgres | undefined> {
  const installation = findInstalled() ?? (await findCached())
  if (!installation) return undefined
  const { root, bin } = installation
  const enter = root === '' ? [] : ['chroot', root]
  const folder = mkdtempSync(`${root}/tmp/docent-postgres-`)
  const inside = folder.slice(root.length)
  const data = ['-D', `${inside}/data`]
  if (isRoot()) run([...enter, 'chown', USER, inside])
  const making = ['-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8']
  run([...enter, ...asServer(), `${bin}/initdb`, ...data, ...making])
  const port = await freePort()
  const settings = [...SETTINGS, `port=${port}`].flatMap((setting) => ['-c', setting])
  const serving = [...enter, ...asServer(), `${bin}/postgres`, ...data, ...settings]
  const asking = [...enter, `${bin}/pg_isready`, '-q', '-h', '127.0.0.1', '-p', String(port)]
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const start = async () => {
    const child = spawn(serving[0]!, serving.slice(1), { stdio: 'ignore', env: ENVIRONMENT })
    await untilReady(child, asking)
    return child
  }
  let server = await start()
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }
  return {
    url,
    port,
    async kill() {
      // SIGQUIT also ends the children and leaves the data like a crash.
      await end('SIGQUIT')
    },
    async restart() {
      server = await start()
    },
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root, and must not outlive the process that started it. */
function asServer(): string[] {
  const dying = ['setpriv', '--pdeathsig', 'INT']
  return isRoot() ? [...dying, `--reuid=${USER}`, `--regid=${USER}`, '--clear-groups'] : dying
}

function findInstalled(): Installation | undefined {
  const folder = '/usr/lib/postgresql'
  const versions = existsSync(folder) ? readdirSync(folder) : []
  const version = versions
    .filter((name) => Number(name) >= 15)
    .sort((a, b) => Number(b) - Number(a))
    .find((name) => existsSync(`/usr/share/postgresql/${name}/extension/vector.control`))
  if (version === undefined || (isRoot() && !hasUser())) return undefined
  return { root: '', bin: `${folder}/${version}/bin` }
}

function hasUser(): boolean {
  return spawnSync('id', [USER], { stdio: 'ignore' }).status === 0
}

async function findCached(): Promise<Installation | undefined> {
  const root = makeDebian('postgres', 'postgresql-17,postgresql-17-pgvector')
  if (root === undefined) return undefined
  const [version] = readdirSync(join(root, 'usr/lib/postgresql'))
  return { root, bin: `/usr/lib/postgresql/${version}/bin` }
}

async function untilReady(child: ChildProcess, [program = '', ...args]: string[]): Promise<void> {
  const until = Date.now() + START_PATIENCE_MS
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error('PostgreSQL did not start.')
    if (spawnSync(program, args, { env: ENVIRONMENT }).status === 0) return
    await sleep(50)
  }
  throw new Error('PostgreSQL did not become ready.')
}
