import { join } from 'node:path'
import { readDataSet } from './data-set.ts'
import { mean, ndcgAt10 } from './measures.ts'
import { EvaluatedService } from './service.ts'

// Checks that both stores find the same passages: both index a set, and every question searches both.
//   node scripts/postgres.ts npm run evals:stores -- [set] [questions] [documents]

const [name = 'squad', most = '300', size = 'all'] = process.argv.slice(2)
// biome-ignore lint/style/noProcessEnv: evaluations run outside the server
const { DOCENT_DATA, TEST_DATABASE_URL } = process.env
if (!TEST_DATABASE_URL) throw new Error('Set TEST_DATABASE_URL, or run scripts/postgres.ts.')
const folder = join(DOCENT_DATA ?? join(import.meta.dirname, '../../../shared/data'), 'qa')
const set = readDataSet(folder, name)
if (size !== 'all') set.documents.length = Number(size)
const isThere = new Set(set.documents.map(({ id }) => id))
const asked = set.questions.filter(({ id }) =>
  [...(set.relevant.get(id)?.keys() ?? [])].some((document) => isThere.has(document)),
)
const step = Math.max(1, Math.floor(asked.length / Number(most)))
const questions = asked.filter((_, i) => i % step === 0)

const stores = { postgres: {}, sqlite: { DATABASE_URL: '' } }
const found: Record<string, string[][]> = {}
for (const [store, environment] of Object.entries(stores)) {
  const say = (text: string) => process.stderr.write(`\r\x1b[K${store}: ${text}`)
  const { service, stop } = await EvaluatedService.start(say, environment)
  const { chatbot, documentOf } = await service.takeIn(set, name.endsWith('faq'))
  const lists = new Map<string, string[]>()
  await service.inTurns('questions', questions, async (question) => {
    lists.set(question.id, await service.find(chatbot, documentOf, question))
  })
  found[store] = questions.map(({ id }) => lists.get(id)!)
  await stop()
}
process.stderr.write('\r\x1b[K')

const overlaps = questions.map((_, i) => {
  const [one, other] = [found.postgres![i]!.slice(0, 10), found.sqlite![i]!.slice(0, 10)]
  return one.filter((id) => other.includes(id)).length / Math.max(1, one.length, other.length)
})
const quality = (lists: string[][]) =>
  mean(lists.map((list, i) => ndcgAt10(list, set.relevant.get(questions[i]!.id)!)))
process.stdout.write(
  `${name}, ${set.documents.length} documents, ${questions.length} questions\n` +
    `overlap@10 of the two: ${mean(overlaps).toFixed(3)}\n` +
    `nDCG@10: SQLite ${quality(found.sqlite!).toFixed(4)}, PostgreSQL ${quality(found.postgres!).toFixed(4)}\n`,
)
