import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import {
  invert,
  listImages,
  type Matrix,
  multiply,
  type PageImage,
  type Pixels,
} from './page-images.ts'
import { encodeGreyPng } from './png.ts'

/** An image of a page for text recognition. */
export interface PagePicture {
  png: Uint8Array
  dpi: number
}

// An A4 page at 340 dpi. More pixels do not improve recognition.
const MAX_PIXELS = 11_000_000
// A logo on an empty page is not a scan.
const MIN_COVERED = 0.3
const MIN_IMAGE_PIXELS = 100_000
const WHITE = 255

/** Whether images cover enough of a page without text to contain its text. */
export async function isScan(page: PDFPageProxy): Promise<boolean> {
  const images = await listImages(page)
  const { width, height } = page.getViewport({ scale: 1 })
  const covered = images.reduce((sum, { place }) => sum + areaOf(place), 0)
  const pixels = images.reduce((sum, image) => sum + image.width * image.height, 0)
  return covered >= MIN_COVERED * width * height && pixels >= MIN_IMAGE_PIXELS
}

/** Puts the images of a page together. Nothing else is drawn: a scan is one image per page, or several strips. */
export async function drawScan(page: PDFPageProxy): Promise<PagePicture> {
  const images = await listImages(page)
  const { width, height } = page.getViewport({ scale: 1 })
  const finest = Math.max(
    ...images.map((image) => Math.sqrt((image.width * image.height) / areaOf(image.place))),
  )
  const scale = Math.min(finest, Math.sqrt(MAX_PIXELS / (width * height)))
  const viewport = page.getViewport({ scale })
  const canvas = blankCanvas(viewport.width, viewport.height)
  for (const image of images) {
    const pixels = await image.load()
    if (pixels) draw(canvas, image, pixels, viewport.transform as Matrix)
  }
  const png = encodeGreyPng(canvas.width, canvas.height, canvas.pixels)
  return { png, dpi: Math.round(scale * 72) }
}

function areaOf([a, b, c, d]: Matrix): number {
  return Math.max(Math.abs(a * d - b * c), Number.EPSILON)
}

interface Canvas {
  width: number
  height: number
  pixels: Uint8Array
}

function blankCanvas(wantedWidth: number, wantedHeight: number): Canvas {
  const width = Math.max(Math.round(wantedWidth), 1)
  const height = Math.max(Math.round(wantedHeight), 1)
  return { width, height, pixels: new Uint8Array(width * height).fill(WHITE) }
}

/** Fills each canvas pixel that the image covers from the image pixel below it. */
function draw(canvas: Canvas, { place, isMask }: PageImage, image: Pixels, view: Matrix): void {
  const onPage = multiply(view, place)
  // Image rows count from the top, the unit square from the bottom.
  const imageToCanvas = multiply(onPage, [1 / image.width, 0, 0, -1 / image.height, 0, 1])
  const back = invert(imageToCanvas)
  if (!back) return
  const greyAt = greyReader(image)
  const [left, right] = range(onPage[4], onPage[0], onPage[2], canvas.width)
  const [top, bottom] = range(onPage[5], onPage[1], onPage[3], canvas.height)
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const column = Math.floor(back[0] * (x + 0.5) + back[2] * (y + 0.5) + back[4])
      const row = Math.floor(back[1] * (x + 0.5) + back[3] * (y + 0.5) + back[5])
      if (column < 0 || row < 0 || column >= image.width || row >= image.height) continue
      const grey = greyAt(column, row)
      if (!isMask || grey === 0) canvas.pixels[y * canvas.width + x] = grey
    }
  }
}

/** The pixels that a placed image covers in one dimension, clipped to the canvas. */
function range(origin: number, along: number, across: number, size: number): [number, number] {
  const ends = [origin, origin + along, origin + across, origin + along + across]
  const from = Math.max(Math.floor(Math.min(...ends)), 0)
  return [from, Math.min(Math.ceil(Math.max(...ends)), size)]
}

function greyReader({ kind, data, width }: Pixels): (column: number, row: number) => number {
  if (kind === 'bits') {
    const rowBytes = (width + 7) >> 3
    return (column, row) =>
      (data[row * rowBytes + (column >> 3)]! >> (7 - (column & 7))) & 1 ? WHITE : 0
  }
  const size = kind === 'rgb' ? 3 : 4
  return (column, row) => {
    const at = (row * width + column) * size
    const grey = (data[at]! * 77 + data[at + 1]! * 151 + data[at + 2]! * 28) >> 8
    if (kind === 'rgb') return grey
    // Transparent pixels show white.
    const opacity = data[at + 3]!
    return (grey * opacity + WHITE * (255 - opacity)) / 255
  }
}
