import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely'
import { refuseReplacedCode } from '../../runtime/replaced-code.ts'
import { setDirectAccess } from '../bypass-kysely.ts'
import type { Database, StepConnection } from '../database.ts'
import type { Tables } from '../tables.ts'
import { writesConversations } from './conversation-tables.ts'
import { SqliteThread } from './sqlite-connection.ts'
import { ReadingDriver, SqliteDialect, streamQuery, toQueryResult } from './sqlite-dialect.ts'
import type { Statement, StatementResult } from './sqlite-protocol.ts'
import { SqliteReader } from './sqlite-reader.ts'

/**
 * Opens two handles on one file. `db` writes on a single writer thread and reads on the calling thread, because a key
 * look-up costs less than a message to another thread. `searchDb` reads on its own thread.
 */
export function connectSqlite(file: string): { db: Database; searchDb: Database } {
  const main = new MainDriver(file, new SqliteThread({ file, readOnly: false }))
  const db = new Kysely<Tables>({ dialect: new SqliteDialect(() => main) })
  setDirectAccess(db, {
    read: (sql, parameters) => main.read(sql, parameters),
    write: (statements) => main.write(statements),
  })
  return {
    db,
    searchDb: new Kysely<Tables>({ dialect: new SqliteDialect(() => new SearchDriver(file)) }),
  }
}

/** Opens a read-only handle that keeps showing the state at its first query. */
export function connectSnapshot(file: string): Database {
  return new Kysely<Tables>({ dialect: new SqliteDialect(() => new SnapshotDriver(file)) })
}

class MainDriver implements Driver {
  readonly #file: string
  readonly #writer: SqliteThread
  #reader: SqliteReader | undefined
  /** Set while a transaction has exclusive use of the writer. */
  #exclusive: Promise<void> | undefined

  constructor(file: string, writer: SqliteThread) {
    this.#file = file
    this.#writer = writer
  }

  async init(): Promise<void> {
    // After the first reply, the file exists and is in WAL mode.
    await this.#writer.send({ kind: 'unit', statements: [{ sql: 'SELECT 1', parameters: [] }] })
    this.#reader = new SqliteReader(this.#file)
  }

  read(sql: string, parameters: readonly unknown[]): readonly unknown[] {
    return this.#reader!.kept(sql, parameters)
  }

  /** Waits while a transaction has exclusive use of the writer. */
  async write(statements: Statement[]): Promise<StatementResult[] | undefined> {
    while (this.#exclusive !== undefined) await this.#exclusive
    const readsConversation = statements.every(({ sql }) => writesConversations(sql))
    if (readsConversation) this.#reader!.beginConversationWrite()
    try {
      return await this.#writer.send({ kind: 'unit', statements })
    } finally {
      // Callers must see their own writes, even in the same turn of the event loop.
      if (readsConversation) this.#reader!.endConversationWrite()
      else this.#reader!.forget()
    }
  }

  async acquireConnection(): Promise<MainConnection> {
    return new MainConnection(this, this.#reader!, this.#writer)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    while (this.#exclusive !== undefined) await this.#exclusive
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#exclusive = promise
    const main = connection as MainConnection
    main.release = () => {
      this.#exclusive = undefined
      main.release = undefined
      resolve()
    }
    try {
      await this.#writer.send({ kind: 'begin' })
    } catch (error) {
      main.release()
      throw error
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#end(connection as MainConnection, 'commit')
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#end(connection as MainConnection, 'rollback')
  }

  async #end(connection: MainConnection, kind: 'commit' | 'rollback'): Promise<void> {
    try {
      await this.#writer.send({ kind })
    } catch (error) {
      if (kind === 'commit') await this.#writer.send({ kind: 'rollback' })
      throw error
    } finally {
      this.#reader!.forget()
      connection.release?.()
    }
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#reader?.close()
    await this.#writer.close()
  }
}

class MainConnection implements DatabaseConnection {
  readonly streamQuery = streamQuery
  readonly #driver: MainDriver
  readonly #reader: SqliteReader
  readonly #writer: SqliteThread
  /** Ends this connection's transaction. Undefined outside of a transaction. */
  release: (() => void) | undefined

  constructor(driver: MainDriver, reader: SqliteReader, writer: SqliteThread) {
    this.#driver = driver
    this.#reader = reader
    this.#writer = writer
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    if (this.release) {
      const results = await this.#writer.send({ kind: 'query', statement: { sql, parameters } })
      return toQueryResult(results![0]!)
    }
    if (query.query.kind === 'SelectQueryNode' || /^\s*select\b/i.test(sql)) {
      return { rows: this.#reader.all(sql, parameters) as R[] }
    }
    const results = await this.#driver.write([{ sql, parameters }])
    return toQueryResult(results![0]!)
  }
}

class SearchDriver extends ReadingDriver {
  readonly #file: string
  protected thread: SqliteThread | undefined

  constructor(file: string) {
    super()
    this.#file = file
  }

  override async init(): Promise<void> {
    this.thread = this.#start()
  }

  /** Starts the thread again if it ended, for example because no more files could be opened. */
  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.thread!.hasEnded) {
      refuseReplacedCode()
      this.thread = this.#start()
    }
    return new SearchConnection(this.thread!)
  }

  #start(): SqliteThread {
    return new SqliteThread({ file: this.#file, readOnly: true })
  }

  override async destroy(): Promise<void> {
    await this.thread?.close()
  }
}

class SnapshotDriver extends SearchDriver {
  override async init(): Promise<void> {
    await super.init()
    // In WAL mode, an open transaction keeps its snapshot and blocks no writer.
    await this.thread!.send({ kind: 'unit', statements: [{ sql: 'BEGIN', parameters: [] }] })
  }

  /** A new thread would show a different snapshot. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    return new SearchConnection(this.thread!)
  }
}

class SearchConnection implements DatabaseConnection, StepConnection {
  readonly streamQuery = streamQuery
  readonly #thread: SqliteThread

  constructor(thread: SqliteThread) {
    this.#thread = thread
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const results = await this.#thread.send({ kind: 'unit', statements: [{ sql, parameters }] })
    return toQueryResult(results![0]!)
  }

  runStep<Output>(module: string, input: unknown): Promise<Output> {
    return this.#thread.runStep(module, input) as Promise<Output>
  }
}
