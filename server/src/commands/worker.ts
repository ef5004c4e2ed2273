import { readConfig } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Invocation } from './command.ts'

/** Refused where one process holds the data folder, which is wherever SQLite is the database. */
export async function runWorker({ environment }: Invocation): Promise<void> {
  readConfig(environment)
  throw new AppError(
    'conflict',
    'A worker of its own needs PostgreSQL (DATABASE_URL). With SQLite one process holds the data folder: "docent serve" takes sources in by itself.',
  )
}
