import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'

/** A connection that knows the tables of vectors: without them, even a list of all tables fails. */
export function openWithVectors(file: string, options: { readOnly: boolean }): DatabaseSync {
  const database = new DatabaseSync(file, { ...options, allowExtension: true })
  database.loadExtension(getLoadablePath())
  database.enableLoadExtension(false)
  return database
}
