// Plain JavaScript for Node 20 and newer, because it runs on the machine's Node.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const runtime = findRuntime()
// Caches compiled code between starts: half the startup time, and a quarter less memory.
export const compileCache = join(root, 'node_modules/.cache/compiled')
// The server's flags. By default, V8 collects young garbage only after up to three times 16 MB, which is most of a
// busy server's growth. Collecting more often costs nothing measurable. V8 would also let the old heap grow to four
// times its live size. The flags allow one and a half times (decision 81). The C library keeps freed memory in a pool
// per thread. Two pools are enough (decision 47).
const howToRun = JSON.parse(readFileSync(join(root, 'scripts/how-to-run.json'), 'utf8'))
const OLDEST_NODE = 24
// Read early, because the parent may exit during the installation or build.
const parent = process.ppid

/**
 * A checkout installs the package `node`. Its install script fetches the package of this platform, on which a release
 * depends directly.
 */
function findRuntime() {
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const { resolve } = createRequire(import.meta.url)
  try {
    const manifest = resolve(`node-${process.platform}-${process.arch}/package.json`)
    return join(dirname(manifest), 'bin', file)
  } catch {
    return join(root, 'node_modules/node/bin', file)
  }
}

/**
 * Runs a file with the project's own Node, and exits with the same status.
 * @param {string} file
 * @param {string[]} args
 */
export function runAndExit(file, args) {
  const child = spawn(chooseNode(), [...howToRun.flags, join(root, file), ...args], {
    // The server uses the IPC channel to notice when this process ends.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // biome-ignore lint/style/noProcessEnv: the child inherits the environment
    env: { NODE_COMPILE_CACHE: compileCache, ...howToRun.environment, ...process.env },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  endWithParent(child)
  child.on('error', ({ message }) => {
    process.stderr.write(
      `Docent can’t be started (${message}). Where too many files are open, allow more (ulimit -n).\n`,
    )
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    if (signal) process.stderr.write(`The process was ended by ${signal}.\n`)
    process.exit(signal ? 1 : (code ?? 1))
  })
}

/** The machine's Node runs a release where none came along: in the image, and on other systems than Linux. */
function chooseNode() {
  if (existsSync(runtime)) return runtime
  if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) return process.execPath
  process.stderr.write(`Docent needs Node ${OLDEST_NODE} or newer on this system.\n`)
  process.exit(1)
}

/**
 * npm exits on a signal without forwarding it. Stop the child when npm has exited.
 * @param {import('node:child_process').ChildProcess} child
 */
function endWithParent(child) {
  // biome-ignore lint/style/noProcessEnv: npm sets this variable
  if (!process.env.npm_command) return
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 500).unref()
}
