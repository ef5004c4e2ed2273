import type { Kysely } from 'kysely'
import { runStatements } from '../run-statements.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await runStatements(db, new URL('0001-initial.sql', import.meta.url))
}
