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
  /** The words of its file's name, by which it is found where it has no title of its own. */
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
    /** Which only LibreOffice reads. */
    | 'ppt'
  /** The encoding that came with it, if any. */
  charset?: string | undefined
  /** The bytes are not used again: their memory is freed as soon as the reading process has them. */
  isHandedOver?: boolean
  /** What to do with pages that are pictures: give up at the first one, or have them recognised. Else they are empty. */
  scans?: Scans
}

const MAX_TITLE = 255

/** The text of a document and the title it gives itself, empty if it gives none. */
export async function extractDocument(
  input: DocumentInput,
  host?: ReadingHost,
): Promise<ExtractedText> {
  const { title, text, ...rest } = await extract(input, host)
  return {
    title: [...joinWords(title)].slice(0, MAX_TITLE).join(''),
    // Pages are told by their places in the text; those of a PDF come without such signs.
    text: rest.pages ? text : headAskedLines(joinWords(text)),
    ...rest,
  }
}

/** Without the signs, not to be seen, of where a line may break: a search would take them for the end of a word. */
function joinWords(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
}

/** Where a page leads, and what it says of itself. Only HTML does. */
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
  // What could be read as ASCII is not UTF-16, whatever it says.
  return declared?.toLowerCase().startsWith('utf-16') ? undefined : declared
}
