import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fairness } from './fairness.ts'
import { http } from './http.ts'
import { idle } from './idle.ts'
import { ingest } from './ingest.ts'
import { messages } from './messages.ts'
import { search } from './search.ts'
import { streams } from './streams.ts'
import { type Bench, HEAD, holds, type Row, replaceRows, toLine } from './support/rows.ts'

const HELP = `How fast Docent is, and what it takes: each figure against a ceiling that is measured in the same run.

  npm run bench                     everything, the short form: about five minutes on a quiet machine
  npm run bench -- http search      only these: http, messages, streams, search, ingest, idle, fairness
  npm run bench -- --full           longer, and larger: about half an hour
  npm run bench -- --write          puts the table into docs/explanation/performance.md
`
const BENCHES: Record<string, Bench> = { http, messages, streams, search, ingest, idle, fairness }

const given = process.argv.slice(2)
const names = given.filter((word) => !word.startsWith('-'))
const unknown = given.find((word) =>
  word.startsWith('-') ? !['--full', '--write', '--help'].includes(word) : !BENCHES[word],
)
if (unknown !== undefined || given.includes('--help')) {
  if (unknown !== undefined) process.stderr.write(`There is no ${unknown}.\n\n`)
  process.stdout.write(HELP)
  process.exit(unknown === undefined ? 0 : 2)
}

const measured = new Map<string, string[]>()
const missed: Row[] = []
process.stdout.write(`${HEAD}\n`)
for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
  const lines: string[] = []
  for await (const row of BENCHES[name]!({ isFull: given.includes('--full') })) {
    lines.push(toLine(name, row))
    if (holds(row) === false) missed.push(row)
    process.stdout.write(`${lines.at(-1)}\n`)
  }
  measured.set(name, lines)
}
process.stdout.write(
  missed.length === 0 ? '\nEvery bar is met.\n' : `\n✗ misses its bar: ${missed.length}\n`,
)
if (given.includes('--write')) {
  const page = join(import.meta.dirname, '../docs/explanation/performance.md')
  writeFileSync(page, replaceRows(readFileSync(page, 'utf8'), Object.keys(BENCHES), measured))
}
process.exit(0)
