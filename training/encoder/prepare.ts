import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { NegativeSearch } from './mine-negatives.ts'
import { groupPairs, type Pair, passageText, readPairs } from './pairs.ts'
import { TextTable } from './text-table.ts'

// From pairs of query and passage to arrays that a GPU can hold. Cuts texts as the server does.
//   node training/encoder/prepare.ts [--data FOLDER] [--leave-out CORPUS] [--folder data/encoder] [--limit ROWS]

const MAX_QUERY = 96
const MAX_PASSAGE = 256
// A hard passage is drawn from so many: the very first is too often right.
const HARD = 4
const MINED_SOURCE = 'squad1.1-train'
const NONE = -1

const root = join(import.meta.dirname, '../..')
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(root, '../shared/data/train') },
    'leave-out': { type: 'string', multiple: true, default: [] },
    folder: { type: 'string', default: 'data/encoder' },
    limit: { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
})

const random = seededRandom(Number(values.seed))
const limit = values.limit === undefined ? undefined : Number(values.limit)
const all = readPairs(join(values.data, 'pairs.jsonl.gz'), limit)
const evaluated = new Set(values['leave-out'].flatMap(readPassages))
const pairs = all.filter(({ positive }) => !evaluated.has(positive.trim()))
say(`${all.length} pairs, ${pairs.length} without the passages that are left out`)

const table = new TextTable(
  JSON.parse(readFileSync(join(root, 'server/models/embedder/pieces.json'), 'utf8')),
)
const sources = [...new Set(pairs.map(({ source }) => source))]
const groups = groupPairs(pairs)
const negatives = mineNegatives(pairs.filter(({ source }) => source === MINED_SOURCE))
const rows = pairs.flatMap((pair, i) => {
  const negative = negatives.get(pair)
  return [
    table.add(pair.query, MAX_QUERY),
    table.add(passageText(pair), MAX_PASSAGE),
    groups[i]!,
    sources.indexOf(pair.source),
    negative === undefined ? NONE : table.add(negative, MAX_PASSAGE),
  ]
})
const { pieces, lengths } = table.toArrays()
say(`${lengths.length} texts, ${pieces.length} pieces, ${negatives.size} hard negatives`)

mkdirSync(values.folder, { recursive: true })
writeFileSync(join(values.folder, 'pieces.u16'), pieces)
writeFileSync(join(values.folder, 'lengths.u16'), lengths)
writeFileSync(join(values.folder, 'pairs.i32'), Int32Array.from(rows))
writeFileSync(join(values.folder, 'sources.json'), JSON.stringify(sources))

/** For each question one passage, drawn from those that BM25 would give instead of the right one. */
function mineNegatives(asked: Pair[]): Map<Pair, string> {
  const byPositive = new Map(asked.map((pair) => [pair.positive, pair]))
  const passages = [...byPositive.keys()]
  const numbers = new Map(passages.map((passage, i) => [passage, i]))
  const search = new NegativeSearch(passages)
  const mined = new Map<Pair, string>()
  for (const [i, pair] of asked.entries()) {
    if (i % 10_000 === 0) say(`hard negatives: ${i} of ${asked.length}`)
    const hard = search.find(pair.query, numbers.get(pair.positive)!, HARD)
    const chosen = passages[hard[Math.floor(random() * hard.length)] ?? NONE]
    if (chosen !== undefined) mined.set(pair, passageText(byPositive.get(chosen)!))
  }
  return mined
}

/** The texts of a data set in BEIR's form. */
function readPassages(corpus: string): string[] {
  const lines = readFileSync(corpus, 'utf8').trim().split('\n')
  return lines.map((line) => (JSON.parse(line) as { text: string }).text.trim())
}

/** Mulberry32: numbers from 0 to 1 that are the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
