import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { openSqlite } from './open-sqlite.ts'

// What is deleted is overwritten in the file at once (`secure_delete`), but stays in two other places: the index of words
// keeps the words of a passage until the parts it consists of are merged, and the log keeps the pages of before until it
// is emptied. Both are done soon after, in small steps, so that nobody who writes has to wait for long.

const SOON_MS = 5_000
/** Of all the time, so much at most goes into erasing: in a large index, merging takes long. */
const SHARE = 1 / 20
/** Pages of the index that are merged at a time: some thousandths of a second. */
const MERGE_PAGES = 50
/** How long those who read may hold up the emptying of the log; then it is tried again. */
const PATIENCE_MS = 100
/** How often a command that has deleted something tries that. */
const TRIES_AT_LOG = 50

// FTS5 marks deleted rows on pages of their own, whose numbers begin here, and drops them when parts are merged.
const HAS_DELETED_WORDS =
  'SELECT EXISTS (SELECT 1 FROM passage_words_data WHERE id >= 1 << 53) AS found'

/**
 * For a command, whose process ends: the server, if one runs at all, does not know what another process has deleted. False
 * if somebody reads for so long that the log could not be emptied; the next start does it.
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
  /** When the merging that goes on began. */
  #mergingSince: number | undefined
  #pauseMs = SOON_MS

  constructor(database: DatabaseSync) {
    this.#database = database
    database.exec('PRAGMA secure_delete = ON')
    // A crash may have come between.
    this.soon()
  }

  /** Something was deleted. */
  soon(): void {
    this.#timer ??= setTimeout(() => this.#step(), this.#pauseMs).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** All of it, with pauses in which others can write. Whether nothing is left. */
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
      // A full disk, say: whoever writes is told of it, and here it is only later.
      this.soon()
    }
  }

  /** Whether there may be more to merge. */
  #mergeSome(): boolean {
    if (!this.#hasDeletedWords()) {
      if (this.#mergingSince !== undefined) {
        this.#pauseMs = Math.max(SOON_MS, (performance.now() - this.#mergingSince) / SHARE)
        this.#mergingSince = undefined
      }
      return false
    }
    // A negative number has everything merged into one part, a positive one goes on with that.
    const pages = this.#mergingSince === undefined ? -MERGE_PAGES : MERGE_PAGES
    this.#mergingSince ??= performance.now()
    const before = this.#changes()
    this.#database.exec(
      `INSERT INTO passage_words (passage_words, rank) VALUES ('merge', ${pages})`,
    )
    // The statement itself counts as one change; only that one, and there was nothing to merge.
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
