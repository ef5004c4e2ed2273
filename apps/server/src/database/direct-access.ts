import type { Kysely } from 'kysely'
import type { Statement, StatementResult } from './sqlite/sqlite-protocol.ts'
import type { Tables } from './tables.ts'

/**
 * A way to a store past Kysely's own machinery. What that does around a statement which is compiled already costs more than
 * most statements do.
 */
export interface DirectAccess {
  /** Reads at once, on the calling thread. While nothing is written, the same question gets the very same rows. */
  read(sql: string, parameters: readonly unknown[]): readonly unknown[]
  /** One write. Undefined when a `mustReturn` statement came back empty. */
  write?(statements: Statement[]): Promise<StatementResult[] | undefined>
}

const accesses = new WeakMap<Kysely<Tables>, DirectAccess>()

/** Of this very handle: a transaction has a handle of its own, and none. */
export function setDirectAccess(db: Kysely<Tables>, access: DirectAccess): void {
  accesses.set(db, access)
}

export function directAccess(db: Kysely<Tables>): DirectAccess | undefined {
  return accesses.get(db)
}
