import { DatabaseError } from 'pg'
import { SqliteError } from './sqlite/sqlite-connection.ts'

const SQLITE_CONSTRAINT_FOREIGNKEY = 787
const POSTGRES_FOREIGN_KEY_VIOLATION = '23503'

/** The parent row was deleted while this row was being written. */
export function isForeignKeyViolation(error: unknown): boolean {
  if (error instanceof SqliteError) return error.errcode === SQLITE_CONSTRAINT_FOREIGNKEY
  return error instanceof DatabaseError && error.code === POSTGRES_FOREIGN_KEY_VIOLATION
}
