import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { ExtractedText } from '@docent/extract/web/html.ts'
import type { DocumentReader } from '@docent/server/src/ingestion/confined/read-document.ts'
import {
  isReadable,
  toReadable,
} from '@docent/server/src/ingestion/programs/convert-presentation.ts'
import { Programs } from '@docent/server/src/ingestion/programs/programs.ts'

/** A file, and the text that a good parser extracts or the error that it reports. */
export interface ParserCase {
  file: string
  format: string
  bytes: number
  expect: 'text' | 'no-text' | 'needs-password' | 'reject' | 'either'
  must_contain?: string[]
  should_not_contain?: string[]
  /** The first text must come before the second. */
  in_order?: [string, string][]
  /** Cells that must be on the same line, or close together. */
  same_row?: string[][]
  page_of?: Record<string, number>
}

export interface ParserResult {
  file: string
  format: string
  facts: number
  /** A sentence for each missing fact. */
  missed: string[]
}

const ROW_LENGTH = 200

/** The folder with the files: next to the project, or in DOCENT_DATA. Undefined if it does not exist. */
export function findParserData(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: evaluations run outside the server
  const data = env.DOCENT_DATA ?? join(import.meta.dirname, '../../../shared/data')
  const folder = join(data, 'parsers')
  return existsSync(join(folder, 'manifest.json')) ? folder : undefined
}

export function listCases(folder: string): ParserCase[] {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).files
}

/** The programs of this machine, without OCR, which this evaluation does not measure. */
export function findPrograms(): Programs {
  // biome-ignore lint/style/noProcessEnv: evaluations run outside the server
  const searchPath = env.PATH ?? ''
  return new Programs({ searchPath, folder: join(tmpdir(), `docent-evals-${process.pid}`) })
}

/** Undefined if the server does not read this kind of file. */
export async function measureCase(
  { documents, programs }: { documents: DocumentReader; programs: Programs },
  folder: string,
  wanted: ParserCase,
): Promise<ParserResult | undefined> {
  const { file, format } = wanted
  const bytes = readFileSync(join(folder, file))
  const detected = detectKind(bytes, file)
  const kind = detected && isReadable(programs, detected) ? detected : undefined
  if (!kind && wanted.expect === 'text') return undefined
  const read = kind
    ? await toReadable(programs, { bytes, kind })
        .then((input) => documents.extract(input))
        .catch((error: unknown) => error as Error)
    : new IngestionError('error:content type', { code: 'file_type' })
  const checks = wanted.expect === 'text' ? checkText(wanted, read) : checkRefusal(wanted, read)
  return { file, format, facts: checks.length, missed: checks.filter((missed) => missed !== '') }
}

/** Returns an empty string for each fact that was found. */
function checkText(wanted: ParserCase, read: ExtractedText | Error): string[] {
  const { must_contain = [], should_not_contain = [], in_order = [], same_row = [] } = wanted
  const raw = read instanceof Error ? '' : read.text
  const text = comparable(raw)
  const has = (fact: string) => text.includes(comparable(fact))
  return [
    ...must_contain.map((fact) => (has(fact) ? '' : `lacks ${fact}`)),
    ...should_not_contain.map((fact) => (has(fact) ? `holds ${fact}` : '')),
    ...in_order.map(([first, second]) => {
      const isInOrder =
        has(first) && text.indexOf(comparable(second)) > text.indexOf(comparable(first))
      return isInOrder ? '' : `out of order: ${first} … ${second}`
    }),
    ...same_row.map((cells) => (isOneRow(raw, cells) ? '' : `not one row: ${cells.join(' ')}`)),
    ...Object.entries(wanted.page_of ?? {}).map(([fact, page]) =>
      comparable(pageText(read, page)).includes(comparable(fact))
        ? ''
        : `not on page ${page}: ${fact}`,
    ),
  ]
}

function checkRefusal({ expect }: ParserCase, read: ExtractedText | Error): string[] {
  const isText = !(read instanceof Error) && read.text.trim() !== ''
  // The ingestion journey rejects empty text after parsing.
  const refusal =
    read instanceof Error ? read : new IngestionError('error:no text', { code: 'no_text' })
  const isClear = refusal instanceof IngestionError
  const isExpected = {
    text: false,
    either: isText || isClear,
    reject: !isText && isClear,
    'no-text': !isText && isClear && refusal.status === 'error:no text',
    'needs-password': !isText && isClear && /password/.test(refusal.message),
  }[expect]
  return [isExpected ? '' : `${expect} expected, but ${isText ? 'read' : refusal.message}`]
}

function pageText(read: ExtractedText | Error, page: number): string {
  if (read instanceof Error) return ''
  return read.text.slice(read.pages?.[page - 1] ?? 0, read.pages?.[page])
}

function isOneRow(raw: string, cells: string[]): boolean {
  const wanted = cells.map(comparable)
  const isWithin = (text: string) => wanted.every((cell) => text.includes(cell))
  if (raw.split('\n').some((line) => isWithin(comparable(line)))) return true
  const text = comparable(raw)
  for (let at = text.indexOf(wanted[0]!); at >= 0; at = text.indexOf(wanted[0]!, at + 1)) {
    if (isWithin(text.slice(at, at + ROW_LENGTH))) return true
  }
  return false
}

function comparable(text: string): string {
  return text.normalize('NFKC').replaceAll('\u00AD', '').replace(/\s+/g, ' ').trim()
}
