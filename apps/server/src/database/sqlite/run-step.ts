import { Kysely } from 'kysely'
import { setDirectAccess } from '../bypass-kysely.ts'
import type { Database, ReadingStep } from '../database.ts'
import type { Tables } from '../tables.ts'
import { QueryDriver, type RunQuery, SqliteDialect, toQueryResult } from './sqlite-dialect.ts'
import type { Statement, StatementResult } from './sqlite-protocol.ts'

type Execute = (statement: Statement) => StatementResult
type StepModule = { readingStep: ReadingStep<unknown, unknown> }

let here: Database | undefined
// Importing a loaded module again takes longer than a database look-up, so modules are cached.
const loaded = new Map<string, Promise<StepModule>>()

/** Runs a module's reading step in the search thread, with synchronous queries. */
export async function runStep(execute: Execute, module: string, input: unknown): Promise<unknown> {
  here ??= openHere(execute)
  return (await load(module)).readingStep.run(here, input)
}

function load(module: string): Promise<StepModule> {
  let step = loaded.get(module)
  if (!step) {
    step = import(module) as Promise<StepModule>
    loaded.set(module, step)
    // Allows a retry: the import may have failed because too many files were open.
    step.catch(() => loaded.delete(module))
  }
  return step
}

function openHere(execute: Execute): Database {
  const run: RunQuery = async ({ sql, parameters }) => toQueryResult(execute({ sql, parameters }))
  const db = new Kysely<Tables>({ dialect: new SqliteDialect(() => new QueryDriver(run)) })
  setDirectAccess(db, { read: (sql, parameters) => execute({ sql, parameters }).rows })
  return db
}
