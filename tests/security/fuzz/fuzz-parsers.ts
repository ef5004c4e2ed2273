import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findParserData, listCases } from '@docent/bench/evals/measure-parsers.ts'
import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { DocumentReader } from '@docent/server/src/ingestion/confined/read-document.ts'
import { makePdf } from '@docent/server/test/files/make-pdf.ts'
import { zipFile } from '@docent/server/test/files/zip-file.ts'
import fc from 'fast-check'
import { applyDamage, damages } from './damage-file.ts'

// Reads damaged files as the server does. Each must be read or rejected with a reason. An unexpected error or a crash
// of the parser's process is a failure.

export interface Sample {
  name: string
  bytes: Buffer
}

export interface ParserFuzzResult {
  files: number
  read: number
  refused: Record<string, number>
  /** Files of no supported type, which the server rejects before parsing. */
  unknown: number
  failures: string[]
}

const OFFICE = join(import.meta.dirname, '../../../apps/server/test/files/office')
const MAX_BYTES = 200_000
const AT_ONCE = 4

/** Makes a small file of each type. */
export function ownSamples(): Sample[] {
  const relation = (target: string) =>
    `<Relationships><Relationship Id="r1" Type="http://x/worksheet" Target="${target}"/></Relationships>`
  const made: Record<string, string | Uint8Array> = {
    'a.doc': readFileSync(join(OFFICE, 'garden.doc')),
    'a.xls': readFileSync(join(OFFICE, 'garden.xls')),
    'a.txt': 'Open daily.\n\nFrom nine to five.\n',
    'a.md': '# Hours\n\n- Monday\n- Tuesday\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    'a.rst':
      'Hours\n=====\n\n* a\n\n  * b\n\n.. note:: c\n\n   d::\n\n     e\n\n===  ===\na    b\n===  ===\n1    2\n===  ===\n',
    'a.html':
      '<!doctype html><title>T</title><main><h1>H</h1><table><tr><td rowspan=2>1</table></main>',
    'a.csv': 'name,price\n"a ""b""",3\nc,4\n',
    'a.json': '{"a":[1,{"b":"c"}],"d":null}',
    'a.xml': '<?xml version="1.0" encoding="utf-8"?><a b="c"><d>text &amp; more</d></a>',
    'a.rtf': "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}\\b Hours\\b0\\par caf\\'e9 \\u8364?\\par}",
    'a.eml':
      'From: a@x\r\nTo: b@x\r\nSubject: =?utf-8?q?Caf=C3=A9?=\r\nMIME-Version: 1.0\r\nDate: x\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n--q\r\nContent-Type: text/plain\r\n\r\nHello\r\n--q--\r\n',
    'a.pdf': makePdf([
      [
        [72, 700, 'Open daily', 18],
        [72, 660, 'from nine to five'],
      ],
    ]),
    'a.docx': zipFile({
      '[Content_Types].xml': '<Types/>',
      'word/document.xml':
        '<w:document><w:body><w:p><w:r><w:t>Open daily</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc></w:tr></w:tbl></w:body></w:document>',
    }),
    'a.xlsx': zipFile({
      '[Content_Types].xml': '<Types/>',
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relation('worksheets/sheet1.xml'),
      'xl/worksheets/sheet1.xml':
        '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1"><v>1</v></c></row></sheetData></worksheet>',
    }),
    'a.odt': zipFile({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml':
        '<office:document-content><office:body><office:text><text:p>Open daily</text:p></office:text></office:body></office:document-content>',
    }),
    'a.epub': zipFile({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>',
      'a.opf':
        '<package><manifest><item id="i" href="a.html" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="i"/></spine></package>',
      'a.html': '<html><body><p>Open daily</p></body></html>',
    }),
  }
  return Object.entries(made).map(([name, content]) => ({
    name,
    bytes: Buffer.from(content as string),
  }))
}

/** Real files, if their folder is next to the project. */
export function realSamples(): Sample[] {
  const folder = findParserData()
  if (!folder) return []
  return listCases(folder)
    .map(({ file }) => ({ name: basename(file), path: join(folder, file) }))
    .filter(({ path }) => statSync(path).size <= MAX_BYTES)
    .map(({ name, path }) => ({ name, bytes: readFileSync(path) }))
}

export async function fuzzParsers(
  samples: Sample[],
  { files, seed }: { files: number; seed: number },
  say = (_: string) => {},
): Promise<ParserFuzzResult> {
  const result: ParserFuzzResult = { files: 0, read: 0, refused: {}, unknown: 0, failures: [] }
  const documents = DocumentReader.open()
  const place = fc.nat(samples.length - 1)
  const plans = fc.sample(fc.tuple(place, place, damages), { seed, numRuns: files })
  const readNext = async () => {
    for (let plan = plans.pop(); plan; plan = plans.pop()) {
      const sample = samples[plan[0]]!
      const damaged = applyDamage(sample.bytes, samples[plan[1]]!.bytes, plan[2])
      const failure = await readDamaged(documents, sample, damaged, result)
      if (failure)
        result.failures.push(`${sample.name}, seed ${seed}, file ${plans.length}: ${failure}`)
      result.files += 1
      if (result.files % 500 === 0) say(`${result.files} files, ${result.failures.length} failures`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, readNext))
  await documents.close()
  return result
}

async function readDamaged(
  documents: DocumentReader,
  { name, bytes: whole }: Sample,
  bytes: Buffer,
  result: ParserFuzzResult,
): Promise<string | undefined> {
  try {
    // The server would reject a file whose type it no longer detects, but the parser must handle it anyway.
    const kind = detectKind(bytes, name) ?? detectKind(whole, name)
    // LibreOffice reads these files, not Docent's own parsers.
    if (!kind || kind === 'ppt') {
      result.unknown += 1
      return undefined
    }
    await documents.read({ bytes: new Uint8Array(bytes), kind })
    result.read += 1
    return undefined
  } catch (error) {
    if (!(error instanceof IngestionError)) return String((error as Error).stack)
    result.refused[error.message] = (result.refused[error.message] ?? 0) + 1
    return undefined
  }
}
