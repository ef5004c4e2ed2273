import type { CompiledQuery, Kysely } from 'kysely'
import { directAccess } from './direct-access.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

/** A statement of a unit. With `mustReturn`, a statement that returns no row undoes the whole unit. */
export interface UnitStatement {
  query: CompiledQuery
  mustReturn?: boolean
}

/** What a connection offers beside Kysely's own interface. */
export interface UnitConnection {
  runUnit(statements: UnitStatement[]): Promise<boolean>
}

/**
 * Runs statements as one: all take effect or none. Unlike a transaction nothing is read in between, so the
 * statements travel to the database together and share their commit with whatever else is being written.
 * Returns false when a `mustReturn` statement came back empty, and then nothing was changed.
 */
export async function runTogether(db: Database, statements: UnitStatement[]): Promise<boolean> {
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
 * Work that reads much and comes to little. `module` is the address of a file that exports it as `readingStep`, so that
 * another thread can load it; its input and output are copied on their way.
 */
export interface ReadingStep<Input, Output> {
  module: string
  run(db: Database, input: Input): Promise<Output>
}

/** What a connection offers whose database is read by another thread. */
export interface StepConnection {
  runStep<Output>(module: string, input: unknown): Promise<Output>
}

/** Runs a step beside the data: on SQLite in the thread that reads it, and elsewhere here. */
export function runBesideData<Input, Output>(
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
