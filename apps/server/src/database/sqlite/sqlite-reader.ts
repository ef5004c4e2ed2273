import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { readsConversations } from './conversation-tables.ts'
import { openSqlite } from './open-sqlite.ts'

interface Prepared {
  statement: StatementSync
  /** Cached rows by parameters, valid until a table that they come from is written. */
  kept: Map<string, readonly unknown[]>
  /** Whether questions and answers change these rows. */
  isTalk: boolean
}

const MAX_PREPARED = 500
const MAX_KEPT = 1000
/** How long an unexplained change may be treated as one of this process's own conversation writes. */
const UNSURE_MS = 10

/** Reads on the calling thread with prepared statements. */
export class SqliteReader {
  readonly #database: DatabaseSync
  readonly #version: StatementSync
  readonly #prepared = new Map<string, Prepared>()
  #lastVersion: unknown
  #checked = false
  /** Statements with cached rows. They are few, and every write visits them. */
  readonly #keeping = new Set<Prepared>()
  #kept = 0
  /** Conversation writes in progress. */
  #talks = 0
  /** A conversation write ended since the last check of `data_version`. */
  #hasTalked = false
  /** A change since then was treated as a conversation write, but may come from another process. */
  #isUnsure = false
  #sureAt = 0

  constructor(file: string) {
    this.#database = openSqlite(file, { readOnly: true })
    this.#version = this.#database.prepare('PRAGMA data_version')
  }

  all(sql: string, parameters: readonly unknown[]): unknown[] {
    return this.#prepare(sql).statement.all(...(parameters as SQLInputValue[]))
  }

  /** Like `all`, but returns cached rows until this or another process writes to their tables. */
  kept(sql: string, parameters: readonly unknown[]): readonly unknown[] {
    this.#check()
    const prepared = this.#prepare(sql)
    const key = parameters.join('\0')
    let rows = prepared.kept.get(key)
    if (!rows) {
      if (this.#kept >= MAX_KEPT) this.forget()
      rows = prepared.statement.all(...(parameters as SQLInputValue[]))
      prepared.kept.set(key, rows)
      this.#keeping.add(prepared)
      this.#kept += 1
    }
    return rows
  }

  /** Called after a write. */
  forget(): void {
    this.#isUnsure = false
    if (this.#kept === 0) return
    this.#kept = 0
    for (const prepared of this.#keeping) prepared.kept.clear()
    this.#keeping.clear()
  }

  /** Announces a write that changes only conversation tables. */
  talkBegins(): void {
    this.#talks += 1
  }

  talkEnds(): void {
    this.#talks -= 1
    this.#hasTalked = true
    this.#forgetTalk()
  }

  #forgetTalk(): void {
    for (const prepared of this.#keeping) {
      if (!prepared.isTalk) continue
      this.#kept -= prepared.kept.size
      prepared.kept.clear()
      this.#keeping.delete(prepared)
    }
  }

  close(): void {
    this.#database.close()
  }

  /** Asks SQLite once per turn of the event loop whether any process has committed. */
  #check(): void {
    if (this.#checked) return
    this.#checked = true
    setImmediate(() => {
      this.#checked = false
    })
    const now = performance.now()
    const version = this.#version.get()?.data_version
    if (version !== this.#lastVersion) {
      this.#lastVersion = version
      if (this.#talks > 0 || this.#hasTalked) {
        this.#forgetTalk()
        this.#isUnsure = true
      } else this.forget()
      this.#hasTalked = false
    }
    if (this.#isUnsure && now - this.#sureAt > UNSURE_MS) this.forget()
    if (!this.#isUnsure) this.#sureAt = now
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql)
    if (!prepared) {
      if (this.#prepared.size >= MAX_PREPARED) {
        this.forget()
        this.#prepared.clear()
      }
      const statement = this.#database.prepare(sql)
      prepared = { statement, kept: new Map(), isTalk: readsConversations(sql) }
      this.#prepared.set(sql, prepared)
    }
    return prepared
  }
}
