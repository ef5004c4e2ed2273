import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'

const SUITE = 'trixie'
export const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LANG: 'C.UTF-8',
}

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/**
 * The root of a small Debian with these packages, made once and cached in a folder (DOCENT_POSTGRES_CACHE).
 * Undefined without root or debootstrap.
 */
export function makeDebian(name: string, packages: string): string | undefined {
  if (!isRoot() || process.platform !== 'linux') return undefined
  // biome-ignore lint/style/noProcessEnv: a script of the project has no config.ts
  const cache = process.env.DOCENT_POSTGRES_CACHE ?? '/var/cache/docent'
  const root = join(cache, `${SUITE}-${name}`)
  if (existsSync(root)) return root
  if (spawnSync('debootstrap', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined
  mkdirSync(cache, { recursive: true })
  // Build in another folder: a run that is cut off leaves nothing that looks ready.
  const unfinished = mkdtempSync(join(cache, 'unfinished-'))
  process.stderr.write(`Making a Debian with ${packages}, which takes a minute the first time …\n`)
  const args = ['--variant=minbase', `--include=${packages}`, SUITE, unfinished]
  const made = spawnSync('debootstrap', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (made.status !== 0) {
    rmSync(unfinished, { recursive: true, force: true })
    return undefined
  }
  run(['chmod', '755', unfinished])
  if (existsSync(root)) rmSync(unfinished, { recursive: true, force: true })
  else renameSync(unfinished, root)
  return root
}

export function run([program = '', ...args]: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', env: ENVIRONMENT })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr}`)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
