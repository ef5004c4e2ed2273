import { Kysely } from 'kysely'
import type { Database, ReadingStep } from '../database.ts'
import { setDirectAccess } from '../direct-access.ts'
import type { Tables } from '../tables.ts'
import { QueryDriver, type RunQuery, SqliteDialect, toQueryResult } from './sqlite-dialect.ts'
import type { Statement, StatementResult } from './sqlite-protocol.ts'

type Execute = (statement: Statement) => StatementResult
type StepModule = { readingStep: ReadingStep<unknown, unknown> }

let here: Database | undefined
// Finding a module that is loaded already takes longer than a look-up in the database.
const loaded = new Map<string, Promise<StepModule>>()

/** In the thread that reads: does the step that a module exports, with queries that run at once, on this thread. */
export async function runStep(execute: Execute, module: string, input: unknown): Promise<unknown> {
  here ??= openHere(execute)
  return (await load(module)).readingStep.run(here, input)
}

function load(module: string): Promise<StepModule> {
  let step = loaded.get(module)
  if (!step) {
    step = import(module) as Promise<StepModule>
    loaded.set(module, step)
    // The next one tries again: there may have been too many files open.
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
