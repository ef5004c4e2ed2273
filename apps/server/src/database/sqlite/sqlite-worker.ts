import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { CancelFlag } from './cancel-flag.ts'
import { DeletedEraser } from './erase-deleted.ts'
import { openSqlite } from './open-sqlite.ts'
import {
  largeBuffers,
  type Reply,
  type Request,
  type Statement,
  type StatementResult,
  type Step,
  type ThreadOptions,
  type Transaction,
} from './sqlite-protocol.ts'

// One connection off the main thread, so that fsync and searches do not block requests. Units that arrive during a
// commit are gathered into the next one.

const MAX_GATHERED = 500
const MAX_PREPARED = 500

const { file, readOnly, cancelFlag } = workerData as ThreadOptions
const port = parentPort!
const flag = cancelFlag && new CancelFlag(cancelFlag)
const database = openSqlite(file, { readOnly, isCancelled: () => flag?.isCancelled === true })
if (!readOnly)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
const eraser = readOnly ? undefined : new DeletedEraser(database)
interface Prepared {
  statement: StatementSync
  returnsRows: boolean
  deletes: boolean
}
const prepared = new Map<string, Prepared>()

port.on('message', (first: Request[] | 'close') => {
  const replies: Reply[] = []
  let gathered = 0
  let next: Request[] | 'close' | undefined = first
  while (next !== undefined) {
    if (next === 'close') return close(replies)
    for (const request of next) {
      gathered += 1
      if (request.kind === 'step') void takeStep(request)
      else handle(request, replies)
    }
    next = gathered < MAX_GATHERED ? receiveMessageOnPort(port)?.message : undefined
  }
  commitGathered(replies)
  if (replies.length > 0) port.postMessage(replies)
})

let gathering = false

type Steps = typeof import('./run-step.ts')
let steps: Promise<Steps> | undefined

/** Imported on demand, because the writer thread runs no steps. */
function loadSteps(): Promise<Steps> {
  steps ??= import('./run-step.ts').catch((error) => {
    // Allows a retry: the import may have failed because too many files were open.
    steps = undefined
    throw error
  })
  return steps
}

let stepsTaken: Reply[] = []
let stepsRunning = 0

/**
 * Runs asynchronously, because a step takes long and must not block other requests. Steps that start together mostly
 * end together, so their replies are sent together.
 */
async function takeStep({ id, module, input }: Step): Promise<void> {
  let reply: Reply
  try {
    const { runStep } = await loadSteps()
    if (stepsRunning === 0) database.exec('BEGIN')
    stepsRunning += 1
    try {
      reply = { id, output: await runStep(execute, module, input) }
    } finally {
      // After a disk error, SQLite has already rolled back, and that error is the one to report.
      if (--stepsRunning === 0 && database.isTransaction) database.exec('COMMIT')
    }
  } catch (error) {
    reply = { id, error: describe(error) }
  }
  if (stepsTaken.length === 0) setImmediate(sendSteps)
  stepsTaken.push(reply)
}

function sendSteps(): void {
  port.postMessage(stepsTaken)
  stepsTaken = []
}

function handle(request: Transaction, replies: Reply[]): void {
  if (request.kind !== 'unit') commitGathered(replies)
  try {
    replies.push({ id: request.id, results: run(request) })
  } catch (error) {
    replies.push({ id: request.id, error: describe(error) })
    // If the disk is full or fails, SQLite rolls back the whole transaction with all gathered units.
    if (gathering && !database.isTransaction) failGathered(replies, error)
  }
  // The garbage collector would free a transferred file much later.
  for (const buffer of largeBuffers(request)) buffer.transfer(0)
  // Callers await each statement of an open transaction.
  if (request.kind !== 'unit') port.postMessage(replies.splice(0))
}

function run(request: Transaction): StatementResult[] | undefined {
  switch (request.kind) {
    case 'unit':
      return runUnit(request.statements)
    case 'begin':
      database.exec('BEGIN IMMEDIATE')
      return []
    case 'query':
      return [execute(request.statement)]
    case 'commit':
      database.exec('COMMIT')
      return []
    case 'rollback':
      if (database.isTransaction) database.exec('ROLLBACK')
      return []
  }
}

/** Undefined if a `mustReturn` statement returned no row. The unit is then rolled back. */
function runUnit(statements: Statement[]): StatementResult[] | undefined {
  if (readOnly) return statements.map(execute)
  if (!gathering) {
    database.exec('BEGIN IMMEDIATE')
    gathering = true
  }
  // A single statement that returned no row has changed nothing, so it needs no savepoint.
  if (statements.length === 1) return runAll(statements)
  database.exec('SAVEPOINT unit')
  try {
    const results = runAll(statements)
    database.exec(results ? 'RELEASE unit' : 'ROLLBACK TO unit; RELEASE unit')
    return results
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK TO unit; RELEASE unit')
    throw error
  }
}

function runAll(statements: Statement[]): StatementResult[] | undefined {
  const results: StatementResult[] = []
  for (const statement of statements) {
    const result = execute(statement)
    if (statement.mustReturn && result.rows.length === 0) return undefined
    results.push(result)
  }
  return results
}

/** Acknowledges units only after their commit is on disk. If the commit fails, all gathered units fail. */
function commitGathered(replies: Reply[]): void {
  if (!gathering) return
  try {
    database.exec('COMMIT')
    gathering = false
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    failGathered(replies, error)
  }
}

function failGathered(replies: Reply[], error: unknown): void {
  gathering = false
  for (const [index, { id }] of replies.entries()) replies[index] = { id, error: describe(error) }
}

function execute({ sql, parameters }: Statement): StatementResult {
  const { statement, returnsRows, deletes } = prepare(sql)
  if (deletes) eraser?.soon()
  const values = parameters as SQLInputValue[]
  if (returnsRows) return { rows: statement.all(...values) as Record<string, unknown>[] }
  const { changes } = statement.run(...values)
  return { rows: [], changes: Number(changes) }
}

function prepare(sql: string): Prepared {
  let entry = prepared.get(sql)
  if (!entry) {
    if (prepared.size >= MAX_PREPARED) prepared.clear()
    const statement = database.prepare(sql)
    const returnsRows = statement.columns().length > 0
    entry = { statement, returnsRows, deletes: /^\s*delete\b/i.test(sql) }
    prepared.set(sql, entry)
  }
  return entry
}

function describe(error: unknown) {
  const { message, errcode } = error as Error & { errcode?: number }
  return { message, errcode }
}

function close(replies: Reply[]): void {
  eraser?.stop()
  commitGathered(replies)
  if (replies.length > 0) port.postMessage(replies)
  try {
    // Afterwards, a copy of the database file is complete.
    if (!readOnly) database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // On a full disk this may fail. The WAL has everything, and the next start reads it.
  }
  database.close()
  port.close()
}
