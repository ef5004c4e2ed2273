import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  findParserData,
  findPrograms,
  listCases,
  measureCase,
} from '@docent/bench/evals/measure-parsers.ts'
import { DocumentReader } from '@docent/server/src/ingestion/confined/read-document.ts'

const FORMATS = 'pdf docx pptx xlsx odt ods odp rtf epub html txt xml srt csv md ipynb zip'.split(
  ' ',
)
// The evaluation covers larger files.
const MAX_BYTES = 2_000_000
const MAX_MISSED = 0.02

const folder = findParserData()
const options = { skip: folder ? false : 'the real files are not beside the project' }

test(
  'nearly all facts are found in real files, and locked and hostile ones are refused',
  options,
  async (t) => {
    const documents = DocumentReader.open()
    const programs = findPrograms()
    t.after(() => Promise.all([documents.close(), programs.close()]))
    const cases = listCases(folder!).filter(
      ({ format, bytes }) => FORMATS.includes(format) && bytes <= MAX_BYTES,
    )
    let facts = 0
    const missed: string[] = []
    for (const each of cases) {
      const result = await measureCase({ documents, programs }, folder!, each)
      assert.ok(result, `${each.file} is read`)
      facts += result.facts
      missed.push(...result.missed.map((what) => `${each.file} ${what}`))
      if (each.expect !== 'text') assert.deepEqual(result.missed, [], each.file)
    }
    assert.ok(missed.length <= facts * MAX_MISSED, missed.join('\n'))
  },
)
