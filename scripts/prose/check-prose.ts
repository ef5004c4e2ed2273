import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkReadability, checkSentence, checkTerms, type Finding } from './rules.ts'
import { sentencesOfDocument } from './sentences.ts'
import { sentencesOfComments, sentencesOfWords } from './sentences-of-code.ts'

// Checks the prose of documents, comments and the English interface (see CONTRIBUTING.md). Checks the files given as
// arguments, or every tracked file. exceptions.json limits how many findings a file may still have. With --shrink, the
// script lowers those limits where fewer findings are left. Nothing raises them.

const ROOT = join(import.meta.dirname, '../..')
const LIST = join(import.meta.dirname, 'exceptions.json')
const OTHER_RULES = 'packages/quote/src/before-judge/'
const INTERFACE = /^packages\/words\/src\/\w+\/en\.ts$/
const MUST_BE_EASY = /(^|\/)docs\/(tutorials|how-to)\//

type Counts = Record<string, number>

const args = process.argv.slice(2)
const shrinks = args.includes('--shrink')
const given = args.filter((arg) => !arg.startsWith('--'))
const tracked = listTracked()
const exceptions: Record<string, Counts> = JSON.parse(readFileSync(LIST, 'utf8'))
const lower: Record<string, Counts> = {}
const problems: string[] = []

for (const file of given.length > 0 ? given : tracked) compare(file, check(file))
for (const file of Object.keys(exceptions)) {
  if (!tracked.includes(file)) tooHigh(file, 'exception', 0)
}
if (shrinks) {
  const kept = Object.entries(exceptions).filter(([file]) => tracked.includes(file))
  const next = kept
    .map(([file, counts]) => [file, { ...counts, ...lower[file] }] as const)
    .map(
      ([file, counts]) => [file, Object.entries(counts).filter(([, count]) => count > 0)] as const,
    )
    .filter(([, counts]) => counts.length > 0)
    .map(([file, counts]) => [file, Object.fromEntries(counts)])
  writeFileSync(LIST, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`)
}
for (const problem of problems) process.stdout.write(`${problem}\n`)
process.exit(problems.length > 0 ? 1 : 0)

function listTracked(): string[] {
  const patterns = ['*.ts', '*.tsx', '*.mjs', '*.md']
  const listed = execFileSync('git', ['ls-files', '-z', ...patterns], { cwd: ROOT })
  const files = listed.toString().split('\0').filter(Boolean)
  return files.filter((file) => !file.startsWith(OTHER_RULES))
}

function check(file: string): Finding[] {
  const text = readFileSync(resolve(ROOT, file), 'utf8')
  if (file.endsWith('.md')) {
    const sentences = sentencesOfDocument(text)
    const ofPage = MUST_BE_EASY.test(file) ? checkReadability(text) : []
    return [...sentences.flatMap(checkSentence), ...sentences.flatMap(checkTerms), ...ofPage]
  }
  const comments = sentencesOfComments(file, text)
  const words = INTERFACE.test(file) ? sentencesOfWords(file, text) : []
  return [...[...comments, ...words].flatMap(checkSentence), ...words.flatMap(checkTerms)]
}

function compare(file: string, findings: Finding[]): void {
  const allowed = exceptions[file] ?? {}
  const byRule = Map.groupBy(findings, ({ rule }) => rule)
  for (const [rule, found] of byRule) {
    if (found.length <= (allowed[rule] ?? 0)) continue
    problems.push(...found.map(({ line, message }) => `${file}:${line}: ${message}`))
  }
  for (const [rule, count] of Object.entries(allowed)) {
    const found = byRule.get(rule as Finding['rule'])?.length ?? 0
    if (found < count) tooHigh(file, rule, found)
  }
}

function tooHigh(file: string, rule: string, found: number): void {
  lower[file] = { ...lower[file], [rule]: found }
  if (shrinks) return
  problems.push(`${file}: has less to except (${rule}). Run "npm run check:prose -- --shrink".`)
}
