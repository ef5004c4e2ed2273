import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'

/**
 * A connection to the file. Each one knows vectors: where a table of them is, SQLite can't even list the tables without
 * the extension that made it.
 */
export function openSqlite(
  file: string | URL,
  { isCancelled = () => false, ...options }: { readOnly: boolean; isCancelled?: () => boolean },
): DatabaseSync {
  if (!options.readOnly && !existsSync(file)) createForOwner(file)
  const database = new DatabaseSync(file, { ...options, allowExtension: true })
  database.loadExtension(getLoadablePath())
  database.enableLoadExtension(false)
  database.exec('PRAGMA busy_timeout = 5000')
  // SQLite's own functions take only the letters of English for the same, large or small.
  database.function('holds_all', { deterministic: true }, (text, words) =>
    Number(holdsAll(String(text), String(words))),
  )
  // SQLite has no other way for us to stop a statement. It is asked for each row, so it must not be deterministic.
  database.function('is_wanted', (_row) => {
    if (isCancelled()) throw new Error('The statement was cancelled')
    return 1
  })
  return database
}

function holdsAll(text: string, words: string): boolean {
  const small = text.toLowerCase()
  return words.split(' ').every((word) => small.includes(word))
}

/** For its owner's eyes only, in whatever folder it is; what SQLite puts beside it is made like it. */
function createForOwner(file: string | URL): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch {
    // SQLite is about to say what is wrong with it.
  }
}
