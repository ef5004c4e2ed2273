import { hash } from 'node:crypto'
import type { SourceStatus } from '../database/tables.ts'
import { giveUp, handBack, MAX_ATTEMPTS, postpone, updateClaimed } from '../jobs/claim-source.ts'
import { forgetHidden } from '../search/hidden-builds.ts'
import { wordsOfPassage } from '../search/passage-words.ts'
import { finishCrawl, type IndexedText, replacePassages } from '../search/sqlite-index.ts'
import type { Services } from '../services.ts'
import { getSourceFile, metaOf, type Source, type SourceMeta } from '../store/sources.ts'
import { toReadable } from './convert-legacy.ts'
import { crawlSite } from './crawl-site.ts'
import { detectKind } from './extract/detect-kind.ts'
import type { DocumentInput } from './extract/extract-document.ts'
import type { PagePicture } from './extract/pdf/page-picture.ts'
import { fetchPage } from './fetch-page.ts'
import { IngestionError } from './ingestion-error.ts'
import type { ReadDocument } from './read-document.ts'
import { canRecognise, recogniseText } from './recognise-text.ts'
import { pageProgress } from './show-progress.ts'

/**
 * One source in, its passages searchable: a text whole, a site page by page. Every step may run again after a crash,
 * and the work ends early when the source is lost: deleted, restarted or taken over.
 */
export async function ingestSource(
  services: Services,
  source: Source,
  lost: AbortSignal,
): Promise<void> {
  const { db } = services
  const { crawl } = metaOf(source)
  try {
    if (crawl) {
      const meta = await crawlSite(services, source, crawl)
      if (meta) await finishCrawl(db, source, withoutError(meta))
      return
    }
    const read = await readSource(services, source, lost)
    if (read.text.trim() === '')
      throw new IngestionError('error:no text', 'There is no text in it.')

    if (!(await updateClaimed(db, source, { status: 'embedding' }))) return
    await replacePassages(services, source, read)
  } catch (error) {
    if (!lost.aborted) await failSource(services, source, error)
  } finally {
    // What was begun and could not be completed.
    await forgetHidden(db)
  }
}

function readSource(services: Services, source: Source, lost: AbortSignal): Promise<IndexedText> {
  switch (source.type) {
    case 'qa':
      return readPair(services, source)
    case 'link':
      return readLink(services, source, lost)
    case 'upload':
      return readUpload(services, source, lost)
  }
}

/** Reads and cuts a document, and shows how far that has come. A scan is read once more, by recognising its pages. */
async function readDocument(
  { db, documents, scans, programs, stopping }: Services,
  source: Source,
  load: () => Promise<DocumentInput>,
  lost: AbortSignal,
): Promise<ReadDocument> {
  const signal = AbortSignal.any([stopping, lost])
  const onText = () => void updateClaimed(db, source, { status: 'chunking' }).catch(() => {})
  const listener = { signal, onProgress: pageProgress(db, source), onText }
  const input = await toReadable(programs, await load(), signal)
  if (input.kind !== 'pdf' || !canRecognise(programs)) return documents.read(input, listener)
  try {
    return await documents.read({ ...input, scans: 'report' }, listener)
  } catch (error) {
    if (!(error instanceof IngestionError && error.isScan)) throw error
    const recognise = (picture: PagePicture) => recogniseText(programs, picture, signal)
    return scans.read({ ...(await load()), scans: 'recognise' }, { ...listener, recognise })
  }
}

/** A pair is found by its question and answered with its answer. */
async function readPair({ documents }: Services, source: Source): Promise<IndexedText> {
  const meta = metaOf(source)
  const { question = '', answer = '' } = meta
  const text = `${question}\n\n${answer}`
  const words = wordsOfPassage(question, answer)
  const passages = [{ start: question.length + 2, end: text.length, lead: question, words }]
  const { tokens } = await documents.read({
    bytes: Buffer.from(text),
    kind: 'text',
    charset: 'utf-8',
  })
  const revision = { text, hash: hash('sha256', text), passages }
  return { ...revision, title: question, tokens, fileSize: 0, meta: withoutError(meta) }
}

async function readLink(
  services: Services,
  source: Source,
  lost: AbortSignal,
): Promise<IndexedText> {
  const { config, documents, stopping } = services
  const meta = metaOf(source)
  const url = String(meta.url)
  const page = await fetchPage(url, {
    allowPrivateHosts: config.allowPrivateHosts,
    signal: AbortSignal.any([stopping, lost]),
  })
  const { bytes, charset } = page
  const kind = detectKind(bytes, page.url, page.contentType)
  if (!kind) {
    const type = page.contentType || 'of an unknown type'
    throw new IngestionError('error:content type', `Its content (${type}) can't be read.`)
  }
  const load = async () => ({ bytes, kind, charset })
  const { title, ...read } = await readDocument(services, source, load, lost)
  if (
    read.text === '' &&
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
    ...read,
    fileSize: bytes.length,
    meta: { ...withoutProgress(withoutError(meta)), url, final_url: page.url, fetched_at },
  }
}

async function readUpload(
  services: Services,
  source: Source,
  lost: AbortSignal,
): Promise<IndexedText> {
  const load = async () => {
    const bytes = await getSourceFile(services.db, source.id)
    const kind = detectKind(bytes, source.file_name)
    if (kind) return { bytes, kind, isHandedOver: true }
    throw new IngestionError('error:content type', 'This type of file can’t be read.')
  }
  const { title, ...read } = await readDocument(services, source, load, lost)
  return {
    title: title === '' ? source.file_name : title,
    ...read,
    fileSize: source.file_size,
    meta: withoutProgress(withoutError(metaOf(source))),
  }
}

function withoutError({ error: _, ...meta }: SourceMeta): SourceMeta {
  return meta
}

function withoutProgress({ progress: _, ...meta }: SourceMeta): SourceMeta {
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
  await giveUp(db, source, status, { ...withoutProgress(metaOf(source)), error: reason })
}
