import { openSqlite } from '../database/sqlite/open-sqlite.ts'
import { storageFaultOf } from '../database/storage-fault.ts'

export interface CheckedDatabase {
  /** The names of the migrations that made its schema, oldest first. */
  migrations: string[]
  /** What SQLite finds wrong with it; undefined when all is well. */
  problem: string | undefined
}

/** Goes through all of a database that nobody else has open, and leaves it as one file. */
export function checkDatabase(file: string): CheckedDatabase {
  const database = openSqlite(file, { readOnly: false })
  try {
    // A copy of the one file is then a copy of everything; the server goes back to its own mode.
    database.exec('PRAGMA journal_mode = DELETE')
    const [integrity] = database.prepare('PRAGMA integrity_check(1)').all()
    const orphans = database.prepare('PRAGMA foreign_key_check').all()
    const found = integrity?.integrity_check
    const problem =
      found !== 'ok' ? String(found) : orphans.length > 0 ? 'rows without a parent' : undefined
    const rows = database.prepare('SELECT name FROM kysely_migration ORDER BY name').all()
    return { migrations: rows.map(({ name }) => String(name)), problem }
  } catch (error) {
    if (storageFaultOf(error) !== 'damaged') throw error
    return { migrations: [], problem: (error as Error).message }
  } finally {
    database.close()
  }
}
