import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findRevisionRange } from '@docent/server/src/features/sources/revisions.store.ts'
import { findPassages } from '@docent/server/src/search/find-passages.ts'
import { startTestServer } from '@docent/server/test/harness.ts'

// Measures how much of the exact answer spans is in the best five passages, and how long these passages are.
//   node bench/evals/chunking.ts FOLDER     the folder of the data set: docs/*.md and queries.jsonl

interface Query {
  text: string
  doc: string
  references: { start_index: number; end_index: number }[]
}

const TOP = 5
const folder = process.argv[2]!
const ends: (() => unknown)[] = []
const { owner, services } = await startTestServer({ after: (end) => ends.unshift(end) })
const queries: Query[] = readFileSync(join(folder, 'queries.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

let recall = 0
let asked = 0
const lengths: number[] = []
for (const doc of readdirSync(join(folder, 'docs'))) {
  const text = readFileSync(join(folder, 'docs', doc), 'utf8')
  const chatbot = await owner.createChatbot()
  const response = await owner.upload(chatbot, doc, text)
  const source = ((await response.json()) as { uuid: string }).uuid
  await owner.settled(source, 600_000)
  const passages = await services.db
    .selectFrom('passages')
    .select(['text', 'revision'])
    .where('chatbot_id', '=', chatbot)
    .execute()
  lengths.push(...passages.map((passage) => passage.text.length))
  // The extracted text may start later than the file, but spans count from the file's start.
  const { revision } = passages[0]!
  const start = await findRevisionRange(services.db, source, revision, { start: 0, end: 200 })
  const shift = text.indexOf(start!)
  for (const query of queries.filter((one) => one.doc === doc)) {
    const found = (await findPassages(services, { id: chatbot, owner_id: '' }, query.text)).slice(
      0,
      TOP,
    )
    let wanted = 0
    let covered = 0
    for (const { start_index, end_index } of query.references) {
      for (let at = start_index; at < end_index; at++) {
        wanted += 1
        if (
          found.some((passage) => at - shift >= passage.starts_at && at - shift < passage.ends_at)
        )
          covered += 1
      }
    }
    recall += covered / wanted
    asked += 1
  }
}
const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
process.stdout.write(
  `${asked} questions, ${lengths.length} passages of ${Math.round(average)} characters on average: recall@${TOP} ${(recall / asked).toFixed(3)}\n`,
)
for (const end of ends) await end()
process.exit(0)
