import { hash } from 'node:crypto'
import type { SourceStatus } from '../database/tables.ts'
import { giveUp, handBack, MAX_ATTEMPTS, postpone, updateClaimed } from '../jobs/claim-source.ts'
import { analyzeText } from '../search/analyze-text.ts'
import { finishCrawl, type IndexedPassage, replacePassages } from '../search/sqlite-index.ts'
import type { Services } from '../services.ts'
import { getSourceFile, metaOf, type Source, type SourceMeta } from '../store/sources.ts'
import { crawlSite } from './crawl-site.ts'
import { detectKind } from './extract/detect-kind.ts'
import { IngestionError } from './ingestion-error.ts'
import { readLink } from './read-link.ts'

// A site that asks for a longer pause is told of, rather than waited for.
const MAX_DELAY_MS = 600_000

interface ReadSource {
  title: string
  text: string
  pages?: number[]
  /** Bytes received. */
  fileSize: number
  meta: SourceMeta
  /** Given where the passages are not found by cutting the text. */
  passages?: IndexedPassage[]
}

/**
 * One source in, its passages searchable: a text whole, a site page by page. Every step may run again after a crash, and the work ends early when the
 * source was deleted, restarted or taken over meanwhile.
 */
export async function ingestSource(services: Services, source: Source): Promise<void> {
  const { db, documents } = services
  const { crawl } = metaOf(source)
  try {
    if (crawl) {
      const site = await crawlSite(services, source, crawl)
      if (site) await finishCrawl(db, source, withoutFailure(site.meta), site.remaining)
      return
    }
    const { passages: given, ...read } = await readSource(services, source)
    const { text } = read
    if (text.trim() === '') throw new IngestionError('error:no text', 'There is no text in it.')

    if (!(await updateClaimed(db, source, { status: 'chunking' }))) return
    const passages = given ?? (await documents.split(text, read.pages))
    const tokens = await documents.countTokens(text)

    if (!(await updateClaimed(db, source, { status: 'embedding' }))) return
    await replacePassages(db, source, { ...read, hash: hash('sha256', text), tokens, passages })
  } catch (error) {
    await failSource(services, source, error)
  }
}

function readSource(services: Services, source: Source): Promise<ReadSource> {
  switch (source.type) {
    case 'qa':
      return readPair(source)
    case 'link':
      return readUrl(services, source)
    case 'upload':
      return readUpload(services, source)
  }
}

/** A pair is found by its question and answered with its answer. */
async function readPair(source: Source): Promise<ReadSource> {
  const meta = metaOf(source)
  const { question = '', answer = '' } = meta
  const text = `${question}\n\n${answer}`
  const words = analyzeText(question).join(' ')
  const aside = analyzeText(answer).join(' ')
  const passages = [{ start: question.length + 2, end: text.length, words, aside }]
  return { title: question, text, fileSize: 0, meta: withoutFailure(meta), passages }
}

async function readUrl(services: Services, source: Source): Promise<ReadSource> {
  const meta = metaOf(source)
  const read = await readLink(services, String(meta.url))
  return { ...read, meta: { ...withoutFailure(meta), ...read.meta } }
}

async function readUpload({ db, documents }: Services, source: Source): Promise<ReadSource> {
  const bytes = await getSourceFile(db, source.id)
  const kind = detectKind(bytes, source.file_name)
  if (!kind) throw new IngestionError('error:content type', 'This type of file can’t be read.')
  const { title, ...extracted } = await documents.extract({ bytes, kind })
  return {
    title: title === '' ? source.file_name : title,
    ...extracted,
    fileSize: bytes.length,
    meta: withoutFailure(metaOf(source)),
  }
}

function withoutFailure({ error: _, waiting: __, ...meta }: SourceMeta): SourceMeta {
  return meta
}

/** What may pass by itself is tried again; what can't, or did not, ends with a sentence a person can act on. */
async function failSource(services: Services, source: Source, error: unknown): Promise<void> {
  const { db, log, stopping } = services
  if (stopping.aborted) {
    await handBack(db, source)
    return
  }
  const known = error instanceof IngestionError ? error : undefined
  log[known ? 'info' : 'error']({ err: error, source: source.id }, 'source failed')
  const mayPass = known ? known.mayPass : true
  const reason = known?.message ?? 'It could not be taken in.'
  const delayMs = Math.max(2 ** source.attempts * 1000, known?.retryAfterMs ?? 0)
  const meta = withoutFailure(metaOf(source))
  if (mayPass && source.attempts < MAX_ATTEMPTS && delayMs <= MAX_DELAY_MS) {
    const waiting = `${reason} It is tried again in ${inWords(delayMs)}.`
    await postpone(db, source, delayMs, { ...meta, waiting })
    return
  }
  const status: SourceStatus = known?.status ?? 'fail'
  const sentence = mayPass ? `${reason} ${advise(source.attempts, known?.retryAfterMs)}` : reason
  await giveUp(db, source, status, { ...meta, error: sentence })
}

function advise(attempts: number, retryAfterMs: number | undefined): string {
  const tried = attempts > 1 ? `It was tried ${attempts} times. ` : ''
  if (retryAfterMs === undefined) return `${tried}Try it again later.`
  return `${tried}The site asks to be tried again in ${inWords(retryAfterMs)}.`
}

function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
