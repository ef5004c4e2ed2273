import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Documents like those that users upload, with questions about them. */
export interface Documents {
  files: { name: string; content: Buffer<ArrayBuffer> }[]
  questions: AskedOfDocuments[]
}

export interface AskedOfDocuments {
  text: string
  /** Written by a person. */
  answer: string
  /** The files and pages with this answer. */
  places: { file: string; page?: number }[]
}

type Row = {
  text: string
  answer: string
  citations?: { file: string; page: number }[]
  files?: string[]
}

export const DOCUMENT_SETS = ['northwind', 'sec10q']

export function readDocuments(data: string, name: string): Documents {
  const folder = join(data, 'docqa', name)
  const files = readdirSync(join(folder, 'files'))
    .toSorted()
    .map((file) => ({ name: file, content: readFileSync(join(folder, 'files', file)) }))
  const rows = readFileSync(join(folder, 'questions.jsonl'), 'utf8').trim().split('\n')
  const questions = rows.map((line) => {
    const { text, answer, citations, files = [] } = JSON.parse(line) as Row
    return { text, answer, places: citations ?? files.map((file) => ({ file })) }
  })
  return { files, questions }
}
