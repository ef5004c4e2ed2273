import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@docent/server/test/harness.ts'

const ROOT = join(import.meta.dirname, '../..')
export interface PackedClient {
  tarball: string
  /** A folder with only the packed client installed. */
  consumer: string
  /** The folder of the installed package. */
  installed: string
}

/** Builds and packs the client as for publishing, then installs the result in an empty folder. */
export function packClient(t: { after: (end: () => unknown) => void }): PackedClient {
  const folder = temporaryFolder(t)
  run(process.execPath, [join(ROOT, 'scripts/pack-client.ts'), folder], ROOT)
  const name = readdirSync(folder).find((file) => file.endsWith('.tgz'))!
  const tarball = join(folder, name)
  const consumer = join(folder, 'consumer')
  const installed = join(consumer, 'node_modules/@docent/client')
  mkdirSync(installed, { recursive: true })
  run('tar', ['-xzf', tarball, '--strip-components=1', '-C', installed], folder)
  return { tarball, consumer, installed }
}

export function run(
  command: string,
  args: string[],
  cwd: string,
  environment: Record<string, string> = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 120_000,
    env: {
      // biome-ignore lint/style/noProcessEnv: npm finds programs through it
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      // biome-ignore lint/style/noProcessEnv: npm keeps its settings there
      HOME: process.env.HOME,
      ...environment,
    },
  })
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error })
}
