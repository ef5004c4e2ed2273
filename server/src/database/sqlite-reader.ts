import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { openSqlite } from './open-sqlite.ts'

interface Prepared {
  statement: StatementSync
  /** Rows by their parameters, valid while nothing has been written. */
  kept: Map<string, readonly unknown[]>
}

const MAX_PREPARED = 500
const MAX_KEPT = 1000

/** Reads on the calling thread, with prepared statements. */
export class SqliteReader {
  readonly #database: DatabaseSync
  readonly #version: StatementSync
  readonly #prepared = new Map<string, Prepared>()
  #lastVersion: unknown
  #checked = false
  /** Those that have kept rows: few of all of them, and looked through after every write. */
  readonly #keeping = new Set<Prepared>()
  #kept = 0

  constructor(file: string) {
    this.#database = openSqlite(file, { readOnly: true })
    this.#version = this.#database.prepare('PRAGMA data_version')
  }

  all(sql: string, parameters: readonly unknown[]): unknown[] {
    return this.#prepare(sql).statement.all(...(parameters as SQLInputValue[]))
  }

  /** As `all`, but the same rows again while nothing has been written, here or by another process. */
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

  /** Something was written. */
  forget(): void {
    if (this.#kept === 0) return
    this.#kept = 0
    for (const prepared of this.#keeping) prepared.kept.clear()
    this.#keeping.clear()
  }

  close(): void {
    this.#database.close()
  }

  /** Asks SQLite once in each turn of the event loop whether anybody has committed something. */
  #check(): void {
    if (this.#checked) return
    this.#checked = true
    setImmediate(() => {
      this.#checked = false
    })
    const version = this.#version.get()?.data_version
    if (version !== this.#lastVersion) this.forget()
    this.#lastVersion = version
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql)
    if (!prepared) {
      if (this.#prepared.size >= MAX_PREPARED) {
        this.forget()
        this.#prepared.clear()
      }
      prepared = { statement: this.#database.prepare(sql), kept: new Map() }
      this.#prepared.set(sql, prepared)
    }
    return prepared
  }
}
