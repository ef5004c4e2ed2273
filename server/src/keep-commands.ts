import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from './config.ts'
import { AppError } from './errors.ts'
import { backUp } from './keeping/back-up.ts'
import { restore } from './keeping/restore.ts'

export const KEEP_HELP = `  docent backup FILE                everything in one file, while the server runs
      [--force]                     replace a file that is there
                                    docent backup /backups/docent-$(date +%F).gz
  docent restore FILE               put a backup in charge of the data folder; the server must be stopped
      [--force]                     also when the folder is not empty; its database is kept beside the new one
                                    DATA_DIR=/var/lib/docent docent restore /backups/docent-2027-01-31.gz
`

const OPTIONS = {
  force: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

/** `docent backup` and `docent restore`. */
export async function runKeepCommand(
  { dataDir, databaseUrl }: Config,
  command: 'backup' | 'restore',
  args: string[],
  print: (line: string) => void,
): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true })
  const [given, ...more] = positionals
  if (!given || more.length > 0) {
    throw new AppError('invalid', `Give one file: docent ${command} FILE`)
  }
  if (databaseUrl !== undefined) {
    throw new AppError(
      'invalid',
      `A database in PostgreSQL is backed up with its own tools: pg_dump --format=custom --file=FILE "$DATABASE_URL", and pg_restore.`,
    )
  }
  const file = resolve(given)
  const replace = values.force
  if (command === 'backup') {
    const made = await backUp(dataDir, file, { replace })
    print(
      values.json
        ? JSON.stringify(made)
        : `Everything in ${dataDir} is in ${file} now (${made.bytes.toLocaleString('en')} bytes, checked).`,
    )
  } else {
    const restored = await restore(file, dataDir, { replace })
    const kept = restored.before ? ` What was there before is in ${restored.before}.` : ''
    print(
      values.json
        ? JSON.stringify(restored)
        : `${dataDir} is as it was at ${restored.created_at}.${kept}`,
    )
  }
}
