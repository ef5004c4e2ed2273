import { hash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { UsageError } from '../command.ts'

export interface UploadedItem {
  digest: string
  /** Null while the item is being sent. After a kill its arrival is unknown. */
  uuid: string | null
  /** The source that this one replaces when it is ready. */
  replaces: string | null
}

/**
 * Records what this machine sent to a chatbot, so that it sends nothing twice and changed items replace old ones.
 * Writes each record before the item is sent. Locks the file while it is in use.
 */
export class UploadedItems {
  readonly #database: DatabaseSync

  private constructor(database: DatabaseSync) {
    this.#database = database
  }

  static open(environment: NodeJS.ProcessEnv, url: string, chatbot: string): UploadedItems {
    const { XDG_STATE_HOME, LOCALAPPDATA } = environment
    const base = XDG_STATE_HOME || LOCALAPPDATA || join(homedir(), '.local/state')
    const folder = join(base, 'docent', 'sources')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const name = hash('sha256', `${url} ${chatbot}`).slice(0, 24)
    const database = new DatabaseSync(join(folder, `${name}.db`))
    try {
      database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
      database.exec(
        'CREATE TABLE IF NOT EXISTS items (key TEXT PRIMARY KEY, digest TEXT NOT NULL, uuid TEXT, replaces TEXT) STRICT; COMMIT',
      )
    } catch (cause) {
      database.close()
      throw new UsageError(
        'Another "docent source add" is running for this chatbot. Wait for it, or stop it.',
        { cause },
      )
    }
    return new UploadedItems(database)
  }

  find(key: string): UploadedItem | undefined {
    const row = this.#database.prepare('SELECT * FROM items WHERE key = ?').get(key)
    return row as unknown as UploadedItem | undefined
  }

  /** All recorded sources. */
  uuids(): Set<string> {
    const rows = this.#database.prepare('SELECT uuid FROM items WHERE uuid IS NOT NULL').all()
    return new Set(rows.map(({ uuid }) => uuid as string))
  }

  keys(): string[] {
    return this.#database
      .prepare('SELECT key FROM items ORDER BY key')
      .all()
      .map(({ key }) => key as string)
  }

  save(key: string, { digest, uuid, replaces }: UploadedItem): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO items (key, digest, uuid, replaces) VALUES (?, ?, ?, ?)')
      .run(key, digest, uuid, replaces)
  }

  forget(key: string): void {
    this.#database.prepare('DELETE FROM items WHERE key = ?').run(key)
  }

  close(): void {
    this.#database.close()
  }
}
