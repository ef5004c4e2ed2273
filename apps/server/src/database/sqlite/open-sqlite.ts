import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath } from 'sqlite-vec'

/**
 * Opens a connection with the vector extension. If a file has a vector table, SQLite can't even list its tables without
 * the extension.
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
  // SQLite's own functions ignore case only for ASCII letters.
  database.function('holds_all', { deterministic: true }, (text, words) =>
    Number(holdsAll(String(text), String(words))),
  )
  // This is our only way to interrupt a statement. It must not be deterministic, so that SQLite calls it for each row.
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

/** Creates the file with mode 0600 in any folder. SQLite gives its WAL the same mode. */
function createForOwner(file: string | URL): void {
  try {
    closeSync(openSync(file, 'ax', 0o600))
  } catch {
    // SQLite reports the reason when it opens the file.
  }
}
