import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { IngestionError } from '../ingestion-error.ts'
import type { ReadingHost } from '../reading-host.ts'
import { MAX_CHARACTERS, TOO_LONG } from '../text-limit.ts'
import type { ExtractedText } from '../web/html.ts'
import { listAnnotations } from './annotations.ts'
import { joinPages } from './join-pages.ts'
import { drawScan, isScan } from './page-picture.ts'
import { readPage } from './read-page.ts'

// A file may claim to have millions of pages.
const MAX_BAD_PAGES = 20
const PAGES_BETWEEN_CLEANUPS = 200

// At some seconds per page, more pages would block other documents for too long.
const MAX_SCANNED_PAGES = 200
const TOO_MANY_SCANS = { code: 'too_many_scans', params: { most: MAX_SCANNED_PAGES } } as const
// Pixels of one image: an A4 page at 800 dpi. Larger images stay undecoded.
const MAX_IMAGE_PIXELS = 64_000_000

type PdfHost = ReadingHost

export type Scans = 'report' | 'recognise' | undefined

/** Reads a PDF page by page, so that a long file takes little more memory than a short one. */
export async function extractPdf(
  bytes: Uint8Array,
  scans: Scans,
  host?: PdfHost,
): Promise<ExtractedText> {
  const pdf = await open(bytes)
  try {
    return { title: await readTitle(pdf), ...(await readPages(pdf, scans, host)) }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

async function readPages(pdf: PDFDocumentProxy, scans: Scans, host?: PdfHost) {
  const pages: string[] = []
  const readScan = scanReader(scans, host)
  let length = 0
  let badInARow = 0
  for (let number = 1; number <= pdf.numPages && badInARow < MAX_BAD_PAGES; number++) {
    const drawn = await readPageText(pdf, number).catch(() => undefined)
    badInARow = drawn === undefined ? badInARow + 1 : 0
    const text = drawn === '' ? await readScan(await pdf.getPage(number)) : drawn
    pages.push(text ?? '')
    length += text?.length ?? 0
    if (length > MAX_CHARACTERS) throw new IngestionError('fail', TOO_LONG)
    if (number % PAGES_BETWEEN_CLEANUPS === 0) await pdf.cleanup()
    host?.showProgress({ done: number, found: pdf.numPages, characters: text?.length ?? 0 })
  }
  if (length === 0 && badInARow > 0) throw new IngestionError('fail', { code: 'pdf_damaged' })
  if (length === 0) {
    const code = scans === 'recognise' ? 'nothing_recognized' : 'scanned'
    throw new IngestionError('error:no text', { code })
  }
  return joinPages(pages)
}

/** Handles a page without text. A scan either goes to text recognition or ends the reading with `isScan`. */
function scanReader(scans: Scans, host?: PdfHost) {
  let recognised = 0
  return async (page: PDFPageProxy): Promise<string> => {
    if (!scans || !host) return ''
    try {
      if (!(await isScan(page).catch(() => false))) return ''
      if (scans === 'report')
        throw new IngestionError('error:no text', { code: 'scanned' }, { isScan: true })
      recognised += 1
      if (recognised > MAX_SCANNED_PAGES) throw new IngestionError('fail', TOO_MANY_SCANS)
      const picture = await drawScan(page).catch(() => undefined)
      return picture ? await host.recognise(picture) : ''
    } finally {
      page.cleanup()
    }
  }
}

async function open(bytes: Uint8Array): Promise<PDFDocumentProxy> {
  // Imported on first use, because it is large.
  const pdfjs = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const folder = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))
  try {
    return await pdfjs.getDocument({
      // A copy, because pdf.js takes over the buffer.
      data: Uint8Array.from(bytes),
      cMapUrl: join(folder, 'cmaps/'),
      standardFontDataUrl: join(folder, 'standard_fonts/'),
      useSystemFonts: false,
      useWasm: false,
      // Has the decoders for image formats that only some scans use.
      wasmUrl: join(folder, 'wasm/'),
      maxImageSize: MAX_IMAGE_PIXELS,
      disableFontFace: true,
      verbosity: pdfjs.VerbosityLevel.ERRORS,
    }).promise
  } catch (error) {
    const isLocked = error instanceof pdfjs.PasswordException
    throw new IngestionError('fail', { code: isLocked ? 'locked' : 'pdf_damaged' })
  }
}

// Titles that programs generate.
const NO_TITLE =
  /^(untitled|unbenannt|anonymous|unspecified|title|(document|presentation|slide) ?\d*|microsoft \w+ - .*)$/i
const FILE_NAME = /^(\S+\.\w{1,5}|.*\.(docx?|pptx?|xlsx?|indd|qxd|pdf|odt|rtf|html?))$/i

async function readTitle(pdf: PDFDocumentProxy): Promise<string> {
  const metadata = await pdf.getMetadata().catch(() => undefined)
  const { Title } = (metadata?.info ?? {}) as { Title?: unknown }
  const title = typeof Title === 'string' ? Title.replace(/[\s\p{C}]+/gu, ' ').trim() : ''
  const isTitle = /\p{L}{2}/u.test(title) && !NO_TITLE.test(title) && !FILE_NAME.test(title)
  return isTitle ? title : ''
}

async function readPageText(pdf: PDFDocumentProxy, number: number): Promise<string> {
  const page = await pdf.getPage(number)
  try {
    const { items, styles } = await page.getTextContent({ disableNormalization: true })
    const drawn = items
      .filter((item) => 'str' in item)
      // A change to a monospace font marks code, not a heading.
      .map((item) =>
        styles[item.fontName]?.fontFamily === 'monospace' ? { ...item, fontName: '' } : item,
      )
    return readPage([...drawn, ...(await listAnnotations(page))])
  } finally {
    page.cleanup()
  }
}
