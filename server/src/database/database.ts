import type { CompiledQuery, Kysely } from 'kysely'
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
export function runTogether(db: Database, statements: UnitStatement[]): Promise<boolean> {
  return db
    .getExecutor()
    .provideConnection((connection) =>
      (connection as unknown as UnitConnection).runUnit(statements),
    )
}
