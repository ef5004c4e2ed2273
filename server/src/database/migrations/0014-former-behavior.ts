import { type Kysely, sql } from 'kysely'
import { VERSION } from '../../version.ts'

/** What data of an earlier version goes on doing for one version. New data has no such rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE former_behavior (
    name TEXT PRIMARY KEY,
    kept_in_version TEXT NOT NULL
  ) STRICT`.execute(db)
  await keepAnsweringAnyHost(db)
}

/** It was answered by any host name, which an operator may rely on. */
export async function keepAnsweringAnyHost(db: Kysely<unknown>): Promise<void> {
  await sql`INSERT INTO former_behavior (name, kept_in_version)
    SELECT 'answers any host', ${VERSION} WHERE EXISTS (SELECT 1 FROM users)`.execute(db)
}
