import type { DocumentInput } from '@docent/extract/extract-document.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import { listVisits, newVisit } from '../../features/sources/pages.store.ts'
import { metaOf, type Source } from '../../features/sources/sources.store.ts'
import type { Services } from '../../services.ts'
import { refuseSignInPage } from '../crawl/moved-site.ts'
import { followPage, type Look } from './follow-page.ts'
import { type ReadingListener, readAnyDocument } from './read-any-document.ts'
import { type PageContent, readPage } from './read-page.ts'

/** Reads the single page at a user's URL. Returns no text if the page is unchanged. */
export async function readLink(services: Services, source: Source, listener: ReadingListener) {
  const url = String(metaOf(source).url)
  const options = { guard: services.guard, signal: listener.signal, startedAt: url }
  const visits = await listVisits(services.db, source.id)
  const known = (asked: string) =>
    visits.find((visit) => visit.url === asked && visit.reader === services.readingFingerprint)
  const read = (input: DocumentInput) => readAnyDocument(services, async () => input, listener)
  const { page, found } = await followPage(
    url,
    { ...options, known, needsRobots: false },
    async (page, robots): Promise<Look<PageContent | undefined>> =>
      page.unchanged
        ? { found: undefined }
        : readPage(services, page, read, { ...options, robots }),
  )
  const meta = {
    url,
    final_url: page.url,
    fetched_at: new Date().toISOString().replace(/\.\d+/, ''),
  }
  if ((found ?? page.robotsTag).noindex)
    throw new IngestionError('error:download', { code: 'noindex' })
  if (!found) return { meta }
  refuseSignInPage({ before: metaOf(source).final_url, url: page.url, leads: found.leads })
  const { leads: _leads, isRendered: _isRendered, noindex: _noindex, title, ...content } = found
  const visit = newVisit(source, services.readingFingerprint, page)
  // The scripts of an unchanged page may show something else, so its validators are dropped.
  const validators = found.isRendered && { etag: '', last_modified: '' }
  return {
    title: title === '' ? url : title,
    ...content,
    fileSize: page.bytes.length,
    meta,
    visit: { ...visit, ...validators, revision: found.hash },
  }
}
