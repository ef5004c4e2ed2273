import type { Services } from '../services.ts'
import type { DocumentInput } from './extract/extract-document.ts'
import { followPage } from './follow-page.ts'
import { IngestionError } from './ingestion-error.ts'
import { type ReadingListener, readAnyDocument } from './read-any-document.ts'
import { readPage } from './read-page.ts'
import { readRobotsIfAny } from './read-robots.ts'

/** The one page that somebody asked for by its address. */
export async function readLink(services: Services, url: string, listener: ReadingListener) {
  const { allowPrivateHosts } = services.config
  const options = { allowPrivateHosts, signal: listener.signal, startedAt: url }
  const read = (input: DocumentInput) => readAnyDocument(services, async () => input, listener)
  const { page, found } = await followPage(
    url,
    { ...options, readRobots: readRobotsIfAny },
    (page, robots) => readPage(services, page, read, { ...options, robots }),
  )
  const { leads: _leads, isRendered: _isRendered, noindex, title, ...content } = found
  if (noindex) throw notToBeFound()
  return {
    title: title === '' ? url : title,
    ...content,
    fileSize: page.bytes.length,
    meta: { url, final_url: page.url, fetched_at: new Date().toISOString().replace(/\.\d+/, '') },
  }
}

function notToBeFound(): IngestionError {
  return new IngestionError(
    'error:download',
    'The page asks not to be found (“noindex”). Add its text as a file, or ask the site’s owner to allow “Docent” there.',
  )
}
