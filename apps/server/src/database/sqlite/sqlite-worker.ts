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

// One connection, off the main thread, so that neither an fsync nor a search holds up other requests.
// What arrives while a commit is being written is gathered into the next one.

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

/** When it is needed: the thread that writes has no use for it. */
function loadSteps(): Promise<Steps> {
  steps ??= import('./run-step.ts').catch((error) => {
    // The next one tries again: there may have been too many files open.
    steps = undefined
    throw error
  })
  return steps
}

let stepsTaken: Reply[] = []
let stepsRunning = 0

/** Does not hold up what else has arrived, since it takes its time. Steps that come together mostly end together, too. */
async function takeStep({ id, module, input }: Step): Promise<void> {
  let reply: Reply
  try {
    const { runStep } = await loadSteps()
    if (stepsRunning === 0) database.exec('BEGIN')
    stepsRunning += 1
    try {
      reply = { id, output: await runStep(execute, module, input) }
    } finally {
      // A disk that fails has ended it already, and what it said of that is what counts.
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
    // A full disk or a failing one makes SQLite undo the whole transaction, gathered units included.
    if (gathering && !database.isTransaction) failGathered(replies, error)
  }
  // A file that was given away would wait for the garbage collector for long.
  for (const buffer of largeBuffers(request)) buffer.transfer(0)
  // Statements of an open transaction are waited for one by one.
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

/** Undefined when a statement that had to return a row did not: the unit has then been undone. */
function runUnit(statements: Statement[]): StatementResult[] | undefined {
  if (readOnly) return statements.map(execute)
  if (!gathering) {
    database.exec('BEGIN IMMEDIATE')
    gathering = true
  }
  // One that must return a row and does not has nothing to be undone.
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

/** Nothing is acknowledged before its commit is on the disk; if that fails, every gathered unit has failed. */
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
    // So that a copy of the one file is a copy of everything.
    if (!readOnly) database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // A full disk has no room for it. Everything is in the log, and the next start reads it from there.
  }
  database.close()
  port.close()
}
