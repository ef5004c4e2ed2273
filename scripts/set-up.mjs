// Plain JavaScript for Node 18 and newer: it runs before anything is installed, on whatever Node the machine has.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const runtime = join(
  root,
  'node_modules/node/bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)
const marker = join(root, 'node_modules/.docent-install.json')

/**
 * Installs what the lock file names, unless that has been done. `npm start` needs no development tools; once they
 * are there, they are kept.
 * @param {{ withTools: boolean }} options
 */
export function install({ withTools }) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const done = existsSync(marker) ? JSON.parse(readFileSync(marker, 'utf8')) : {}
  if (done.lock === lock && (done.withTools || !withTools) && existsSync(runtime)) return
  process.stdout.write('Installing, which takes a minute the first time …\n')
  const tools = withTools || done.withTools ? [] : ['--omit=dev']
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const result = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...tools], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) {
    process.stderr.write(
      'The installation failed; see above. It can be started again at any time.\n',
    )
    process.exit(result.status ?? 1)
  }
  writeFileSync(marker, JSON.stringify({ lock, withTools: tools.length === 0 }))
}

/**
 * Runs a file of the project on the Node that is installed with it, and ends as it does.
 * @param {string} file
 * @param {string[]} args
 */
export function runAndExit(file, args) {
  const child = spawn(
    runtime,
    ['--disable-warning=ExperimentalWarning', join(root, file), ...args],
    {
      stdio: 'inherit',
      // Keeps compiled code between starts: half the time to start, and a quarter less memory.
      // biome-ignore lint/style/noProcessEnv: a child is given the environment as it is
      env: { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled'), ...process.env },
    },
  )
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
}
