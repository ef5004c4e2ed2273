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
import { markFaqQuestions } from './plain/faq-lines.ts'
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

interface Content {
  bytes: Uint8Array
  /** The encoding from the response or email, if any. */
  charset?: string | undefined
  /** What to do with scanned pages: fail at the first, or recognize their text. By default they stay empty. */
  scans?: Scans
}

type Read = (content: Content, host?: ReadingHost) => ExtractedText | Promise<ExtractedText>

const READERS = {
  html: ({ bytes, charset }) => extractHtml(decodeText(bytes, charset ?? declaredInHtml(bytes))),
  markdown: ({ bytes, charset }) => extractMarkdown(decodeText(bytes, charset)),
  rst: ({ bytes, charset }) => extractRst(decodeText(bytes, charset)),
  pdf: ({ bytes, scans }, host) => extractPdf(bytes, scans, host),
  text: ({ bytes, charset }) => ({ title: '', text: decodeText(bytes, charset).trim() }),
  docx: ({ bytes }) => extractDocx(bytes),
  pptx: ({ bytes }) => extractPptx(bytes),
  xlsx: ({ bytes }) => extractXlsx(bytes),
  odf: ({ bytes }) => extractOdf(bytes),
  rtf: ({ bytes }) => extractRtf(bytes),
  epub: ({ bytes }) => extractEpub(bytes),
  csv: ({ bytes, charset }) => extractCsv(decodeText(bytes, charset)),
  json: ({ bytes, charset }) => extractJson(decodeText(bytes, charset)),
  xml: ({ bytes, charset }) => extractXml(bytes, charset),
  eml: ({ bytes }) => extractEml(bytes),
  msg: ({ bytes }) => extractMsg(bytes),
  subtitles: ({ bytes, charset }) => extractSubtitles(decodeText(bytes, charset)),
  doc: ({ bytes }) => extractDoc(bytes),
  xls: ({ bytes }) => extractXls(bytes),
  'locked-office': () => {
    throw locked()
  },
  // Only LibreOffice can read this format.
  ppt: () => {
    throw new IngestionError('error:content type', { code: 'old_office' })
  },
} satisfies Record<string, Read>

export interface DocumentInput extends Content {
  kind: keyof typeof READERS
  /** The words of the file name, which find the document if it has no title. */
  name?: string
  /** The caller no longer needs the bytes, so their memory can be transferred to the reading process. */
  isHandedOver?: boolean
}

const MAX_TITLE = 255

/** Extracts the text of a document and its own title. The title is empty if it has none. */
export async function extractDocument(
  input: DocumentInput,
  host?: ReadingHost,
): Promise<ExtractedText> {
  const read: Read = READERS[input.kind]
  const { title, text, ...rest } = await read(input, host)
  return {
    title: [...joinWords(title)].slice(0, MAX_TITLE).join(''),
    // Page positions are offsets into the text, so the text of PDFs must keep its length. It has no such characters.
    text: rest.pages ? text : markFaqQuestions(joinWords(text)),
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

function declaredInHtml(bytes: Uint8Array): string | undefined {
  const declared = /<meta[^<>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(peekText(bytes, 2048))?.[1]
  // The declaration was readable as ASCII, so the text cannot be UTF-16, whatever it declares.
  return declared?.toLowerCase().startsWith('utf-16') ? undefined : declared
}
