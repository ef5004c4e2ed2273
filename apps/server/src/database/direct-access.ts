import type { Database } from './database.ts'
import type { Statement, StatementResult } from './sqlite/sqlite-protocol.ts'

/**
 * A path to the store without Kysely's execution layer. For a compiled statement, that layer costs more than most
 * statements.
 */
export interface DirectAccess {
  /** Reads synchronously on the calling thread. Until the next write, the same query returns the same array. */
  read(sql: string, parameters: readonly unknown[]): readonly unknown[]
  /** Runs one unit. Undefined if a `mustReturn` statement returned no row. */
  write?(statements: Statement[]): Promise<StatementResult[] | undefined>
}

const accesses = new WeakMap<Database, DirectAccess>()

/** Registers this handle only. A transaction has its own handle without direct access. */
export function setDirectAccess(db: Database, access: DirectAccess): void {
  accesses.set(db, access)
}

export function directAccess(db: Database): DirectAccess | undefined {
  return accesses.get(db)
}
