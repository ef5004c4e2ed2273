import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startPgBouncer } from '@docent/server/test/machine/start-pgbouncer.ts'
import { startPostgres } from '@docent/server/test/machine/start-postgres.ts'

// Starts a temporary PostgreSQL server with pgvector:
//   node scripts/postgres.ts                 prints its URL and runs until Ctrl-C
//   node scripts/postgres.ts npm test        runs a command with TEST_DATABASE_URL, and exits with its status
//   node scripts/postgres.ts --pgbouncer npm test -- apps/server/src/features/sources/sources.stores.test.ts
//                                            the same through PgBouncer in transaction mode

const postgres = await startPostgres()
if (!postgres) {
  process.stderr.write(
    'There is no PostgreSQL 15+ with pgvector here, and none can be made: install them, or run this as root with debootstrap.\n',
  )
  process.exit(1)
}
const given = process.argv.slice(2)
const hasPooler = given[0] === '--pgbouncer'
const [command, ...args] = hasPooler ? given.slice(1) : given
const pooler = hasPooler ? await startPgBouncer(postgres.url) : undefined
if (hasPooler && !pooler) {
  process.stderr.write('There is no PgBouncer 1.21+ here, and none can be made.\n')
  await postgres.stop()
  process.exit(1)
}
const stop = async () => {
  await pooler?.stop()
  await postgres.stop()
}
if (command === undefined) {
  process.stdout.write(`${postgres.url}\n${pooler ? `PgBouncer: ${pooler.host}\n` : ''}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void stop().then(() => process.exit(0)))
  setInterval(() => {}, 1 << 30)
} else {
  const env = {
    // biome-ignore lint/style/noProcessEnv: the child inherits the environment
    ...process.env,
    TEST_DATABASE_URL: postgres.url,
    ...(pooler && { TEST_POOLER: pooler.host }),
  }
  const child = spawn(command, args, { stdio: 'inherit', env })
  const [code] = await once(child, 'exit')
  await stop()
  process.exit(code ?? 1)
}
