import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseFile } from '@docent/server/src/database/data-folder.ts'
import { openSqlite } from '@docent/server/src/database/sqlite/open-sqlite.ts'
import { findPassages } from '@docent/server/src/search/find-passages.ts'
import { startTestServer, type TestServer } from '@docent/server/test/harness.ts'

import { type Form, median, ms, type Row, shareOf } from './support/rows.ts'

const DIMENSIONS = 512
const ROUNDS = 40
const SUBJECTS = 'lamp harbour ticket garden window bridge letter engine river market'.split(' ')
const VERBS = 'opens closes costs moves holds carries follows shows keeps needs'.split(' ')

/**
 * Compares a search in a large chatbot with a bare scan of as many vectors in the same run. Also measures how it slows
 * concurrent requests.
 */
export async function* search({ isFull }: Form): AsyncGenerator<Row> {
  const sizes = isFull ? [1_000, 10_000, 100_000] : [1_000, 10_000]
  for (const passages of sizes) yield* searchAmong(passages)
}

async function* searchAmong(passages: number): AsyncGenerator<Row> {
  const ends: (() => unknown)[] = []
  const server = await startTestServer({ after: (end) => ends.unshift(end) })
  const { owner, services } = server
  const chatbot = await owner.createChatbot()
  await fill(server, chatbot, passages)
  const questions = Array.from(
    { length: ROUNDS },
    (_, i) => `Which ${SUBJECTS[i % 10]} ${VERBS[(i * 7) % 10]} number ${i * 37}?`,
  )
  // Embed the questions first, because embedding costs the same for any number of passages.
  for (const question of questions) await services.embeddings.embedQuestion(question, '')
  const find = (i: number) =>
    findPassages(services, { id: chatbot, owner_id: '' }, questions[i % ROUNDS]!)
  for (let i = 0; i < 5; i++) await find(i)
  const searches: number[] = []
  for (let i = 0; i < ROUNDS; i++) searches.push(await timed(() => find(i)))
  const scans = bareScans(passages)
  const thousands = passages.toLocaleString('en')
  yield {
    what: `search among ${thousands} passages, p50`,
    measured: ms(median(searches)),
    against: `bare vector scan ${ms(median(scans))}`,
    value: median(searches) / median(scans),
    ...(passages >= 100_000 && { bar: { atMost: 1.5 } }),
  }
  const read = () => owner.json('GET', `/chatbot/${chatbot}`)
  const [idle, busy] = [await readBeside(read), await readBeside(read, find)]
  yield {
    what: `reading a chatbot during ${thousands}-passage searches, p99, ms more`,
    measured: ms(busy),
    against: `${ms(idle)} alone`,
    value: busy - idle,
    bar: { atMost: 10 },
  }
  for (const end of ends) await end()
}

/** Writes passages with generated words and vectors in the stored format. */
async function fill(
  { owner, services, config }: TestServer,
  chatbot: string,
  passages: number,
): Promise<void> {
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
  for (let n = 0; n < passages; n++) {
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

/** Plain `sqlite-vec`: float vectors in chunks of its default size, in a file. */
function bareScans(passages: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'docent-bench-'))
  const database = openSqlite(join(folder, 'bare.db'), { readOnly: false })
  database.exec(
    `PRAGMA synchronous = OFF; CREATE VIRTUAL TABLE bare USING vec0 (vector FLOAT[${DIMENSIONS}])`,
  )
  const insert = database.prepare('INSERT INTO bare (rowid, vector) VALUES (?, ?)')
  database.exec('BEGIN')
  for (let i = 1; i <= passages; i++) insert.run(BigInt(i), new Uint8Array(randomVector().buffer))
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

/** The 99th percentile of a small read over HTTP, alone or with concurrent work. */
async function readBeside(
  read: () => Promise<unknown>,
  beside?: (i: number) => Promise<unknown>,
): Promise<number> {
  let goesOn = true
  const working = (async () => {
    for (let i = 0; goesOn && beside; i++) await beside(i)
  })()
  const times: number[] = []
  for (let i = 0; i < 500; i++) times.push(await timed(read))
  goesOn = false
  await working
  return shareOf(times, 0.99)
}

function randomVector(): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, () => Math.random() - 0.5)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
