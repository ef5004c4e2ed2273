import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { AppError } from '../errors.ts'
import { backUp } from '../keeping/back-up.ts'
import { restore } from '../keeping/restore.ts'
import { type Invocation, UsageError } from './command.ts'

export async function runBackup(call: Invocation): Promise<void> {
  const { dataDir, file } = readCall(call, 'backup')
  const made = await backUp(dataDir, file, { replace: call.switches.force ?? false })
  const size = made.bytes.toLocaleString('en')
  call.terminal.print(
    call.json
      ? JSON.stringify(made)
      : `Everything in ${dataDir} is in ${file} now (${size} bytes, checked).`,
  )
}

export async function runRestore(call: Invocation): Promise<void> {
  const { dataDir, file } = readCall(call, 'restore')
  const restored = await restore(file, dataDir, { replace: call.switches.force ?? false })
  const kept = restored.before ? ` What was there before is in ${restored.before}.` : ''
  call.terminal.print(
    call.json
      ? JSON.stringify(restored)
      : `${dataDir} is as it was at ${restored.created_at}.${kept}`,
  )
}

function readCall({ args, environment }: Invocation, command: string) {
  const [file, ...more] = args
  if (!file || more.length > 0) throw new UsageError(`Give one file: docent ${command} FILE`)
  const { dataDir, databaseUrl } = readConfig(environment)
  if (databaseUrl !== undefined) {
    throw new AppError(
      'conflict',
      'A database in PostgreSQL is backed up with its own tools: pg_dump --format=custom --file=FILE "$DATABASE_URL", and pg_restore.',
    )
  }
  return { dataDir, file: resolve(file) }
}
