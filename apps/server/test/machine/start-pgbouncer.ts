import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENVIRONMENT, freePort, isRoot, makeDebian, run } from './make-debian.ts'

const NAME = 'pgbouncer'
const START_PATIENCE_MS = 20_000
const OLDEST = [1, 21]

export interface PgBouncer {
  host: string
  stop(): Promise<void>
}

/**
 * A real PgBouncer in transaction mode, before a server that trusts all connections. The other settings are defaults,
 * so it ignores no start-up setting. Uses an installed PgBouncer or a small Debian. Undefined if both are missing.
 */
export async function startPgBouncer(server: string): Promise<PgBouncer | undefined> {
  const root = isInstalled() ? '' : makeDebian(NAME, NAME)
  if (root === undefined) return undefined
  const { hostname, port, username } = new URL(server)
  const folder = mkdtempSync(
    join(root || tmpdir(), root ? 'tmp/docent-pgbouncer-' : 'docent-pgbouncer-'),
  )
  const inside = folder.slice(root.length)
  const own = await freePort()
  writeFileSync(join(folder, 'users'), `"${username}" ""\n`)
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${port || 5432}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${own}`,
    'unix_socket_dir =',
    'pool_mode = transaction',
    'auth_type = trust',
    `auth_file = ${inside}/users`,
  ]
  writeFileSync(join(folder, 'settings.ini'), settings.join('\n'))
  if (isRoot()) run(['chown', '-R', 'nobody', folder])
  const enter = root === '' ? [] : ['chroot', root]
  const dying = ['setpriv', '--pdeathsig', 'INT']
  const asNobody = isRoot()
    ? [...dying, '--reuid=nobody', '--regid=nogroup', '--clear-groups']
    : dying
  const [program = '', ...args] = [...enter, ...asNobody, NAME, '-q', `${inside}/settings.ini`]
  const child = spawn(program, args, { stdio: 'ignore', env: ENVIRONMENT })
  await untilListening(own, () => child.exitCode !== null)
  return {
    host: `127.0.0.1:${own}`,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await Promise.race([exited, sleep(2_000).then(() => child.kill('SIGKILL'))])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isInstalled(): boolean {
  const { stdout } = spawnSync(NAME, ['--version'], { encoding: 'utf8', env: ENVIRONMENT })
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]!
}

async function untilListening(port: number, hasEnded: () => boolean): Promise<void> {
  const until = Date.now() + START_PATIENCE_MS
  while (Date.now() < until) {
    if (hasEnded()) throw new Error('PgBouncer did not start.')
    const socket = connect(port, '127.0.0.1')
    const answered = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'close').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (answered) return
    await sleep(50)
  }
  throw new Error('PgBouncer did not become ready.')
}
