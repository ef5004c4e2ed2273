/** A line of text at a position from the lower left corner of the page, with a font size and a font. */
export type PlacedText = [
  x: number,
  y: number,
  text: string,
  size?: number,
  font?: 'usual' | 'bold' | 'code',
]

interface PdfOptions {
  title?: string
  /** Further entries of the trailer, for example for encryption. */
  trailer?: string
  /** Uses a Chinese font that is not embedded and has no character map. */
  isChinese?: boolean
  claimedPages?: number
  /** A text field on the first page, with its value. */
  field?: { x: number; y: number; value: string }
}

const latin = (name: string) =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
const HELVETICA = latin('Helvetica')
const FONTS = { usual: 'F1', bold: 'F2', code: 'F3' }
const CHINESE = `<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [
  << /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light
    /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >>
    /FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 4 >> >>] >>`

/** A small handmade PDF with the text of each page at its position. */
export function makePdf(pages: PlacedText[][], options: PdfOptions = {}): Buffer<ArrayBuffer> {
  const objects: string[] = []
  const add = (object: string) => objects.push(object)
  const show = (text: string) =>
    options.isChinese
      ? `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
      : `(${quote(text)})`
  const firstPage = 5
  const kids = pages.map((_, i) => `${firstPage + i * 2} 0 R`).join(' ')
  const fieldNumber = firstPage + pages.length * 2
  const form = options.field ? `/AcroForm << /Fields [${fieldNumber} 0 R] >>` : ''
  add(`<< /Type /Catalog /Pages 2 0 R ${form} >>`)
  add(`<< /Type /Pages /Kids [${kids}] /Count ${options.claimedPages ?? pages.length} >>`)
  add(options.isChinese ? CHINESE : HELVETICA)
  add(`<< /Title (${options.title ?? ''}) >>`)
  pages.forEach((texts, i) => {
    const content = texts
      .map(
        ([x, y, text, size = 10, font = 'usual']) =>
          `BT /${FONTS[font]} ${size} Tf ${x} ${y} Td ${show(text)} Tj ET`,
      )
      .join('\n')
    const annotations = options.field && i === 0 ? `/Annots [${fieldNumber} 0 R]` : ''
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${firstPage + i * 2 + 1} 0 R
      /Resources << /Font << /F1 3 0 R /F2 ${latin('Helvetica-Bold')} /F3 ${latin('Courier')} >> >>
      ${annotations} >>`,
    )
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
  })
  if (options.field) {
    const { x, y, value } = options.field
    add(
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (field) /V (${quote(value)}) /F 4
      /Rect [${x} ${y - 3} ${x + 200} ${y + 12}] >>`,
    )
  }
  return assemble(objects, options.trailer ?? '')
}

/** A bitmap, black where a letter stands. */
export interface Scan {
  width: number
  height: number
  /** Counted from the upper left corner. */
  isBlack: (x: number, y: number) => boolean
  /** The rotation of the page in a viewer. */
  rotate?: number
  /** A stencil mask that is painted black, as many scanners write it. */
  isMask?: boolean
}

/** A PDF whose pages are full-page pictures, in two strips, or text. */
export function makeScannedPdf(pages: (Scan | string)[]): Buffer<ArrayBuffer> {
  const kids = pages.map((_, i) => `${4 + i * 4} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    HELVETICA,
  ]
  for (const [i, page] of pages.entries()) {
    const number = 4 + i * 4
    const rotate = typeof page === 'string' ? 0 : (page.rotate ?? 0)
    const content =
      typeof page === 'string'
        ? `BT /F1 12 Tf 50 700 Td (${quote(page)}) Tj ET`
        : 'q 600 0 0 400 0 400 cm /Top Do Q q 600 0 0 400 0 0 cm /Bottom Do Q'
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Rotate ${rotate} /Contents ${number + 1} 0 R /Resources
      << /Font << /F1 3 0 R >> /XObject << /Top ${number + 2} 0 R /Bottom ${number + 3} 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      strip(page, 0),
      strip(page, 1),
    )
  }
  return assemble(objects, '')
}

function strip(page: Scan | string, index: number): string {
  if (typeof page === 'string') return 'null'
  const rows = page.height / 2
  const rowBytes = Math.ceil(page.width / 8)
  const bits = Buffer.alloc(rowBytes * rows, 0xff)
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < page.width; x++) {
      if (page.isBlack(x, y + index * rows)) bits[y * rowBytes + (x >> 3)]! &= ~(0x80 >> (x & 7))
    }
  }
  const color = page.isMask ? '/ImageMask true' : '/ColorSpace /DeviceGray'
  return `<< /Type /XObject /Subtype /Image /Width ${page.width} /Height ${rows} /BitsPerComponent 1 ${color}
    /Length ${bits.length} >>\nstream\n${bits.toString('latin1')}\nendstream`
}

function assemble(objects: string[], trailer: string): Buffer<ArrayBuffer> {
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, i) => {
    const offset = file.length
    file += `${i + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `<< /Size ${size} /Root 1 0 R /Info 4 0 R ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(
    `${file}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n${end}`,
    'latin1',
  )
}

function quote(text: string): string {
  return text.replace(/[\\()]/g, '\\$&')
}
