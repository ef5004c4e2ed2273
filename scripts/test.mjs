import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPages, compileCache, install, root, runtime } from './set-up.mjs'

// "npm test" runs everything; "npm test -- server/test/x.test.ts" what is named. What is about the store runs a second
// time on PostgreSQL, where there is one (TEST_DATABASE_URL) or one can be started (scripts/postgres.ts). "npm run
// test:postgres" runs everything there, or what is named, and nothing on SQLite.
const [first, ...others] = process.argv.slice(2)
const onPostgres = first === '--postgres'
const named = onPostgres ? others : process.argv.slice(2)
const files =
  named.length > 0
    ? named
    : [
        'apps/server/test/**/*.test.ts',
        'widget/test/**/*.test.ts',
        'client/test/**/*.test.ts',
        'e2e/**/*.test.ts',
      ]
// Those whose outcome depends on how the store does something.
const ABOUT_THE_STORE = [
  'access',
  'analytics',
  'change-embedder',
  'change-reading',
  'chatbots',
  'citations',
  'crawl',
  'crawl-again',
  'deletes',
  'doctor',
  'erasing',
  'export',
  'export-conversations',
  'faults-clock',
  'faults-files',
  'faults-postgres',
  'find-conversations',
  'host-names',
  'import-hostile',
  'insights',
  'kept-models',
  'leases',
  'limits',
  'long-lists',
  'long-sources',
  'lost-way',
  'message-totals',
  'messages',
  'move',
  'near-indexes',
  'nodes',
  'nodes-campaign',
  'old-revisions',
  'pgbouncer',
  'openai-door',
  'pairs-override',
  'postgres',
  'query-plans',
  'question-keys',
  'quotas',
  'rate-limit',
  'read-again',
  'receipts',
  'revisions',
  'search',
  'sign-in',
  'source-turns',
  'sources',
  'stopping',
  'streams',
  'token-budget',
  'unchanged-pages',
  'uploads',
  'user-commands',
  'visitor-bounds',
  'visitors',
  'webhooks',
  'worker',
].map((name) => `apps/server/test/${name}.test.ts`)

install({ withTools: true })
buildPages()
const QUIET = '--disable-warning=ExperimentalWarning'
// Node by itself leaves a core free and on two of them runs one file at a time, though a test mostly waits for others.
const atOnce = `--test-concurrency=${Math.max(3, cpus().length)}`
// A test that fails may leave a process or a server behind, which must not keep the others waiting for ever.
const testing = [runtime, QUIET, '--test', '--test-timeout=240000', '--test-force-exit']
const MOST_TRIED_AGAIN = 2
// biome-ignore lint/style/noProcessEnv: which store to test is no setting of the product
const given = { NODE_COMPILE_CACHE: compileCache, ...process.env }
const { TEST_DATABASE_URL, ...environment } = given

if (onPostgres) process.exit(runOnPostgres(files) ?? 1)
if (named.length > 0) process.exit(runOnce(files, given).status)
const status = run(files, environment)
process.stdout.write('\nThe same on PostgreSQL …\n')
process.exit(runOnPostgres(ABOUT_THE_STORE) || status)

/**
 * Files run beside each other, on machines that others may use too. Where one or two failed, they are tried once more with
 * nothing beside them: what is broken fails again, and what passes is named all the same.
 * @param {string[]} files
 * @param {NodeJS.ProcessEnv} env
 */
function run(files, env, before = /** @type {string[]} */ ([])) {
  const first = runOnce(files, env, before)
  if (first.status === 0 || first.failed.length === 0 || first.failed.length > MOST_TRIED_AGAIN)
    return first.status
  process.stdout.write(`\nFailed, and tried again alone: ${first.failed.join(', ')}\n`)
  const second = runOnce(first.failed, env, before, '--test-concurrency=1')
  if (second.status === 0) process.stdout.write(`\nPassed only alone: ${first.failed.join(', ')}\n`)
  return second.status
}

/**
 * @param {string[]} files
 * @param {NodeJS.ProcessEnv} env
 */
function runOnce(files, env, before = /** @type {string[]} */ ([]), concurrency = atOnce) {
  const folder = mkdtempSync(join(tmpdir(), 'docent-test-'))
  const list = join(folder, 'failed')
  const reporting = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${join(root, 'scripts/failed-files.mjs')}`,
    `--test-reporter-destination=${list}`,
  ]
  const [program = '', ...args] = [...before, ...testing, concurrency, ...reporting, ...files]
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env })
  const failed = readFileSync(list, 'utf8').split('\n').filter(Boolean)
  rmSync(folder, { recursive: true })
  return { status: status ?? 1, failed }
}

/**
 * How it ended; nothing when there is no server to run it on, which is said.
 * @param {string[]} files
 */
function runOnPostgres(files) {
  if (TEST_DATABASE_URL) return run(files, { ...environment, TEST_DATABASE_URL })
  const starting = [runtime, QUIET, 'scripts/postgres.ts']
  const [program = '', ...args] = [...starting, 'true']
  const canStart = spawnSync(program, args, { cwd: root, stdio: 'ignore' }).status === 0
  if (canStart) return run(files, environment, starting)
  process.stdout.write(
    'SKIPPED: there is no PostgreSQL 15+ with pgvector here. Name one with TEST_DATABASE_URL, or see scripts/postgres.ts.\n',
  )
  return undefined
}
