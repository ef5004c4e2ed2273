import { readFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'

/** Runs the statements of a file in order. An empty line ends each. */
export async function runStatements(db: Kysely<unknown>, file: URL): Promise<void> {
  const statements = readFileSync(file, 'utf8').trimEnd().split(/;\n{2,}/)
  for (const statement of statements) await sql.raw(statement).execute(db)
}
