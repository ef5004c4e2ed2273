import { readConfig } from '../../config.ts'
import { moveStore, type Store } from '../../keeping/move-store.ts'
import { type Invocation, UsageError } from '../command.ts'

export async function runMove({ values, switches, json, environment, terminal }: Invocation) {
  const from = readConfig(environment)
  const to: Store = { ...from, databaseUrl: readTarget(values.to, from.databaseUrl) }
  const say = json ? () => {} : terminal.print
  const moved = await moveStore(from, to, { finish: switches.finish ?? false, say })
  if (json) return terminal.print(JSON.stringify(moved))
  if (!moved.finished) {
    return terminal.print(
      'All data is copied. Stop the server and run the same command with --finish to copy the last changes and switch.',
    )
  }
  for (const [name, { rows, sha256 }] of Object.entries(moved.tables))
    say(`${name}: ${rows.toLocaleString('en')} rows, identical in both (${sha256.slice(0, 16)})`)
  say(
    to.databaseUrl === undefined
      ? 'Moved. Remove DATABASE_URL and start the server.'
      : `Moved. Set DATABASE_URL to the new database and start the server. The old database file stays in ${from.dataDir}.`,
  )
}

function readTarget(to: string | undefined, databaseUrl: string | undefined): string | undefined {
  const isPostgres = to !== undefined && /^postgres(ql)?:\/\//.test(to)
  if (!isPostgres && to !== 'sqlite') {
    throw new UsageError('Give a target: docent move --to postgres://…, or --to sqlite')
  }
  if (isPostgres && databaseUrl !== undefined) {
    throw new UsageError(
      'DATABASE_URL is already a PostgreSQL database. To move from the data folder, remove DATABASE_URL. To move between PostgreSQL databases, use "docent backup" and "docent restore".',
    )
  }
  if (!isPostgres && databaseUrl === undefined) {
    throw new UsageError('Set DATABASE_URL to the database to move.')
  }
  return isPostgres ? to : undefined
}
