// Plain JavaScript for Node 20 and newer, because it runs on the machine's Node before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileCache, root, runtime } from './run-on-node.mjs'

const QUIET = ['--disable-warning=ExperimentalWarning']
const marker = join(root, 'node_modules/.docent-install.json')

/**
 * Installs the packages of the lock file, unless that is done. `npm start` needs no development tools, but keeps them
 * if they are installed.
 * @param {{ withTools: boolean }} options
 */
export function install({ withTools }) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  const done = existsSync(marker) ? JSON.parse(readFileSync(marker, 'utf8')) : {}
  if (done.lock === lock && (done.withTools || !withTools) && existsSync(runtime)) return
  process.stdout.write('Installing, which takes a minute the first time …\n')
  // Keep tools that the user installed with npm.
  const hasTools = existsSync(join(root, 'node_modules/typescript'))
  const tools = withTools || hasTools ? [] : ['--omit=dev']
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const result = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...tools], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    // The models run on the CPU. This package's install script would download GPU libraries.
    // biome-ignore lint/style/noProcessEnv: the child inherits the environment
    env: { ...process.env, ONNXRUNTIME_NODE_INSTALL: 'skip' },
  })
  if (result.status !== 0) {
    process.stderr.write(
      'The installation failed; see above. It can be started again at any time.\n',
    )
    process.exit(result.status ?? 1)
  }
  removeOtherPlatforms()
  writeFileSync(marker, JSON.stringify({ lock, withTools: tools.length === 0 }))
  // Fill the compile cache, so that the first real start is fast. A failure is harmless.
  spawnSync(runtime, [...QUIET, join(root, 'apps/server/src/cli.ts'), 'help'], {
    stdio: 'ignore',
    env: { NODE_COMPILE_CACHE: compileCache },
  })
}

// The sources of each page.
const COMMON = [
  'packages/client/src',
  'packages/contract/src',
  'packages/words/src',
  'scripts/build-pages.ts',
  'scripts/vite-config.ts',
  'package-lock.json',
]
const PAGES = {
  console: {
    sources: ['apps/console', 'apps/widget', ...COMMON],
    built: 'apps/console/dist/index.html',
  },
  widget: { sources: ['apps/widget', ...COMMON], built: 'apps/widget/dist/widget.js' },
  guide: {
    sources: [
      'apps/guide',
      'apps/widget/src/chat',
      'docs',
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      ...COMMON,
    ],
    built: 'apps/guide/dist/search.json',
  },
}
const NOT_SOURCES = /^(dist|\.types|node_modules)$|\.tsbuildinfo$|\.test\.ts$/
const builtFrom = join(root, 'node_modules/.docent-pages.json')

/**
 * Builds these pages (default: all) if their sources have changed.
 * @param {string[]} names
 */
export function buildPages(names = Object.keys(PAGES)) {
  const done = existsSync(builtFrom) ? JSON.parse(readFileSync(builtFrom, 'utf8')) : {}
  const stale = []
  for (const [name, { sources, built }] of Object.entries(PAGES)) {
    if (!names.includes(name)) continue
    const digest = createHash('sha256')
    for (const path of sources) addToDigest(digest, join(root, path))
    const now = digest.digest('hex')
    if (done[name] !== now || !existsSync(join(root, built))) stale.push(name)
    done[name] = now
  }
  if (stale.length === 0) return
  process.stdout.write(`Building the pages: ${stale.join(', ')} …\n`)
  const { status } = spawnSync(
    runtime,
    [...QUIET, join(root, 'scripts/build-pages.ts'), ...stale],
    {
      cwd: root,
      stdio: 'inherit',
    },
  )
  if (status !== 0) {
    process.stderr.write('The pages could not be built; see above.\n')
    process.exit(status ?? 1)
  }
  writeFileSync(builtFrom, JSON.stringify(done))
}

/**
 * @param {import('node:crypto').Hash} digest
 * @param {string} path
 */
function addToDigest(digest, path) {
  if (!existsSync(path)) return
  let names
  try {
    names = readdirSync(path).sort()
  } catch {
    digest.update(path.slice(root.length)).update(readFileSync(path))
    return
  }
  for (const name of names) if (!NOT_SOURCES.test(name)) addToDigest(digest, join(path, name))
}

/** The model runtime ships binaries for every platform, 240 MB more than needed. */
function removeOtherPlatforms() {
  const binaries = join(root, 'node_modules/onnxruntime-node/bin/napi-v6')
  if (!existsSync(binaries)) return
  for (const platform of readdirSync(binaries)) {
    for (const arch of readdirSync(join(binaries, platform))) {
      if (platform === process.platform && arch === process.arch) continue
      rmSync(join(binaries, platform, arch), { recursive: true, force: true })
    }
  }
}
