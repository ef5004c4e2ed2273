import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDataSet } from './data-set.ts'
import { DOCUMENT_SETS, readDocuments } from './documents.ts'
import { MANUALS, readPages } from './manuals.ts'
import { areaUnderCurve, mean, ndcgAt10 } from './measures.ts'
import { tokenF1 } from './score-answers.ts'
import { type Answer, EvaluatedService } from './service.ts'

// Measures the quality of search and built-in answers through the real service.
//   npm run evals                 the core sets: a few minutes
//   npm run evals -- all          every set
//   npm run evals -- squad xquad  the named sets
//   --without-reader              with READER=off, for comparison
//   --show                        prints answers about documents, and answers about manuals that lack the required text
//   --write                       writes the results to the table in docs/explanation/quality.md
// DOCENT_DATA names the folder of the sets. The default is next to the project.

const root = join(import.meta.dirname, '../..')
// biome-ignore lint/style/noProcessEnv: evaluations run outside the server
const data = process.env.DOCENT_DATA ?? join(root, '../shared/data')
const folder = join(data, 'qa')
const PAIR_SETS = ['stackfaq', 'covidfaq']
const SETS = [
  'squad',
  'clapnq',
  'scifact',
  ...PAIR_SETS,
  'anthropic_docs',
  'mtrag_clapnq',
  'mtrag_cloud',
  'mtrag_govt',
  'xquad',
  'manuals',
  ...DOCUMENT_SETS,
]
const CORE = ['squad', 'clapnq', ...PAIR_SETS, 'anthropic_docs', 'mtrag_govt']
const LANGUAGES = ['en', 'ar', 'de', 'el', 'es', 'hi', 'ro', 'ru', 'th', 'tr', 'vi', 'zh']
const CORE_QUESTIONS = 500
const LONGEST_ANSWER = 300
const SHORT_ANSWER = 120
// The answers of these sets are sentences in people's own words.
const EXPLAINED = ['clapnq', 'anthropic_docs']
const SHARED = 'word overlap with a person’s answer, F1'

interface Line {
  set: string
  measure: string
  value: string
  questions: number
}

const given = process.argv.slice(2).filter((word) => !word.startsWith('-'))
const isAll = given[0] === 'all'
const names = isAll ? SETS : given.length > 0 ? given : CORE
if (!existsSync(folder)) {
  process.stderr.write(`There are no data sets at ${folder}: name their folder with DOCENT_DATA.\n`)
  process.exit(2)
}
const hasReader = !process.argv.includes('--without-reader')
const lines: Line[] = []
const { service, stop } = await EvaluatedService.start(
  (text) => process.stderr.write(`\r\x1b[K${text}`),
  { READER: hasReader ? 'on' : 'off' },
)
for (const name of names) {
  if (name === 'manuals') await evaluateManuals()
  else if (DOCUMENT_SETS.includes(name)) await evaluateDocuments(name)
  else if (name === 'xquad') for (const language of LANGUAGES) await evaluate(name, language)
  else await evaluate(name)
}
await stop()
process.stderr.write('\r\x1b[K')
const HEAD = ['| set | measure | value | questions |', '|---|---|---|---|']
const rows = lines.map(({ set, measure, value, questions }) => {
  return `| ${set} | ${measure} | ${value} | ${questions} |`
})
process.stdout.write(`${[...HEAD, ...rows].join('\n')}\n`)
if (process.argv.includes('--write') && hasReader) writeTable(rows)

/** Keeps the rows of sets that this run did not measure. */
function writeTable(rows: string[]): void {
  const file = join(root, 'docs/explanation/quality.md')
  const text = readFileSync(file, 'utf8')
  const [before, after] = text.split(/<!-- table -->.*<!-- end -->/s)
  const setOf = (row: string) => row.split(' ')[1]!
  const measured = new Set(rows.map(setOf))
  const written = /<!-- table -->(.*)<!-- end -->/s.exec(text)![1]!.split('\n')
  const kept = written.filter((row) => /^\| (?!set )\w/.test(row) && !measured.has(setOf(row)))
  const table = [...HEAD, ...rows, ...kept].join('\n')
  writeFileSync(file, `${before}<!-- table -->\n${table}\n<!-- end -->${after}`)
}

async function evaluate(name: string, language?: string): Promise<void> {
  const set = readDataSet(folder, name, language)
  const { chatbot, documentOf } = await service.takeIn(set, PAIR_SETS.includes(name))
  const asked = set.questions.filter(({ id }) => set.relevant.has(id))
  const step = isAll ? 1 : Math.max(1, Math.floor(asked.length / CORE_QUESTIONS))
  const sample = asked.filter((_, i) => i % step === 0)
  const scores: number[] = []
  await service.inTurns(`${set.name}: questions`, sample, async (question) => {
    const found = await service.find(chatbot, documentOf, question)
    scores.push(ndcgAt10(found, set.relevant.get(question.id)!))
  })
  add(set.name, 'nDCG@10', mean(scores), scores.length)
  const toAnswer = set.questions.filter(({ core, answerable }) =>
    name === 'squad' ? core : EXPLAINED.includes(name) && answerable !== undefined,
  )
  if (toAnswer.length > 0) await evaluateAnswers(name, chatbot, toAnswer)
}

/** Measures whether answers agree with people's answers and cite the right place. */
async function evaluateDocuments(name: string): Promise<void> {
  const { files, questions } = readDocuments(data, name)
  const chatbot = await service.takeInFiles(name, files)
  const shared: number[] = []
  const cited: number[] = []
  await service.inTurns(`${name}: answers`, questions, async ({ text, answer: gold, places }) => {
    const answer = await service.ask(chatbot, text)
    shared.push(sharedWith(answer, [gold]))
    const isRight = places.some((place) =>
      answer.places.some(({ file, page }) => file === place.file && (place.page ?? page) === page),
    )
    cited.push(isRight ? 1 : 0)
    if (process.argv.includes('--show'))
      process.stdout.write(`\n${text}\n${answer.text}\n${JSON.stringify(answer.places)}\n`)
  })
  add(name, SHARED, mean(shared), shared.length)
  const hasPages = questions.some(({ places }) => places.some(({ page }) => page))
  add(name, `answer cites the right ${hasPages ? 'page' : 'file'}`, mean(cited), cited.length)
}

/** The best F1 between an answer and the gold answers. 0 if the question was not answered. */
function sharedWith({ text, isAnswered }: Answer, golds: string[]): number {
  const plain = text.replace(/\[\d+\.\d+\]/g, '')
  return isAnswered ? Math.max(...golds.map((gold) => tokenF1(plain, gold))) : 0
}

/** Measures whether answers contain the required command or fact. */
async function evaluateManuals(): Promise<void> {
  const held = { seen: [] as number[], fresh: [] as number[] }
  for (const manual of MANUALS) {
    const chatbot = await service.takeInFiles(manual.site, readPages(data, manual))
    for (const when of ['seen', 'fresh'] as const) {
      await service.inTurns(`${manual.site}: answers`, manual[when], async ([question, ...any]) => {
        const { text, isAnswered } = await service.ask(chatbot, question)
        const isHeld = isAnswered && any.some((words) => text.includes(words))
        held[when].push(isHeld ? 1 : 0)
        if (!isHeld && process.argv.includes('--show'))
          process.stdout.write(`\n${question}\n${text}\n`)
      })
    }
  }
  const what = 'answer has the needed command or fact'
  add('manuals', `${what}, questions used for tuning`, mean(held.seen), held.seen.length)
  add('manuals', `${what}, questions written later`, mean(held.fresh), held.fresh.length)
}

async function evaluateAnswers(
  name: string,
  chatbot: string,
  questions: ReturnType<typeof readDataSet>['questions'],
): Promise<void> {
  const confidence = { answerable: [] as number[], unanswerable: [] as number[] }
  const held = { long: 0, short: 0 }
  const receipts = { stored: 0, verified: 0 }
  const shared: number[] = []
  await service.inTurns(`${name}: answers`, questions, async (question) => {
    const answer = await service.ask(chatbot, question.text)
    confidence[question.answerable ? 'answerable' : 'unanswerable'].push(answer.confidence)
    receipts.stored += answer.citations
    receipts.verified += answer.verified
    if (!question.answerable) return
    shared.push(sharedWith(answer, question.answers))
    const text = answer.text.toLowerCase()
    const isHeld =
      answer.isAnswered && question.answers.some((gold) => text.includes(gold.toLowerCase()))
    if (isHeld && text.length <= LONGEST_ANSWER) held.long += 1
    if (isHeld && text.length <= SHORT_ANSWER) held.short += 1
  })
  const answerable = confidence.answerable.length
  if (name === 'squad') {
    add(name, `gold answer within ${LONGEST_ANSWER} characters`, held.long / answerable, answerable)
    add(name, `gold answer within ${SHORT_ANSWER} characters`, held.short / answerable, answerable)
  }
  if (name !== 'squad') add(name, SHARED, mean(shared), shared.length)
  if (confidence.unanswerable.length > 0) {
    const area = areaUnderCurve(confidence.answerable, confidence.unanswerable)
    add(name, 'answerable against unanswerable by confidence, AUROC', area, questions.length)
  }
  lines.push({
    set: name,
    measure: 'citations that verify',
    value: `${receipts.verified} of ${receipts.stored}`,
    questions: questions.length,
  })
}

function add(set: string, measure: string, value: number, questions: number): void {
  lines.push({ set, measure, value: value.toFixed(3), questions })
}
