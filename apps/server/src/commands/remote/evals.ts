import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import {
  ApiError,
  type Chatbot,
  type Docent,
  ForbiddenError,
  messageMeta,
  UnauthorizedError,
} from '@docent/client'
import { type Invocation, required, UsageError } from '../command.ts'
import { EXIT } from '../exit-codes.ts'
import { ProgressBoard } from '../sources/progress-board.ts'
import { readTable } from '../sources/read-table.ts'
import { Interrupted, untilInterrupted } from '../terminal.ts'
import { connect } from './connect.ts'
import { chooseBot } from './current-chatbot.ts'
import { scoreAnswer } from './score-answer.ts'

const AT_ONCE = 4
const PASS = 0.8

interface Question {
  question: string
  expected: string
}

interface Result extends Question {
  answer: string
  score: number
  passed: boolean
  /** Why the question was not answered. */
  error?: string
}

/** Asks a chatbot every question of a table. Compares the answers with the expected ones and with the previous run. */
export async function runEvals(call: Invocation): Promise<number> {
  const { args, environment, values, json, terminal } = call
  const file = required(args[0], 'a table: docent evals FILE.csv')
  const questions = readQuestions(file)
  const pass = values.pass === undefined ? PASS : Number(values.pass)
  if (!(pass > 0 && pass <= 1))
    throw new UsageError('--pass must be a number from 0 to 1, such as 0.8.')
  const failOn = values['fail-on'] ?? 'any'
  if (failOn !== 'any' && failOn !== 'worse') {
    throw new UsageError(
      '--fail-on must be "any" (a question fails) or "worse" (a question fails that passed before).',
    )
  }
  const resultsFile = values.results ?? `${file.replace(/\.\w+$/, '')}.results.json`
  const before = readResults(resultsFile)

  const server = connect(environment)
  const chatbot = await chooseBot(call, server, values.bot)
  const results = await askAll(call, server.client, chatbot, questions, pass)
  const changes = compare(before, results)
  const passed = results.filter((result) => result.passed).length
  save(resultsFile, results)

  if (json) {
    terminal.print(JSON.stringify({ passed, of: results.length, results, changes }))
  } else {
    for (const result of results.filter((one) => !one.passed)) {
      terminal.print(
        `FAILED ${result.question}\n  expected ${result.expected || 'no answer'}\n  ${endOf(result)}`,
      )
    }
    if (before) {
      for (const question of changes.worse) terminal.print(`worse  ${question}`)
      for (const question of changes.better) terminal.print(`better ${question}`)
    }
    terminal.print(`${passed} of ${results.length} passed${before ? describe(changes) : ''}.`)
  }
  const isBad = failOn === 'any' ? passed < results.length : changes.worse.length > 0
  return isBad ? EXIT.failed : EXIT.done
}

function endOf({ answer, error }: Result): string {
  return error === undefined
    ? `answered ${answer.replaceAll(/\s+/g, ' ')}`
    : `not answered: ${error}`
}

function describe({ worse, better }: Changes): string {
  if (worse.length === 0 && better.length === 0) return ', unchanged'
  return `; ${worse.length} worse and ${better.length} better than before`
}

function readQuestions(file: string): Question[] {
  if (!existsSync(file)) throw new UsageError(`There is no file ${file}.`)
  const { columns, rows } = readTable(file)
  const column = ['expected', 'answer', 'expected answer', 'expected_answer'].find((name) =>
    columns.includes(name),
  )
  if (!columns.includes('question') || !column) {
    throw new UsageError(
      `${file} needs the columns "question" and "expected"; it has ${columns.map((name) => `"${name}"`).join(', ') || 'none'}.`,
    )
  }
  if (rows.length === 0) throw new UsageError(`${file} has no questions.`)
  return rows.map((row, index) => {
    const { question = '', [column]: expected = '' } = row
    if (question === '') throw new UsageError(`${file}: row ${index + 2} has no question.`)
    return { question, expected }
  })
}

async function askAll(
  { json, terminal }: Invocation,
  client: Docent,
  chatbot: Chatbot,
  questions: Question[],
  pass: number,
): Promise<Result[]> {
  const signal = untilInterrupted()
  const board = new ProgressBoard(json ? { ...terminal, canRedraw: false } : terminal)
  const results: Result[] = []
  let next = 0
  const work = async () => {
    while (next < questions.length) {
      if (signal.aborted) throw new Interrupted()
      const index = next++
      results[index] = await askOne(client, chatbot, questions[index]!, pass, signal)
      const done = results.filter(Boolean).length
      board.update('all', { label: 'questions', note: '', share: done / questions.length })
    }
  }
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } finally {
    board.finish('all', undefined)
  }
  return results
}

/** Asks in a separate session, which is then deleted from the owner's lists. */
async function askOne(
  client: Docent,
  chatbot: Chatbot,
  { question, expected }: Question,
  pass: number,
  signal: AbortSignal,
): Promise<Result> {
  const session = await client.sessions.create(chatbot)
  let answer = ''
  try {
    let uuid = ''
    for await (const event of client.sessions.ask(session, question, { signal })) {
      if (event.type === 'message-start') uuid = event.uuid
      if (event.type === 'text-delta') answer += event.text
    }
    const message = await client.messages.get(uuid)
    const answered = messageMeta(message).answered ?? message.cite_data_json !== '{}'
    const score = scoreAnswer(expected, answer, answered)
    return { question, expected, answer, score, passed: score >= pass }
  } catch (error) {
    if (!isAnswerFailure(error)) throw error
    return { question, expected, answer, score: 0, passed: false, error: error.message }
  } finally {
    await client.sessions.delete(session).catch(() => {})
  }
}

/** Whether a failure concerns only this question. Without a server or a permission, all questions would fail. */
function isAnswerFailure(error: unknown): error is ApiError {
  if (error instanceof UnauthorizedError || error instanceof ForbiddenError) return false
  return error instanceof ApiError
}

interface Changes {
  worse: string[]
  better: string[]
}

function compare(before: Result[] | undefined, results: Result[]): Changes {
  const passedBefore = new Map(before?.map(({ question, passed }) => [question, passed]))
  const changed = (passed: boolean) =>
    results
      .filter((result) => result.passed === passed && passedBefore.get(result.question) === !passed)
      .map(({ question }) => question)
  return { worse: changed(false), better: changed(true) }
}

function readResults(file: string): Result[] | undefined {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')).results
  } catch {
    throw new UsageError(
      `${file} has no results of an earlier run. Move it away, or choose another file with --results.`,
    )
  }
}

/** The rename writes the whole file or none. */
function save(file: string, results: Result[]): void {
  writeFileSync(`${file}.part`, `${JSON.stringify({ results }, null, 2)}\n`)
  renameSync(`${file}.part`, file)
}
