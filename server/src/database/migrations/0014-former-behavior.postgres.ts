import { type Kysely, sql } from 'kysely'
import { keepAnsweringAnyHost } from './0014-former-behavior.ts'

/** What data of an earlier version goes on doing for one version. New data has no such rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE former_behavior (
    name TEXT COLLATE "C" PRIMARY KEY,
    kept_in_version TEXT NOT NULL
  )`.execute(db)
  await keepAnsweringAnyHost(db)
}
