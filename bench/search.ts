import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '../server/src/database/data-folder.ts'
import { openSqlite } from '../server/src/database/open-sqlite.ts'
import { findPassages } from '../server/src/search/find-passages.ts'
import { startTestServer } from '../server/test/harness.ts'

// What a search costs in a large chatbot, against one bare scan of as many vectors in the same run; and what it costs
// the requests beside it.
//   npm run bench:search [passages]

const PASSAGES = Number(process.argv[2] ?? 100_000)
const DIMENSIONS = 512
const ROUNDS = 40
const SUBJECTS = 'lamp harbour ticket garden window bridge letter engine river market'.split(' ')
const VERBS = 'opens closes costs moves holds carries follows shows keeps needs'.split(' ')

const ends: (() => unknown)[] = []
const { owner, services, config } = await startTestServer({ after: (end) => ends.unshift(end) })
const chatbot = await owner.createChatbot()
await fill()
const questions = Array.from(
  { length: ROUNDS },
  (_, i) => `Which ${SUBJECTS[i % 10]} ${VERBS[(i * 7) % 10]} number ${i * 37}?`,
)
for (const question of questions) await services.embeddings.embedQuestion(question)
await findPassages(services, chatbot, questions[0]!)

const searches: number[] = []
for (const question of questions)
  searches.push(await timed(() => findPassages(services, chatbot, question)))
const scans = bareScans()
const [idle, busy] = [await readWhile(false), await readWhile(true)]
for (const end of ends) await end()
const ratio = median(searches) / median(scans)
process.stdout.write(
  [
    `passages: ${PASSAGES}`,
    `search by words and meaning, p50: ${median(searches).toFixed(1)} ms`,
    `one bare scan of as many float vectors, p50: ${median(scans).toFixed(1)} ms`,
    `ratio: ${ratio.toFixed(2)} (bar: 1.5)`,
    `reading a chatbot over HTTP, p99: ${idle.toFixed(1)} ms alone, ${busy.toFixed(1)} ms beside searches`,
    '',
  ].join('\n'),
)

/** Passages with made words and vectors, in the form in which they are stored. */
async function fill(): Promise<void> {
  const source = await owner.createPair(chatbot, 'Which one is first?', 'This one.')
  const { id: embedder } = services.embeddings.registered
  const mark = chatbot.slice(-12)
  const database = openSqlite(databaseFile(config.dataDir), { readOnly: false })
  const insertPassage = database.prepare(
    `INSERT INTO passages (chatbot_id, source_id, revision, build, position, starts_at, ends_at, text, words)
    VALUES (?, ?, 'r', 'b', ?, 0, 1, ?, ?) RETURNING id`,
  )
  const insertWords = database.prepare(
    "INSERT INTO passage_words (rowid, build, words) VALUES (?, 'b', ?)",
  )
  const insertVector = database.prepare(
    'INSERT INTO passage_vectors (passage_id, embedder_id, vector) VALUES (?, ?, ?)',
  )
  const insertSigns = database.prepare(
    `INSERT INTO passage_signs_${embedder} (rowid, chatbot_id, signs) VALUES (?, ?, vec_bit(?))`,
  )
  database.exec('BEGIN')
  for (let n = 0; n < PASSAGES; n++) {
    const words = Array.from({ length: 60 }, (_, k) => `w${(n * 31 + k * k * 17) % 20_011}`)
    const text = [SUBJECTS[n % 10], VERBS[(n * 3) % 10], n, ...words].join(' ')
    const bytes = crypto.getRandomValues(new Uint8Array(DIMENSIONS))
    const { id } = insertPassage.get(chatbot, source, n, text, `\n${text}`) as { id: number }
    insertWords.run(id, text.replaceAll(/(^| )/g, `$1${mark}`))
    insertVector.run(id, embedder, bytes)
    insertSigns.run(BigInt(id), chatbot, bytes.subarray(0, DIMENSIONS / 8))
  }
  database.exec('COMMIT')
  database.close()
}

/** As `sqlite-vec` is used by itself: float vectors, chunks of its own size, on a file. */
function bareScans(): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'))
  const database = openSqlite(join(folder, 'bare.db'), { readOnly: false })
  database.exec(
    `PRAGMA synchronous = OFF; CREATE VIRTUAL TABLE bare USING vec0 (vector FLOAT[${DIMENSIONS}])`,
  )
  const insert = database.prepare('INSERT INTO bare (rowid, vector) VALUES (?, ?)')
  database.exec('BEGIN')
  for (let i = 1; i <= PASSAGES; i++) insert.run(BigInt(i), new Uint8Array(randomVector().buffer))
  database.exec('COMMIT')
  const scan = database.prepare('SELECT rowid FROM bare WHERE vector MATCH ? AND k = 50')
  const times = Array.from({ length: 9 }, () => {
    const vector = new Uint8Array(randomVector().buffer)
    const start = performance.now()
    scan.all(vector)
    return performance.now() - start
  })
  database.close()
  rmSync(folder, { recursive: true })
  return times.slice(1)
}

/** The 99th percentile of a small read over HTTP. */
async function readWhile(isSearching: boolean): Promise<number> {
  let goesOn = true
  const searching = (async () => {
    for (let i = 0; goesOn && isSearching; i++)
      await findPassages(services, chatbot, questions[i % ROUNDS]!)
  })()
  const times: number[] = []
  for (let i = 0; i < 500; i++)
    times.push(await timed(() => owner.json('GET', `/chatbot/${chatbot}`)))
  goesOn = false
  await searching
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!
}

function randomVector(): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

function median(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
}
