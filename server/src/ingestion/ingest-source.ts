import { hash } from 'node:crypto'
import type { SourceStatus } from '../database/tables.ts'
import { giveUp, MAX_ATTEMPTS, postpone, updateClaimed } from '../jobs/claim-source.ts'
import { analyzeText } from '../search/analyze-text.ts'
import { type IndexedPassage, replacePassages } from '../search/sqlite-index.ts'
import type { Services } from '../services.ts'
import { getSourceFile, metaOf, type Source, type SourceMeta } from '../store/sources.ts'
import { detectKind } from './extract/detect-kind.ts'
import { fetchPage } from './fetch-page.ts'
import { IngestionError } from './ingestion-error.ts'

interface ReadSource {
  title: string
  text: string
  meta: SourceMeta
  /** Given where the passages are not found by cutting the text. */
  passages?: IndexedPassage[]
}

/** One source in, its passages searchable. Every step may run again after a crash. */
export async function ingestSource(services: Services, source: Source): Promise<void> {
  const { db, documents } = services
  try {
    const { title, text, meta, passages } = await readSource(services, source)
    if (text.trim() === '') throw new IngestionError('error:no text', 'There is no text in it.')

    await updateClaimed(db, source, { status: 'chunking' })
    const cut = passages ?? (await documents.split(text))
    const tokens = await documents.countTokens(text)

    await updateClaimed(db, source, { status: 'embedding' })
    const textHash = hash('sha256', text)
    await replacePassages(db, source, { title, text, hash: textHash, tokens, meta, passages: cut })
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
  const question = meta.question ?? ''
  const text = `${question}\n\n${meta.answer ?? ''}`
  const passages = [{ start: question.length + 2, end: text.length, words: analyzeText(question) }]
  return { title: question, text, meta: withoutError(meta), passages }
}

async function readLink({ config, documents }: Services, source: Source): Promise<ReadSource> {
  const meta = metaOf(source)
  const url = String(meta.url)
  const page = await fetchPage(url, { allowPrivateHosts: config.allowPrivateHosts })
  const kind = page.contentType === 'text/html' ? 'html' : detectKind(page.bytes, page.url)
  if (!kind) {
    throw new IngestionError(
      'error:content type',
      `Its content (${page.contentType}) can't be read.`,
    )
  }
  const { title, text } = await documents.extract({
    bytes: page.bytes,
    kind,
    charset: page.charset,
  })
  const fetched = {
    ...withoutError(meta),
    url,
    final_url: page.url,
    fetched_at: new Date().toISOString(),
  }
  return { title: title === '' ? url : title, text, meta: fetched }
}

async function readUpload({ db, documents }: Services, source: Source): Promise<ReadSource> {
  const bytes = await getSourceFile(db, source.id)
  const kind = detectKind(bytes, source.file_name)
  if (!kind) throw new IngestionError('error:content type', 'This type of file can’t be read.')
  const { title, text } = await documents.extract({ bytes, kind })
  return {
    title: title === '' ? source.file_name : title,
    text,
    meta: withoutError(metaOf(source)),
  }
}

function withoutError({ error: _, ...meta }: SourceMeta): SourceMeta {
  return meta
}

/** What may pass by itself is tried again; what can't, or did not, ends with a sentence a person can act on. */
async function failSource({ db, log }: Services, source: Source, error: unknown): Promise<void> {
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
