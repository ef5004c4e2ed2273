import { DocumentText, fenced } from '../document-text.ts'
import { nestedTooDeep } from '../ingestion-error.ts'
import type { ExtractedText } from '../web/html.ts'

const MAX_DEPTH = 200

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

interface NotebookCell {
  cell_type?: string
  source?: string | string[]
  outputs?: { text?: string | string[]; data?: { 'text/plain'?: string | string[] } }[]
}

/** Writes each value as a line with its key path, and each record of a list as a paragraph. */
export function extractJson(json: string): ExtractedText {
  const text = new DocumentText()
  const whole = parse(json)
  if (whole === undefined) {
    const records = parseLines(json)
    // Incomplete JSON is still readable as text.
    if (!records) return { title: '', text: json.trim() }
    for (const record of records) writeRecord(text, record)
  } else if (isNotebook(whole)) writeNotebook(text, whole.cells)
  else if (Array.isArray(whole)) for (const record of whole) writeRecord(text, record)
  else writeRecord(text, whole)
  return { title: '', text: text.toString() }
}

function parse(json: string): Json | undefined {
  try {
    return JSON.parse(json) as Json
  } catch {
    return undefined
  }
}

function parseLines(json: string): Json[] | undefined {
  const records: Json[] = []
  for (const line of json.split('\n')) {
    if (line.trim() === '') continue
    const record = parse(line)
    if (record === undefined) return undefined
    records.push(record)
  }
  return records
}

/** Writes a record's own values first. Nested lists of records become paragraphs after it. */
function writeRecord(text: DocumentText, record: Json): void {
  const lines: string[] = []
  const flush = () => {
    text.paragraph(lines.splice(0).join('\n'))
  }
  const walk = (value: Json, path: string, depth: number) => {
    if (depth > MAX_DEPTH) throw nestedTooDeep(MAX_DEPTH)
    if (value === null || typeof value !== 'object') {
      const shown = value === null ? '' : String(value).trim()
      if (shown !== '') lines.push(path === '' ? shown : `${path}: ${shown}`)
    } else if (!Array.isArray(value)) {
      for (const [key, child] of Object.entries(value)) {
        walk(child, path === '' ? key : `${path}.${key}`, depth + 1)
      }
    } else if (value.every((item) => item === null || typeof item !== 'object')) {
      const items = value.filter((item) => item !== null && item !== '')
      if (items.length > 0) lines.push(`${path === '' ? '' : `${path}: `}${items.join(', ')}`)
    } else {
      for (const [index, item] of value.entries()) {
        flush()
        walk(item, `${path}[${index + 1}]`, depth + 1)
      }
      flush()
    }
  }
  walk(record, '', 0)
  flush()
}

function isNotebook(value: Json): value is { cells: Json[]; nbformat: number } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'nbformat' in value &&
    'cells' in value &&
    Array.isArray(value.cells)
  )
}

/** Writes what a reader of a notebook sees: prose, code and the code's output. */
function writeNotebook(text: DocumentText, cells: Json[]): void {
  const joined = (lines: string | string[] | undefined) => [lines ?? ''].flat().join('')
  for (const cell of cells as (NotebookCell | null)[]) {
    const source = joined(cell?.source)
    if (cell?.cell_type !== 'code') {
      text.preformatted(source)
      continue
    }
    if (source.trim() !== '') text.preformatted(fenced(source.trimEnd()))
    for (const output of cell.outputs ?? []) {
      text.preformatted(joined(output?.text ?? output?.data?.['text/plain']))
    }
  }
}
