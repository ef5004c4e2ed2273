import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { compileCache, root, runtime } from './run-on-node.mjs'
import { buildPages, install } from './set-up.mjs'

// npm test                       all SQLite tests that need no browser
// npm test -- FILE …             only these files; builds the pages only for tests of pages
// npm run test:postgres          *.stores.test.ts on PostgreSQL, whose result depends on the store
// npm run test:browser           the tests in Chromium: tests/e2e and *.browser.test.ts
const FOLDERS = ['apps', 'packages', 'tests', 'bench']
const IN_BROWSER = /^tests\/e2e\/|\.browser\.test\.ts$/
const KINDS = {
  default: (/** @type {string} */ file) => !IN_BROWSER.test(file),
  postgres: (/** @type {string} */ file) => file.endsWith('.stores.test.ts'),
  browser: (/** @type {string} */ file) => IN_BROWSER.test(file),
}
const OF_PAGES = /[./](browser|pages)\.test\.ts$|(^|\/)e2e\//
const NOT_TESTS = /(^|\/)(node_modules|dist|\.types)\//

const [first = '', ...others] = process.argv.slice(2)
const kind = first === '--postgres' ? 'postgres' : first === '--browser' ? 'browser' : 'default'
const named = kind === 'default' ? process.argv.slice(2) : others

install({ withTools: true })
const files = named.length > 0 ? named : list(kind)
if (files.some((file) => OF_PAGES.test(file))) buildPages()
process.exit(kind === 'postgres' ? runOnPostgres(files) : run([], files))

/**
 * The first run of a new checkout is on the machine's Node, which may lack `globSync`.
 * @param {'default' | 'postgres' | 'browser'} kind
 */
function list(kind) {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  )
  return files
    .filter((file) => file.endsWith('.test.ts') && !NOT_TESTS.test(file) && KINDS[kind](file))
    .sort()
}

/**
 * @param {string[]} before the command that starts the tests, if not Node itself
 * @param {string[]} files
 */
function run(before, files) {
  // By default Node leaves a core free. On two cores it would run one file at a time, although tests mostly wait.
  const atOnce = `--test-concurrency=${Math.max(3, cpus().length)}`
  const [program = '', ...args] = [
    ...before,
    runtime,
    '--disable-warning=ExperimentalWarning',
    '--test',
    '--test-timeout=240000',
    // A test that fails may leave a server open, which would keep its file running forever.
    '--test-force-exit',
    atOnce,
    ...files,
  ]
  // biome-ignore lint/style/noProcessEnv: tests inherit the environment
  const env = { NODE_COMPILE_CACHE: compileCache, ...process.env }
  if (kind !== 'postgres' && named.length === 0) delete env.TEST_DATABASE_URL
  return spawnSync(program, args, { cwd: root, stdio: 'inherit', env }).status ?? 1
}

/** @param {string[]} files */
function runOnPostgres(files) {
  // biome-ignore lint/style/noProcessEnv: the tested store is not a setting of the product
  if (process.env.TEST_DATABASE_URL) return run([], files)
  const starting = [runtime, '--disable-warning=ExperimentalWarning', 'scripts/postgres.ts']
  const [program = '', ...args] = [...starting, 'true']
  const canStart = spawnSync(program, args, { cwd: root, stdio: 'ignore' }).status === 0
  if (canStart) return run(starting, files)
  process.stdout.write(
    'SKIPPED: there is no PostgreSQL 15+ with pgvector. Set TEST_DATABASE_URL, or see scripts/postgres.ts.\n',
  )
  return 0
}
