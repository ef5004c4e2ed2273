import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reading } from '@docent/quote/reading.ts'
import { BuiltInModel } from '@docent/server/src/models/embedding/built-in-encoder.ts'
import { PassageReader, READER_FOLDER } from '@docent/server/src/models/inference/passage-reader.ts'
import { areaUnderCurve } from './measures.ts'
import { PassageSearch } from './passage-search.ts'
import { exactMatch, tokenF1 } from './score-answers.ts'

// Measures the reader's quality, speed and memory.
//   node bench/evals/reader.ts FOLDER [MODEL]     FOLDER has the sets squad and clapnq; MODEL is a reader's folder

interface Question {
  id: string
  text: string
  answers: string[]
  isAnswerable: boolean
  source: string | undefined
  isCore: boolean
}

const TOP = 10
const folder = process.argv[2]!
const model = process.argv[3] ?? READER_FOLDER

const squad = readSet('squad')
const clapnq = readSet('clapnq')
// The server already has the runtime in memory, for its embedder.
await (await BuiltInModel.load()).embed('A text.')
const before = process.memoryUsage().rss
const reader = await PassageReader.load(model)
await measureTime(squad)
await measureOwnPassages(squad)
await measureSearched(
  'squad core',
  squad,
  squad.questions.filter(({ isCore }) => isCore),
)
await measureSearched('clapnq', clapnq, clapnq.questions)

/** Reads the passage that each question was written for. */
async function measureOwnPassages({ passages, questions }: ReturnType<typeof readSet>) {
  const right: number[] = []
  const wrong: number[] = []
  let f1 = 0
  let exact = 0
  for (const question of questions) {
    const text = passages.get(question.source!)
    if (text === undefined) continue
    const [reading] = await reader.read(question.text, [text])
    ;(question.isAnswerable ? right : wrong).push(reading!.presence)
    if (!question.isAnswerable) continue
    const answer = quote(text, reading!)
    f1 += Math.max(...question.answers.map((gold) => tokenF1(answer, gold)))
    exact += Math.max(...question.answers.map((gold) => exactMatch(answer, gold)))
  }
  say('squad, own passage: questions', `${right.length} + ${wrong.length} unanswerable`)
  say('  F1', percent(f1 / right.length))
  say('  exact match', percent(exact / right.length))
  say('  AUROC, answerable or not', areaUnderCurve(right, wrong).toFixed(3))
}

/** Reads the passages that a word search returns. */
async function measureSearched(
  name: string,
  { passages }: ReturnType<typeof readSet>,
  questions: Question[],
) {
  const search = new PassageSearch([...passages])
  const right: number[] = []
  const wrong: number[] = []
  let found = 0
  for (const question of questions) {
    const texts = search.find(question.text, TOP)
    const readings = await reader.read(question.text, texts)
    const best = readings.reduce(
      (best, reading, i) => (reading.presence > readings[best]!.presence ? i : best),
      0,
    )
    const presence = readings[best]?.presence ?? Number.NEGATIVE_INFINITY
    ;(question.isAnswerable ? right : wrong).push(presence)
    if (!question.isAnswerable || readings.length === 0) continue
    const answer = quote(texts[best]!, readings[best]!)
    found += Math.max(...question.answers.map((gold) => tokenF1(answer, gold)))
  }
  say(`${name}, ${TOP} passages found: questions`, `${right.length} + ${wrong.length} unanswerable`)
  if (name.startsWith('squad')) say('  F1 of the surest span', percent(found / right.length))
  say('  AUROC, answerable or not', areaUnderCurve(right, wrong).toFixed(3))
}

async function measureTime({ passages, questions }: ReturnType<typeof readSet>) {
  const texts = [...passages.values()].filter((text) => Math.abs(text.length - 780) < 120)
  const times: number[] = []
  for (let i = 0; i < 110; i++) {
    const batch = Array.from({ length: TOP }, (_, k) => texts[(i * TOP + k) % texts.length]!)
    const used = process.cpuUsage()
    await reader.read(questions[i]!.text, batch)
    const { user, system } = process.cpuUsage(used)
    if (i >= 10) times.push((user + system) / 1000)
  }
  times.sort((a, b) => a - b)
  say(
    `time for a question over ${TOP} passages, p50 and p95 of the processor`,
    `${times[50]!.toFixed(0)} and ${times[95]!.toFixed(0)} ms`,
  )
  say('memory added', `${Math.round((process.memoryUsage().rss - before) / 2 ** 20)} MB`)
}

function quote(text: string, { spans: [best] }: Reading): string {
  return best ? text.slice(best.start, best.end) : ''
}

function readSet(name: string) {
  const lines = (file: string) =>
    readFileSync(join(folder, name, file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const answers = new Map(lines('answers.jsonl').map((row) => [row.id, row]))
  const questions: Question[] = lines('queries.jsonl').map((row) => ({
    id: row.id,
    text: row.text,
    answers: answers.get(row.id)?.answers ?? [],
    isAnswerable: row.answerable,
    source: answers.get(row.id)?.source,
    isCore: row.core === true,
  }))
  const passages = new Map<string, string>(lines('corpus.jsonl').map((row) => [row.id, row.text]))
  return { questions, passages }
}

function percent(share: number): string {
  return (100 * share).toFixed(1)
}

function say(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(72)} ${value}\n`)
}
