import { join } from 'node:path'
import { asksTheSame } from '@docent/quote/before-judge/asks-the-same.ts'
import type { FoundPassage } from '@docent/quote/found-passage.ts'
import { findPassages } from '@docent/server/src/search/find-passages.ts'
import { startTestServer } from '@docent/server/test/harness.ts'
import { readDataSet } from './data-set.ts'

// Measures from which similarity on a pair may answer instead of a language model: how many questions it answers, and
// how many of them correctly. Each question runs twice: with its pairs among the sources, and without, where any answer
// is wrong.
//   node bench/evals/pairs-override.ts

const BOUNDS = [0.8, 0.85, 0.88, 0.89, 0.9, 0.91, 0.92, 0.94, 0.96]
const LIMIT = 50

// biome-ignore lint/style/noProcessEnv: evaluations run outside the server
const data = process.env.DOCENT_DATA ?? join(import.meta.dirname, '../../../shared/data')
const ends: (() => unknown)[] = []
const { owner, services } = await startTestServer({ after: (end) => ends.unshift(end) })

process.stdout.write(
  '| set | bound | asked | overridden | right | of 100 |\n|---|---|---|---|---|---|\n',
)
for (const name of ['stackfaq', 'covidfaq']) {
  const set = readDataSet(join(data, 'qa'), name)
  const chatbot = await owner.createChatbot()
  const searched = { id: chatbot, owner_id: (await owner.json('GET', '/user')).body.uuid }
  const documentOf = new Map<string, string>()
  for (const { id, title, text } of set.documents) {
    const pair = { question: title, answer: text }
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/qa`, pair)
    documentOf.set(body.uuid, id)
  }
  for (const uuid of documentOf.keys()) await owner.settled(uuid, 600_000)
  const asked: { question: string; pairs: FoundPassage[]; isRight(pair: FoundPassage): boolean }[] =
    []
  for (const { id, text } of set.questions) {
    const relevant = set.relevant.get(id)
    const isRight = (pair: FoundPassage) => relevant?.has(documentOf.get(pair.source_id)!) ?? false
    const found = await findPassages(services, searched, text, { limit: LIMIT })
    asked.push({ question: text, pairs: found, isRight })
    asked.push({ question: text, pairs: found.filter((pair) => !isRight(pair)), isRight })
  }
  for (const bound of BOUNDS) {
    const overridden = asked.flatMap(({ question, pairs, isRight }) => {
      const same = pairs.filter((pair) => asksTheSame(question, pair, bound))
      const [best] = same.toSorted((a, b) => b.evidence.meaning - a.evidence.meaning)
      return best ? [isRight(best)] : []
    })
    const right = overridden.filter(Boolean).length
    const share = ((100 * right) / overridden.length).toFixed(1)
    const row = [name, bound, asked.length, overridden.length, right, share]
    process.stdout.write(`| ${row.join(' | ')} |\n`)
  }
}
for (const end of ends) await end()
process.exit()
