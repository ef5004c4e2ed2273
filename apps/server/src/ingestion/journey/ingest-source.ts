import { hash } from 'node:crypto'
import type { Attempts, Failure } from '@docent/contract/failures/failure-codes.ts'
import type { CrawlSettings, SourceStatus } from '@docent/contract/sources.ts'
import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import { failureFields, inEnglish } from '@docent/extract/failure-in-english.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { wordsOfPassage } from '@docent/text/passage-words.ts'
import { isUnavailable, untilAvailable } from '../../database/postgres/postgres-errors.ts'
import { PackedText } from '../../database/rows/packed-text.ts'
import { doneAs } from '../../features/sources/claimed-source.store.ts'
import {
  getSourceFile,
  metaOf,
  type Source,
  type SourceMeta,
} from '../../features/sources/sources.store.ts'
import {
  giveUp,
  handBack,
  MAX_ATTEMPTS,
  postpone,
  putOff,
  updateClaimed,
} from '../../jobs/claim-source.ts'
import { forgetHidden } from '../../search/hidden-builds.ts'
import { finishCrawl } from '../../search/record-crawl.ts'
import { type IndexedText, replacePassages } from '../../search/write-passages.ts'
import type { Services } from '../../services.ts'
import { crawlSite } from '../crawl/crawl-site.ts'
import { type ReadingListener, readAnyDocument } from './read-any-document.ts'
import { readLink } from './read-link.ts'
import { systemFaultOf } from './retryable-errors.ts'
import { pageProgress } from './show-progress.ts'

// If a site asks for a longer pause, the source fails and reports that.
const MAX_DELAY_MS = 600_000
// Scheduled rereads respect the pause up to this limit: one request a day is no burden.
const MAX_PAUSE_MS = 86_400_000

/**
 * Ingests one source: a text as a whole, a site page by page. Every step may run again after a crash. The work ends
 * early when the source is lost: deleted, restarted or taken over.
 */
export async function ingestSource(
  given: Services,
  source: Source,
  lost: AbortSignal,
): Promise<void> {
  const { db } = given
  const services: Services = {
    ...given,
    documents: given.documents.of(source.owner_id),
    scans: given.scans.of(source.owner_id),
  }
  const { crawl } = metaOf(source)
  try {
    if (crawl) await ingestSite(services, source, crawl, lost)
    else await ingestText(services, source, lost)
  } catch (error) {
    if (!lost.aborted) await failSource(services, source, error)
  } finally {
    // Deletes incomplete builds. If that fails, housekeeping does it later.
    await forgetHidden(db).catch((error) => services.log.warn({ err: error }, 'cleanup failed'))
  }
}

async function ingestSite(
  services: Services,
  source: Source,
  crawl: CrawlSettings,
  lost: AbortSignal,
): Promise<void> {
  const site = await crawlSite(services, source, crawl, lost)
  if (!site) return
  const pauseMs = Math.min(site.pauseMs, MAX_PAUSE_MS)
  await finishCrawl(services.db, source, withoutFailure(site.meta), site.remaining, pauseMs)
}

async function ingestText(services: Services, source: Source, lost: AbortSignal): Promise<void> {
  const { db } = services
  const read = await readSource(services, source, lost)
  if (!('passages' in read)) await updateClaimed(db, source, doneAs(db, 'success', read.meta))
  else if (read.passages.length === 0)
    throw new IngestionError('error:no text', { code: 'no_text' })
  else if (await updateClaimed(db, source, { status: 'embedding' }))
    await replacePassages(services, source, read)
}

/** An unchanged page has nothing to index. */
type Unchanged = Pick<IndexedText, 'meta'>

function readSource(
  services: Services,
  source: Source,
  lost: AbortSignal,
): Promise<IndexedText | Unchanged> {
  switch (source.type) {
    case 'qa':
      return readPair(services, source)
    case 'link':
      return readUrl(services, source, lost)
    case 'upload':
      return readUpload(services, source, lost)
  }
}

/** Reports the progress of a document. Ends the reading when the source is lost or the server stops. */
function listenerFor(
  { db, stopping }: Services,
  source: Source,
  lost: AbortSignal,
): ReadingListener {
  return {
    signal: AbortSignal.any([stopping, lost]),
    onProgress: pageProgress(db, source),
    onText: () => void updateClaimed(db, source, { status: 'chunking' }).catch(() => {}),
  }
}

/** Search finds a pair by its question, and its passage is the answer. */
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
  const revision = { text: PackedText.of(text), hash: hash('sha256', text), passages }
  return { ...revision, title: question, tokens, fileSize: 0, meta: withoutFailure(meta) }
}

async function readUrl(
  services: Services,
  source: Source,
  lost: AbortSignal,
): Promise<IndexedText | Unchanged> {
  const meta = metaOf(source)
  const read = await readLink(services, source, listenerFor(services, source, lost))
  return { ...read, meta: { ...withoutProgress(withoutFailure(meta)), ...read.meta } }
}

async function readUpload(
  services: Services,
  source: Source,
  lost: AbortSignal,
): Promise<IndexedText> {
  const load = async () => {
    const bytes = await getSourceFile(services.db, source.id)
    const kind = detectKind(bytes, source.file_name)
    if (kind) return { bytes, kind, isHandedOver: true, name: wordsOfName(source.file_name) }
    throw new IngestionError('error:content type', { code: 'file_type' })
  }
  const { title, ...read } = await readAnyDocument(
    services,
    load,
    listenerFor(services, source, lost),
  )
  return {
    title: title === '' ? source.file_name : title,
    ...read,
    fileSize: source.file_size,
    meta: withoutProgress(withoutFailure(metaOf(source))),
  }
}

/** Strips the extension and turns separators into spaces. */
function wordsOfName(fileName: string): string {
  return fileName
    .replace(/\.[^.]{1,5}$/, '')
    .replace(/[_.+-]+/g, ' ')
    .trim()
}

function withoutFailure(before: SourceMeta): SourceMeta {
  const { error: _, error_code: __, error_params: ___, waiting: ____, ...meta } = before
  return meta
}

function withoutProgress({ progress: _, ...meta }: SourceMeta): SourceMeta {
  return meta
}

/** Retries temporary failures. Other failures, and those that persist, end with an error that the owner can act on. */
async function failSource(services: Services, source: Source, error: unknown): Promise<void> {
  const { db, log, stopping } = services
  // A server stop or an unavailable database is no failure of the source.
  if (stopping.aborted || isUnavailable(error)) {
    await untilAvailable(() => handBack(db, source))
    return
  }
  const trouble = systemFaultOf(error)
  if (trouble) {
    log.error({ err: error, source: source.id }, 'source postponed')
    const waiting = `${trouble.sentence} Next attempt in ${inWords(trouble.delayMs)}.`
    await putOff(db, source, trouble.delayMs, { ...metaOf(source), waiting })
    return
  }
  const known = error instanceof IngestionError ? error : undefined
  log[known ? 'info' : 'error']({ err: error, source: source.id }, 'source failed')
  const mayPass = known ? known.mayPass : true
  const failure: Failure = known?.failure ?? { code: 'not_taken_in' }
  const delayMs = Math.max(2 ** source.attempts * 1000, known?.retryAfterMs ?? 0)
  const meta = withoutProgress(withoutFailure(metaOf(source)))
  if (mayPass && source.attempts < MAX_ATTEMPTS && delayMs <= MAX_DELAY_MS) {
    const waiting = `${inEnglish(failure)} Next attempt in ${inWords(delayMs)}.`
    await postpone(db, source, delayMs, { ...meta, waiting })
    return
  }
  const status: SourceStatus = known?.status ?? 'fail'
  const { code, params } = failure
  const outlook = mayPass ? attemptsOf(source.attempts, known?.retryAfterMs) : {}
  const told = failureFields({ code, params: { ...params, ...outlook } })
  const pauseMs = Math.min(known?.retryAfterMs ?? 0, MAX_PAUSE_MS)
  await giveUp(db, source, status, { ...meta, ...told }, pauseMs)
}

function attemptsOf(attempts: number, retryAfterMs: number | undefined): Attempts {
  return {
    ...(attempts > 1 && { tried: attempts }),
    ...(retryAfterMs === undefined
      ? { again_later: true }
      : { again_seconds: Math.ceil(retryAfterMs / 1000) }),
  }
}

function inWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
