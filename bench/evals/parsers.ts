import { argv, exit, stdout } from 'node:process'
import { DocumentReader } from '@docent/server/src/ingestion/confined/read-document.ts'
import {
  findParserData,
  findPrograms,
  listCases,
  measureCase,
  type ParserResult,
} from './measure-parsers.ts'

// node bench/evals/parsers.ts [FORMAT or part of a file name …]
const folder = findParserData()
if (!folder) {
  stdout.write(
    'There is no folder shared/data/parsers beside the project; DOCENT_DATA names another.\n',
  )
  exit(1)
}
const wanted = argv.slice(2)
const cases = listCases(folder).filter(
  ({ file, format }) =>
    wanted.length === 0 || wanted.some((part) => part === format || file.includes(part)),
)
const documents = DocumentReader.open()
const programs = findPrograms()
const residentMb = () => process.memoryUsage.rss() / 1024 / 1024
const before = residentMb()
let most = before
const watching = setInterval(() => {
  most = Math.max(most, residentMb())
}, 50)
const results: ParserResult[] = []
for (const each of cases) {
  const started = performance.now()
  const result = await measureCase({ documents, programs }, folder, each)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (!result) {
    stdout.write(`       –  ${each.file} (${each.format} is not read)\n`)
    continue
  }
  results.push(result)
  const found = `${result.facts - result.missed.length}/${result.facts}`
  stdout.write(`${found.padStart(8)}  ${each.file} (${each.expect}, ${seconds} s)\n`)
  for (const missed of result.missed) stdout.write(`            ${missed}\n`)
}
clearInterval(watching)
await documents.close()
programs.close()

for (const [format, group] of Map.groupBy(results, (result) => result.format)) report(format, group)
report('all', results)
stdout.write(`memory: ${before.toFixed(0)} MB, and ${(most - before).toFixed(0)} MB more at most\n`)

function report(name: string, group: ParserResult[]): void {
  const facts = group.reduce((sum, result) => sum + result.facts, 0)
  const missed = group.reduce((sum, result) => sum + result.missed.length, 0)
  stdout.write(`${name}: ${facts - missed} of ${facts} facts in ${group.length} files\n`)
}
