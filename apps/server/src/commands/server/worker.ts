import { readConfig } from '../../config.ts'
import { withoutPassword } from '../../database/redact-password.ts'
import { AppError } from '../../errors.ts'
import { startServer } from '../../main.ts'
import type { Invocation } from '../command.ts'
import { stopBySignal } from './serve.ts'

/** Runs a node without an address. It ingests sources and delivers webhooks beside the nodes that answer. */
export async function runWorker({ environment, json, terminal, print }: Invocation): Promise<void> {
  const config = readConfig(environment)
  if (config.databaseUrl === undefined) {
    throw new AppError(
      'conflict',
      'A separate worker needs PostgreSQL (DATABASE_URL). With SQLite, "docent serve" imports the sources.',
    )
  }
  const worker = await startServer(config, [], { listens: false })
  stopBySignal(worker, json ? terminal.note : terminal.print)
  const database = withoutPassword(config.databaseUrl)
  const text = `The Docent worker is running\nDatabase: ${database}\nData folder: ${config.dataDir}`
  print({ database, data_folder: config.dataDir }, text)
}
