import type { Failure } from '@docent/contract/failures/failure-codes.ts'
import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import type { DocumentInput } from '@docent/extract/extract-document.ts'
import { IngestionError } from '@docent/extract/ingestion-error.ts'
import type { PageLinks } from '@docent/extract/web/links.ts'
import type { Services } from '../../services.ts'
import type { ReadDocument } from '../confined/read-document.ts'
import type { FetchedPage } from '../fetch/fetch-user-url.ts'
import type { RenderOptions } from '../render/render-options.ts'
import type { Look } from './follow-page.ts'

export interface PageContent extends ReadDocument {
  /** The page's links and metadata. Only HTML has them. */
  leads: PageLinks | undefined
  /** Its scripts ran. They may show something else the next time, even if the page is unchanged. */
  isRendered: boolean
  /** The page or its headers forbid indexing. */
  noindex: boolean
}

const FEW_CHARACTERS = 100

/**
 * Reads the text of a page. A page that is almost empty without scripts is rendered, if there is a browser. Throws if
 * the page's type is not supported.
 */
export async function readPage(
  { documents, renderer }: Pick<Services, 'documents' | 'renderer'>,
  page: FetchedPage,
  read: (input: DocumentInput) => Promise<ReadDocument>,
  options: RenderOptions,
): Promise<Look<PageContent>> {
  const { bytes, charset } = page
  const kind = detectKind(bytes, page.url, page.contentType)
  if (!kind) {
    throw new IngestionError('error:content type', unreadable(page))
  }
  const input = { bytes, kind, charset }
  const findLeads = async (html: DocumentInput) =>
    withTag(await documents.findLinks(html, page.url), page)
  const leads = kind === 'html' ? await findLeads(input) : undefined
  if (leads?.refresh) return { leadsTo: leads.refresh }
  const asSent = await read(input)
  const { noindex } = leads ?? page.robotsTag
  const plain = { found: { ...asSent, leads, isRendered: false, noindex } }
  if (!leads?.scripted || !isBare(asSent, leads)) return plain
  if (!renderer) {
    if (asSent.text.length > 0) return plain
    throw new IngestionError('error:no text', { code: 'needs_scripts' })
  }
  const rendered = await renderer.render(page, options)
  if ('leadsTo' in rendered) return rendered
  const after = { bytes: Buffer.from(rendered.found), kind, charset: 'utf-8' }
  const leadsAfter = await findLeads(after)
  const content = {
    ...(await read(after)),
    leads: leadsAfter,
    isRendered: true,
    noindex: leadsAfter.noindex,
  }
  if (content.text.length === 0 && asSent.text.length === 0)
    throw new IngestionError('error:no text', { code: 'empty_with_scripts' })
  const isMore = content.text.length > asSent.text.length
  return { found: isMore ? content : { ...plain.found, isRendered: true } }
}

function unreadable({ contentType }: FetchedPage): Failure {
  return contentType === ''
    ? { code: 'content_type_unknown' }
    : { code: 'content_type', params: { type: contentType } }
}

/** The X-Robots-Tag header has the same effect as the page's own directives. */
function withTag(leads: PageLinks, { robotsTag }: FetchedPage): PageLinks {
  return {
    ...leads,
    noindex: leads.noindex || robotsTag.noindex,
    links: robotsTag.nofollow ? [] : leads.links,
  }
}

/** "Loading…" may be a placeholder. A page that is merely short has links, at least to its own site. */
function isBare({ text }: ReadDocument, { links }: PageLinks): boolean {
  return text.length === 0 || (text.length < FEW_CHARACTERS && links.length === 0)
}
