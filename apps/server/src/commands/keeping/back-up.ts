import { dirname, resolve } from 'node:path'
import { readConfig } from '../../config.ts'
import { withoutPassword } from '../../database/redact-password.ts'
import { backUp } from '../../keeping/back-up.ts'
import { restore, restoreToPostgres } from '../../keeping/restore.ts'
import {
  adviseOnLeftovers,
  findLeftovers,
  removeTemporaryFiles,
} from '../../keeping/unfinished-files.ts'
import { type Invocation, UsageError } from '../command.ts'
import { unlessInterrupted } from '../terminal.ts'

export async function runBackup(call: Invocation): Promise<void> {
  const { store, file } = readCall(call, 'backup')
  const replace = call.switches.force ?? false
  const made = await unlessInterrupted(backUp(store, file, { replace }), removeTemporaryFiles)
  const size = made.bytes.toLocaleString('en')
  const from = store.databaseUrl ? withoutPassword(store.databaseUrl) : store.dataDir
  call.print(made, `Backed up ${from} to ${file} (${size} bytes, verified).`)
  const advice = adviseOnLeftovers(findLeftovers(dirname(file)))
  if (advice) call.terminal.note(advice)
}

export async function runRestore(call: Invocation): Promise<void> {
  const { store, file } = readCall(call, 'restore')
  const { databaseUrl } = store
  const restoring =
    databaseUrl === undefined
      ? restore(file, store.dataDir, { replace: call.switches.force ?? false })
      : restoreToPostgres(file, { ...store, databaseUrl })
  const restored = await unlessInterrupted(restoring, removeTemporaryFiles)
  const kept = restored.before ? ` The previous data is in ${restored.before}.` : ''
  call.print(restored, `Restored ${restored.into} to its state at ${restored.created_at}.${kept}`)
}

function readCall({ args, environment }: Invocation, command: string) {
  const [file, ...more] = args
  if (!file || more.length > 0) throw new UsageError(`Give one file: docent ${command} FILE`)
  return { store: readConfig(environment), file: resolve(file) }
}
