import { locked } from './containers/zip.ts'
import { decodeText, peekText } from './detect/decode-text.ts'
import { IngestionError } from './ingestion-error.ts'
import { extractEml } from './mail/eml.ts'
import { extractMsg } from './mail/msg.ts'
import { extractDoc } from './office/doc.ts'
import { extractDocx } from './office/docx.ts'
import { extractEpub } from './office/epub.ts'
import { extractOdf } from './office/odf.ts'
import { extractPptx } from './office/pptx.ts'
import { extractRtf } from './office/rtf.ts'
import { extractPdf, type Scans } from './pdf/pdf.ts'
import { headAskedLines } from './plain/asked-lines.ts'
import { extractJson } from './plain/json.ts'
import { extractMarkdown } from './plain/markdown.ts'
import { extractRst } from './plain/rst.ts'
import { extractSubtitles } from './plain/subtitles.ts'
import { extractXml } from './plain/xml-document.ts'
import type { ReadingHost } from './reading-host.ts'
import { extractCsv } from './tables/csv.ts'
import { extractXls } from './tables/xls.ts'
import { extractXlsx } from './tables/xlsx.ts'
import { type ExtractedText, extractHtml } from './web/html.ts'
import { extractLinks, type PageLinks } from './web/links.ts'

export interface DocumentInput {
  bytes: Uint8Array
  /** The words of the file name, which find the document if it has no title. */
  name?: string
  kind:
    | 'html'
    | 'markdown'
    | 'rst'
    | 'pdf'
    | 'text'
    | 'docx'
    | 'pptx'
    | 'xlsx'
    | 'odf'
    | 'rtf'
    | 'epub'
    | 'csv'
    | 'json'
    | 'xml'
    | 'eml'
    | 'msg'
    | 'subtitles'
    | 'locked-office'
    | 'doc'
    | 'xls'
    /** Only LibreOffice can read this format. */
    | 'ppt'
  /** The encoding from the response or email, if any. */
  charset?: string | undefined
  /** The caller no longer needs the bytes, so their memory can be transferred to the reading process. */
  isHandedOver?: boolean
  /** What to do with scanned pages: fail at the first, or recognize their text. By default they stay empty. */
  scans?: Scans
}

const MAX_TITLE = 255

/** Extracts the text of a document and its own title. The title is empty if it has none. */
export async function extractDocument(
  input: DocumentInput,
  host?: ReadingHost,
): Promise<ExtractedText> {
  const { title, text, ...rest } = await extract(input, host)
  return {
    title: [...joinWords(title)].slice(0, MAX_TITLE).join(''),
    // Page positions are offsets into the text, so the text of PDFs must keep its length. It has no such characters.
    text: rest.pages ? text : headAskedLines(joinWords(text)),
    ...rest,
  }
}

/** Removes invisible line-break hints. A search would treat them as the end of a word. */
function joinWords(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
}

/** The links and metadata of a page. Only HTML has them. */
export function findLinks({ bytes, charset }: DocumentInput, pageUrl: string): PageLinks {
  return extractLinks(decodeText(bytes, charset ?? declaredInHtml(bytes)), pageUrl)
}

async function extract(
  { bytes, kind, charset, scans }: DocumentInput,
  host?: ReadingHost,
): Promise<ExtractedText> {
  switch (kind) {
    case 'pdf':
      return extractPdf(bytes, scans, host)
    case 'html':
      return extractHtml(decodeText(bytes, charset ?? declaredInHtml(bytes)))
    case 'markdown':
      return extractMarkdown(decodeText(bytes, charset))
    case 'rst':
      return extractRst(decodeText(bytes, charset))
    case 'subtitles':
      return extractSubtitles(decodeText(bytes, charset))
    case 'text':
      return { title: '', text: decodeText(bytes, charset).trim() }
    case 'docx':
      return extractDocx(bytes)
    case 'pptx':
      return extractPptx(bytes)
    case 'xlsx':
      return extractXlsx(bytes)
    case 'odf':
      return extractOdf(bytes)
    case 'rtf':
      return extractRtf(bytes)
    case 'epub':
      return extractEpub(bytes)
    case 'csv':
      return extractCsv(decodeText(bytes, charset))
    case 'json':
      return extractJson(decodeText(bytes, charset))
    case 'xml':
      return extractXml(bytes, charset)
    case 'eml':
      return extractEml(bytes)
    case 'msg':
      return extractMsg(bytes)
    case 'locked-office':
      throw locked()
    case 'doc':
      return extractDoc(bytes)
    case 'xls':
      return extractXls(bytes)
    case 'ppt':
      throw new IngestionError('error:content type', { code: 'old_office' })
  }
}

function declaredInHtml(bytes: Uint8Array): string | undefined {
  const declared = /<meta[^<>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(peekText(bytes, 2048))?.[1]
  // The declaration was readable as ASCII, so the text cannot be UTF-16, whatever it declares.
  return declared?.toLowerCase().startsWith('utf-16') ? undefined : declared
}
