import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'

/**
 * A connection to the file. Each one knows vectors: where a table of them is, SQLite can't even list the tables without
 * the extension that made it.
 */
export function openSqlite(file: string | URL, options: { readOnly: boolean }): DatabaseSync {
  const database = new DatabaseSync(file, { ...options, allowExtension: true })
  database.loadExtension(getLoadablePath())
  database.enableLoadExtension(false)
  database.exec('PRAGMA busy_timeout = 5000')
  return database
}
