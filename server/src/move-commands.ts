import { parseArgs } from 'node:util'
import type { Config } from './config.ts'
import { AppError } from './errors.ts'
import { moveStore, type Store } from './keeping/move-store.ts'

export const MOVE_HELP = `  docent move --to postgres://…     copy everything from the data folder to PostgreSQL, while the server runs
  docent move --to sqlite           the way back, to the data folder, with DATABASE_URL set to the old database
      [--finish]                    with the server stopped: bring the rest, compare every table, and switch
                                    docent move --to postgres://docent@db/docent --finish
`

const OPTIONS = {
  to: { type: 'string' },
  finish: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** `docent move`. */
export async function runMoveCommand(
  config: Config,
  args: string[],
  print: (line: string) => void,
): Promise<void> {
  const { values } = parseArgs({ args, options: OPTIONS })
  const { dataDir, databaseUrl, databaseConnections } = config
  const from: Store = { dataDir, databaseUrl, databaseConnections }
  const to: Store = { ...from, databaseUrl: readTarget(values.to, databaseUrl) }
  const say = values.json ? () => {} : print
  const moved = await moveStore(from, to, { finish: values.finish, say })
  if (values.json) return print(JSON.stringify(moved))
  if (!moved.finished) {
    return print(
      'All of it is copied. Stop the server and run the same command with --finish: it brings what has changed since, and switches.',
    )
  }
  for (const [name, { rows, sha256 }] of Object.entries(moved.tables))
    print(`${name}: ${rows.toLocaleString('en')} rows, the same in both (${sha256.slice(0, 16)})`)
  print(
    to.databaseUrl === undefined
      ? 'Moved. Leave DATABASE_URL out, and start the server.'
      : `Moved. Set DATABASE_URL to the new address, and start the server. The old file stays in ${dataDir}.`,
  )
}

function readTarget(to: string | undefined, databaseUrl: string | undefined): string | undefined {
  const isPostgres = to !== undefined && /^postgres(ql)?:\/\//.test(to)
  if (!isPostgres && to !== 'sqlite') {
    throw new AppError('invalid', 'Say where to: docent move --to postgres://…, or --to sqlite')
  }
  if (isPostgres && databaseUrl !== undefined) {
    throw new AppError(
      'invalid',
      'DATABASE_URL names a PostgreSQL already. From one to another, use pg_dump and pg_restore; to move from the data folder, leave DATABASE_URL out.',
    )
  }
  if (!isPostgres && databaseUrl === undefined) {
    throw new AppError('invalid', 'Set DATABASE_URL to the database that is to be moved.')
  }
  return isPostgres ? to : undefined
}
