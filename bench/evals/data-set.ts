import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Document {
  id: string
  title: string
  text: string
}

export interface Question {
  id: string
  text: string
  /** The user's earlier questions, oldest first. */
  before: string[]
  answerable: boolean | undefined
  answers: string[]
  core: boolean
}

/** Documents, questions about them, and the relevant documents of each question. */
export interface DataSet {
  name: string
  documents: Document[]
  questions: Question[]
  relevant: Map<string, Map<string, number>>
}

type Row = Record<string, never> & { id: string; text: string; lang?: string }

/** Reads a set in BEIR's format. With `language`, only rows in this language. */
export function readDataSet(folder: string, name: string, language?: string): DataSet {
  const path = join(folder, name)
  const inLanguage = (row: Row) => language === undefined || row.lang === language
  const answers = new Map(readRows(join(path, 'answers.jsonl')).map((row) => [row.id, row]))
  const relevant: DataSet['relevant'] = new Map()
  for (const line of readLines(join(path, 'qrels.tsv')).slice(1)) {
    const [question, document, grade] = line.split('\t') as [string, string, string]
    if (Number(grade) <= 0) continue
    if (!relevant.has(question)) relevant.set(question, new Map())
    relevant.get(question)!.set(document, Number(grade))
  }
  return {
    name: language === undefined ? name : `${name} ${language}`,
    documents: readRows(join(path, 'corpus.jsonl')).filter(inLanguage) as unknown as Document[],
    questions: readRows(join(path, 'queries.jsonl'))
      .filter(inLanguage)
      .map((row) => ({
        id: row.id,
        text: row.text,
        before: ((row.history ?? []) as { role: string; text: string }[])
          .filter(({ role }) => role === 'user')
          .map(({ text }) => text),
        answerable: row.answerable ?? answers.get(row.id)?.answerable,
        answers: (answers.get(row.id)?.answers ?? []) as string[],
        core: row.core === true,
      })),
    relevant,
  }
}

function readLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

function readRows(file: string): Row[] {
  return readLines(file).map((line) => JSON.parse(line))
}
