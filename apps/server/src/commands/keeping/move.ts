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
      'All of it is copied. Stop the server and run the same command with --finish: it brings what has changed since, and switches.',
    )
  }
  for (const [name, { rows, sha256 }] of Object.entries(moved.tables))
    say(`${name}: ${rows.toLocaleString('en')} rows, the same in both (${sha256.slice(0, 16)})`)
  say(
    to.databaseUrl === undefined
      ? 'Moved. Leave DATABASE_URL out, and start the server.'
      : `Moved. Set DATABASE_URL to the new address, and start the server. The old file stays in ${from.dataDir}.`,
  )
}

function readTarget(to: string | undefined, databaseUrl: string | undefined): string | undefined {
  const isPostgres = to !== undefined && /^postgres(ql)?:\/\//.test(to)
  if (!isPostgres && to !== 'sqlite') {
    throw new UsageError('Say where to: docent move --to postgres://…, or --to sqlite')
  }
  if (isPostgres && databaseUrl !== undefined) {
    throw new UsageError(
      'DATABASE_URL names a PostgreSQL already. From one to another, use "docent backup" and "docent restore"; to move from the data folder, leave DATABASE_URL out.',
    )
  }
  if (!isPostgres && databaseUrl === undefined) {
    throw new UsageError('Set DATABASE_URL to the database that is to be moved.')
  }
  return isPostgres ? to : undefined
}
