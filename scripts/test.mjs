import { spawnSync } from 'node:child_process'
import { buildPages, install, root, runtime } from './set-up.mjs'

// "npm test" runs everything; "npm test -- server/test/x.test.ts" what is named. What is about the store runs a second
// time on PostgreSQL, where there is one (TEST_DATABASE_URL) or one can be started (scripts/postgres.ts).
const named = process.argv.slice(2)
const files =
  named.length > 0
    ? named
    : [
        'server/test/**/*.test.ts',
        'widget/test/**/*.test.ts',
        'client/test/**/*.test.ts',
        'e2e/**/*.test.ts',
        'bench/**/*.test.ts',
      ]
// Those whose outcome depends on how the store does something.
const ABOUT_THE_STORE = [
  'access',
  'change-embedder',
  'chatbots',
  'citations',
  'crawl',
  'crawl-again',
  'deletes',
  'export',
  'insights',
  'leases',
  'limits',
  'long-sources',
  'messages',
  'move',
  'near-indexes',
  'nodes',
  'openai-door',
  'nodes-campaign',
  'postgres',
  'query-plans',
  'question-keys',
  'rate-limit',
  'receipts',
  'revisions',
  'search',
  'sign-in',
  'sources',
  'stopping',
  'streams',
  'uploads',
  'visitors',
  'webhooks',
  'worker',
].map((name) => `server/test/${name}.test.ts`)

install({ withTools: true })
buildPages()
const QUIET = '--disable-warning=ExperimentalWarning'
const testing = [runtime, QUIET, '--test', '--test-timeout=240000']
// biome-ignore lint/style/noProcessEnv: which store to test is no setting of the product
const given = process.env
const { TEST_DATABASE_URL, ...environment } = given

if (named.length > 0) process.exit(run(files, given))
const status = run(files, environment)
process.exit(runOnPostgres() || status)

/**
 * @param {string[]} files
 * @param {NodeJS.ProcessEnv} env
 */
function run(files, env, before = /** @type {string[]} */ ([])) {
  const [program = '', ...args] = [...before, ...testing, ...files]
  return spawnSync(program, args, { cwd: root, stdio: 'inherit', env }).status ?? 1
}

/** How the second half ended; 0 when there is nothing to run it on, which is said. */
function runOnPostgres() {
  process.stdout.write('\nThe same on PostgreSQL …\n')
  if (TEST_DATABASE_URL) return run(ABOUT_THE_STORE, { ...environment, TEST_DATABASE_URL })
  const starting = [runtime, QUIET, 'scripts/postgres.ts']
  const [program = '', ...args] = [...starting, 'true']
  const canStart = spawnSync(program, args, { cwd: root, stdio: 'ignore' }).status === 0
  if (canStart) return run(ABOUT_THE_STORE, environment, starting)
  process.stdout.write(
    'SKIPPED: there is no PostgreSQL 15+ with pgvector here. Name one with TEST_DATABASE_URL, or see scripts/postgres.ts.\n',
  )
  return 0
}
