import type { CompiledQuery, Kysely } from 'kysely'
import { directAccess } from './bypass-kysely.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

/** A statement of a unit. With `mustReturn`, an empty result rolls back the whole unit. */
export interface UnitStatement {
  query: CompiledQuery
  mustReturn?: boolean
}

/** Our extension of Kysely's connection. */
export interface UnitConnection {
  runUnit(statements: UnitStatement[]): Promise<boolean>
}

/**
 * Runs statements atomically. Unlike a transaction, a unit reads nothing in between, so its statements travel to the
 * database together and share a commit with other writes. Returns false and changes nothing if a `mustReturn` statement
 * returned no row.
 */
export async function runAtomically(db: Database, statements: UnitStatement[]): Promise<boolean> {
  const direct = directAccess(db)
  if (direct?.write) {
    const unit = statements.map(({ query: { sql, parameters }, mustReturn = false }) => {
      return { sql, parameters, mustReturn }
    })
    return (await direct.write(unit)) !== undefined
  }
  return db
    .getExecutor()
    .provideConnection((connection) =>
      (connection as unknown as UnitConnection).runUnit(statements),
    )
}

/**
 * Work that reads many rows and returns little. `module` is the URL of a file that exports the step as `readingStep`,
 * so that another thread can import it. Input and output are copied between threads.
 */
export interface ReadingStep<Input, Output> {
  module: string
  run(db: Database, input: Input): Promise<Output>
}

/** A connection whose database is read by another thread. */
export interface StepConnection {
  runStep<Output>(module: string, input: unknown): Promise<Output>
}

/** Runs a step close to the data: on SQLite in the search thread, on PostgreSQL in this thread. */
export function runInSearchThread<Input, Output>(
  db: Database,
  step: ReadingStep<Input, Output>,
  input: Input,
): Promise<Output> {
  return db
    .getExecutor()
    .provideConnection((connection) =>
      'runStep' in connection
        ? (connection as unknown as StepConnection).runStep<Output>(step.module, input)
        : step.run(db, input),
    )
}
