import { type CompiledQuery, type DatabaseConnection, Kysely } from 'kysely'
import type { Database, ReadingStep } from './database.ts'
import { setDirectAccess } from './direct-access.ts'
import { ReadingDriver, SqliteDialect, toQueryResult } from './sqlite-dialect.ts'
import type { Statement, StatementResult } from './sqlite-protocol.ts'
import type { Tables } from './tables.ts'

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
  const db = new Kysely<Tables>({ dialect: new SqliteDialect(() => new HereDriver(execute)) })
  setDirectAccess(db, { read: (sql, parameters) => execute({ sql, parameters }).rows })
  return db
}

class HereDriver extends ReadingDriver {
  readonly #execute: Execute

  constructor(execute: Execute) {
    super()
    this.#execute = execute
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const execute = this.#execute
    return {
      executeQuery: async <R>({ sql, parameters }: CompiledQuery) =>
        toQueryResult<R>(execute({ sql, parameters })),
      // biome-ignore lint/correctness/useYield: Kysely's interface asks for it, nothing here streams rows
      async *streamQuery() {
        throw new Error('SQLite queries are not streamed')
      },
    }
  }
}
