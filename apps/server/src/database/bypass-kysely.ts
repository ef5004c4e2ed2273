import type { Kysely } from 'kysely'
import type { Statement, StatementResult } from './sqlite/sqlite-protocol.ts'
import type { Tables } from './tables.ts'

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

const accesses = new WeakMap<Kysely<Tables>, DirectAccess>()

/** Registers this handle only. A transaction has its own handle without direct access. */
export function setDirectAccess(db: Kysely<Tables>, access: DirectAccess): void {
  accesses.set(db, access)
}

export function directAccess(db: Kysely<Tables>): DirectAccess | undefined {
  return accesses.get(db)
}
