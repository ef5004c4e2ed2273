import { openSqlite } from '../database/sqlite/open-sqlite.ts'
import { storageFaultOf } from '../database/storage-fault.ts'

export interface CheckedDatabase {
  /** Oldest first. */
  migrations: string[]
  /** The problem that SQLite found. Undefined: none. */
  problem: string | undefined
}

/** Checks a whole database that no other process has open, and leaves it as a single file. */
export function checkDatabase(file: string): CheckedDatabase {
  const database = openSqlite(file, { readOnly: false })
  try {
    // Makes one file complete, so that it can be copied. The server switches back to WAL mode.
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
