import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { startPostgres } from '../server/test/start-postgres.ts'

// A real PostgreSQL server with pgvector, thrown away afterwards:
//   node scripts/postgres.ts                 runs one until Ctrl-C, after it has printed its address
//   node scripts/postgres.ts npm test        runs a command with TEST_DATABASE_URL set, and ends as it does

const postgres = await startPostgres()
if (!postgres) {
  process.stderr.write(
    'There is no PostgreSQL 15+ with pgvector here, and none can be made: install them, or run this as root with debootstrap.\n',
  )
  process.exit(1)
}
const [command, ...args] = process.argv.slice(2)
if (command === undefined) {
  process.stdout.write(`${postgres.url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => void postgres.stop().then(() => process.exit(0)))
  setInterval(() => {}, 1 << 30)
} else {
  // biome-ignore lint/style/noProcessEnv: a child is given the environment as it is
  const env = { ...process.env, TEST_DATABASE_URL: postgres.url }
  const child = spawn(command, args, { stdio: 'inherit', env })
  const [code] = await once(child, 'exit')
  await postgres.stop()
  process.exit(code ?? 1)
}
