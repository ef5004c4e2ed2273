import { hash } from 'node:crypto'
import type { SourceStatus } from '../database/tables.ts'
import { giveUp, handBack, MAX_ATTEMPTS, postpone, updateClaimed } from '../jobs/claim-source.ts'
import { analyzeText } from '../search/analyze-text.ts'
import { finishCrawl, type IndexedPassage, replacePassages } from '../search/sqlite-index.ts'
import type { Services } from '../services.ts'
import { getSourceFile, metaOf, type Source, type SourceMeta } from '../store/sources.ts'
import { crawlSite } from './crawl-site.ts'
import { detectKind } from './extract/detect-kind.ts'
import { fetchPage } from './fetch-page.ts'
import { IngestionError } from './ingestion-error.ts'

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
      const meta = await crawlSite(services, source, crawl)
      if (meta) await finishCrawl(db, source, withoutError(meta))
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
      return readLink(services, source)
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
  return { title: question, text, fileSize: 0, meta: withoutError(meta), passages }
}

async function readLink(services: Services, source: Source): Promise<ReadSource> {
  const { config, documents, stopping } = services
  const meta = metaOf(source)
  const url = String(meta.url)
  const page = await fetchPage(url, {
    allowPrivateHosts: config.allowPrivateHosts,
    signal: stopping,
  })
  const { bytes, charset } = page
  const kind = detectKind(bytes, page.url, page.contentType)
  if (!kind) {
    const type = page.contentType || 'of an unknown type'
    throw new IngestionError('error:content type', `Its content (${type}) can't be read.`)
  }
  const { title, ...extracted } = await documents.extract({ bytes, kind, charset })
  if (
    extracted.text === '' &&
    kind === 'html' &&
    (await documents.findLinks({ bytes, kind }, url)).scripted
  ) {
    throw new IngestionError(
      'error:no text',
      'The page is empty until its scripts have run, and this server runs none. Add its text as a file instead.',
    )
  }
  const fetched_at = new Date().toISOString().replace(/\.\d+/, '')
  return {
    title: title === '' ? url : title,
    ...extracted,
    fileSize: bytes.length,
    meta: { ...withoutError(meta), url, final_url: page.url, fetched_at },
  }
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
    meta: withoutError(metaOf(source)),
  }
}

function withoutError({ error: _, ...meta }: SourceMeta): SourceMeta {
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
  if (mayPass && source.attempts < MAX_ATTEMPTS) {
    await postpone(db, source, 2 ** source.attempts * 1000)
    return
  }
  const status: SourceStatus = known?.status ?? 'fail'
  const reason = known?.message ?? `It could not be taken in, ${source.attempts} times over.`
  await giveUp(db, source, status, { ...metaOf(source), error: reason })
}
