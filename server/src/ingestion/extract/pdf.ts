import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { IngestionError } from '../ingestion-error.ts'
import type { ReadingHost } from '../reading-messages.ts'
import { MAX_CHARACTERS, TOO_LONG } from '../text-limit.ts'
import type { ExtractedText } from './html.ts'
import { listAnnotations } from './pdf/annotations.ts'
import { readPage } from './pdf/read-page.ts'

// A file may claim to have millions of pages.
const MAX_BAD_PAGES = 20
const PAGES_BETWEEN_CLEANUPS = 200
const PAGE_BREAK = '\n\n'

const DAMAGED =
  'It is damaged and can’t be read as PDF. Open it in a PDF reader, save or print it as a new PDF, and upload that.'
const LOCKED =
  'It is protected with a password. Save a copy without a password, and upload that one.'
const SCANNED =
  'It has no text layer: its pages are pictures, such as a scan. Run text recognition (OCR) over it, and upload the result.'

/** The text of a PDF page by page, so that a long one takes little more memory than a short one. */
export async function extractPdf(
  bytes: Uint8Array,
  host?: Pick<ReadingHost, 'showProgress'>,
): Promise<ExtractedText> {
  const pdf = await open(bytes)
  try {
    return { title: await readTitle(pdf), ...(await readPages(pdf, host)) }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

async function readPages(pdf: PDFDocumentProxy, host?: Pick<ReadingHost, 'showProgress'>) {
  const texts: string[] = []
  const pages: number[] = []
  let length = 0
  let badInARow = 0
  for (let number = 1; number <= pdf.numPages && badInARow < MAX_BAD_PAGES; number++) {
    const text = await readPageText(pdf, number).catch(() => undefined)
    badInARow = text === undefined ? badInARow + 1 : 0
    pages.push(length)
    if (text) {
      texts.push(text)
      length += text.length + PAGE_BREAK.length
    }
    if (length > MAX_CHARACTERS) throw new IngestionError('fail', TOO_LONG)
    if (number % PAGES_BETWEEN_CLEANUPS === 0) await pdf.cleanup()
    host?.showProgress({ done: number, found: pdf.numPages })
  }
  if (length === 0 && badInARow > 0) throw new IngestionError('fail', DAMAGED)
  if (length === 0) throw new IngestionError('error:no text', SCANNED)
  return { text: texts.join(PAGE_BREAK), pages }
}

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  // Loaded when first needed: it is large.
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const folder = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))
  try {
    return await pdfjs.getDocument({
      // A copy, as it is taken over.
      data: Uint8Array.from(bytes),
      cMapUrl: join(folder, 'cmaps/'),
      standardFontDataUrl: join(folder, 'standard_fonts/'),
      useSystemFonts: false,
      useWasm: false,
      disableFontFace: true,
      verbosity: pdfjs.VerbosityLevel.ERRORS,
    }).promise
  } catch (error) {
    const isLocked = error instanceof pdfjs.PasswordException
    throw new IngestionError('fail', isLocked ? LOCKED : DAMAGED)
  }
}

// What programs write there: their own words, and names of files.
const NO_TITLE =
  /^(untitled|unbenannt|anonymous|unspecified|title|(document|presentation|slide) ?\d*|microsoft \w+ - .*|\S+\.\w{1,5}|.*\.(docx?|pptx?|xlsx?|indd|qxd|pdf|odt|rtf|html?))$/i

async function readTitle(pdf: PDFDocumentProxy): Promise<string> {
  const metadata = await pdf.getMetadata().catch(() => undefined)
  const { Title } = (metadata?.info ?? {}) as { Title?: unknown }
  const title = typeof Title === 'string' ? Title.replace(/[\s\p{C}]+/gu, ' ').trim() : ''
  return /\p{L}{2}/u.test(title) && !NO_TITLE.test(title) ? title : ''
}

async function readPageText(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const page = await pdf.getPage(number)
  try {
    const { items } = await page.getTextContent({ disableNormalization: true })
    const drawn = items.filter((item) => 'str' in item)
    return readPage([...drawn, ...(await listAnnotations(page))])
  } finally {
    page.cleanup()
  }
}
