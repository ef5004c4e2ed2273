import { hash } from 'node:crypto'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import { describeIssue } from '../../http/errors/validation-messages.ts'
import { isDamaged, openSealed } from '../sealed-file.ts'
import {
  EmbedderName,
  LINES,
  type Line,
  MAX_FILE_BYTES,
  type RevisionLine,
} from './chatbot-file.ts'
import type { FieldChecker } from './check-fields.ts'

// The longest text of a source with every character escaped.
const MAX_LINE_BYTES = 192 * 1024 * 1024

const About = z.looseObject({ embedder: EmbedderName.nullable() })

export interface ChatbotFile {
  /** The embedder of its vectors. */
  embedder: EmbedderName | null
  lines: AsyncIterable<Line>
}

/**
 * Yields lines that fit together: each line is in its place, and each passage lies within its revision. With a checker,
 * field values are checked too, and one error at the end lists all problems.
 */
export async function readChatbotFile(file: string, fields?: FieldChecker): Promise<ChatbotFile> {
  const { header, content } = await openSealed(file, 'chatbot')
  const about = About.safeParse(header)
  if (!about.success) throw isDamaged(file, about.error)
  const { embedder } = about.data
  return { embedder, lines: checkedLines(file, content, embedder?.dimensions, fields) }
}

async function* checkedLines(
  file: string,
  content: AsyncIterable<Buffer>,
  dimensions: number | undefined,
  fields: FieldChecker | undefined,
): AsyncGenerator<Line> {
  const check = new LineChecker(dimensions)
  for await (const text of splitLines(file, content)) {
    let line: Line
    try {
      line = parseLine(file, JSON.parse(text), fields)
      check.next(line)
    } catch (error) {
      throw error instanceof AppError ? error : isDamaged(file, error)
    }
    fields?.check(line)
    yield line
  }
  if (!check.isComplete) throw isDamaged(file)
  fields?.end(file)
}

function parseLine(file: string, given: unknown, fields: FieldChecker | undefined): Line {
  const [kind = ''] = Object.keys(given as object)
  if (!Object.hasOwn(LINES, kind)) throw new Error('Unexpected kind of line')
  const result = LINES[kind as keyof typeof LINES].safeParse(given, { error: describeIssue })
  if (result.success) return result.data
  const issues = result.error.issues.map((issue) => ({ ...issue, path: issue.path.slice(1) }))
  fields?.addIssues(kind, issues)
  // The lines after an invalid line can't be interpreted.
  fields?.end(file)
  throw result.error
}

class LineChecker {
  readonly #vectorBytes: number | undefined
  #before: 'nothing' | KeyOf<Line> = 'nothing'
  #needsFile = false
  #fileBytes = 0
  #revision: RevisionLine | undefined
  /** Items that may occur only once in a source. */
  #seen = new Set<string>()
  #positions = new Map<string, number>()

  constructor(vectorBytes: number | undefined) {
    this.#vectorBytes = vectorBytes
  }

  get isComplete(): boolean {
    return this.#before !== 'nothing' && !this.#needsFile
  }

  next(line: Line): void {
    const [kind] = Object.keys(line) as [KeyOf<Line>]
    must((kind === 'chatbot') === (this.#before === 'nothing'), 'the chatbot is the first line')
    must(kind === 'file' || !this.#needsFile, 'an upload has a file')
    must(['chatbot', 'source'].includes(kind) || this.#before !== 'chatbot', 'a source comes first')
    if ('source' in line) this.#begin(line.source.type === 'upload')
    else if ('file' in line) this.#takeFile(line.file)
    else if ('revision' in line) this.#takeRevision(line.revision)
    else if ('passages' in line) this.#takePassages(line.passages)
    else if ('page' in line) this.#once(`page ${line.page.url}`)
    else if ('visit' in line) this.#once(`visit ${line.visit.url}`)
    else if ('sitemap' in line) this.#once(`sitemap ${line.sitemap.url}`)
    this.#before = kind
  }

  #begin(isUpload: boolean): void {
    this.#needsFile = isUpload
    this.#fileBytes = 0
    this.#revision = undefined
    this.#seen = new Set()
    this.#positions = new Map()
  }

  #takeFile(part: string): void {
    must(this.#needsFile || this.#before === 'file', 'a file follows its source')
    this.#needsFile = false
    this.#fileBytes += part.length * 0.75
    must(this.#fileBytes <= MAX_FILE_BYTES, 'a file is not too large')
  }

  #takeRevision(revision: RevisionLine): void {
    this.#once(`revision ${revision.hash}`)
    must(hash('sha256', revision.text) === revision.hash, 'a revision has its hash')
    this.#revision = revision
  }

  #takePassages({ page_url, position, list }: Extract<Line, { passages: unknown }>['passages']) {
    const text = this.#revision?.text
    must(text !== undefined, 'a revision comes before its passages')
    must(position === (this.#positions.get(page_url) ?? 0), 'passages come in their order')
    this.#positions.set(page_url, position + list.length)
    for (const [start, end, , , vector] of list) {
      must(start <= end && end <= text.length, 'a passage is a piece of its revision')
      if (vector === null) continue
      must(Buffer.byteLength(vector, 'base64') === this.#vectorBytes, 'a vector has its length')
    }
  }

  #once(what: string): void {
    must(!this.#seen.has(what), `${what} is there once`)
    this.#seen.add(what)
  }
}

type KeyOf<One> = One extends unknown ? keyof One : never

function must(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new Error(`This rule is broken: ${rule}.`)
}

async function* splitLines(
  file: string,
  content: AsyncIterable<Buffer>,
): AsyncGenerator<string, void> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    let rest = chunk
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]).toString('utf8')
      parts = []
      bytes = 0
      rest = rest.subarray(end + 1)
    }
    parts.push(rest)
    bytes += rest.length
    if (bytes > MAX_LINE_BYTES) throw isDamaged(file)
  }
  if (bytes > 0) throw isDamaged(file)
}
