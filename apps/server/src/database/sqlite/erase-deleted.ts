import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite } from './open-sqlite.ts'

// `secure_delete` overwrites deleted rows in the file at once. Two copies remain: the word index keeps a passage's
// words until its segments are merged, and the WAL keeps old pages until it is truncated. Both cleanups run soon after
// in small steps, so that writers never wait long.

const SOON_MS = 5_000
/** Maximum share of time for erasing, because merging a large index takes long. */
const SHARE = 1 / 20
/** Index pages to merge per step: a few milliseconds. */
const MERGE_PAGES = 50
/** How long to wait for readers before truncating the WAL. After that, it is retried. */
const PATIENCE_MS = 100
/** How often a command retries truncating the WAL. */
const TRIES_AT_LOG = 50

// FTS5 stores tombstones on pages with ids from 1 << 53, and drops them when segments are merged.
const HAS_DELETED_WORDS =
  'SELECT EXISTS (SELECT 1 FROM passage_words_data WHERE id >= 1 << 53) AS found'

/**
 * For commands, because a running server does not notice deletions by another process. Returns false if a reader
 * blocked the WAL for too long. The next start then truncates it.
 */
export async function eraseDeletedNow(file: string): Promise<boolean> {
  const database = openSqlite(file, { readOnly: false })
  const eraser = new DeletedEraser(database)
  try {
    return await eraser.finish()
  } finally {
    eraser.stop()
    database.close()
  }
}

export class DeletedEraser {
  readonly #database: DatabaseSync
  #timer: NodeJS.Timeout | undefined
  /** Start time of the current merge. */
  #mergingSince: number | undefined
  #pauseMs = SOON_MS

  constructor(database: DatabaseSync) {
    this.#database = database
    database.exec('PRAGMA secure_delete = ON')
    // A crash may have interrupted an earlier cleanup.
    this.soon()
  }

  /** Schedules a cleanup after a delete. */
  soon(): void {
    this.#timer ??= setTimeout(() => this.#step(), this.#pauseMs).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** Cleans up completely, with pauses for other writers. Returns whether everything was erased. */
  async finish(): Promise<boolean> {
    this.stop()
    while (this.#mergeSome()) await sleep(1)
    for (let tries = 0; tries < TRIES_AT_LOG; tries++) if (this.#emptyLog()) return true
    return false
  }

  #step(): void {
    this.#timer = undefined
    try {
      if (this.#database.isTransaction) this.soon()
      else if (this.#mergeSome()) this.#timer = setTimeout(() => this.#step(), 1).unref()
      else if (!this.#emptyLog()) this.soon()
    } catch {
      // Retry later. A caller that writes sees an error such as a full disk itself.
      this.soon()
    }
  }

  /** Returns whether there may be more to merge. */
  #mergeSome(): boolean {
    if (!this.#hasDeletedWords()) {
      if (this.#mergingSince !== undefined) {
        this.#pauseMs = Math.max(SOON_MS, (performance.now() - this.#mergingSince) / SHARE)
        this.#mergingSince = undefined
      }
      return false
    }
    // A negative number starts merging everything into one segment. A positive number continues.
    const pages = this.#mergingSince === undefined ? -MERGE_PAGES : MERGE_PAGES
    this.#mergingSince ??= performance.now()
    const before = this.#changes()
    this.#database.exec(
      `INSERT INTO passage_words (passage_words, rank) VALUES ('merge', ${pages})`,
    )
    // The statement itself counts as one change. If it is the only change, nothing was merged.
    return this.#changes() - before > 1
  }

  #hasDeletedWords(): boolean {
    const isThere = "SELECT 1 FROM sqlite_schema WHERE name = 'passage_words_data'"
    if (!this.#database.prepare(isThere).get()) return false
    return this.#database.prepare(HAS_DELETED_WORDS).get()?.found === 1
  }

  #changes(): number {
    return Number(this.#database.prepare('SELECT total_changes() AS made').get()?.made)
  }

  #emptyLog(): boolean {
    const usual = this.#database.prepare('PRAGMA busy_timeout').get()?.timeout
    this.#database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`)
    try {
      return this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0
    } finally {
      this.#database.exec(`PRAGMA busy_timeout = ${usual}`)
    }
  }
}
