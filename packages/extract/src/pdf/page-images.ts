import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** [a, b, c, d, e, f]: x' = ax + cy + e, y' = bx + dy + f. */
export type Matrix = [number, number, number, number, number, number]

/** An image on a page. `place` maps the unit square onto the page. */
export interface PageImage {
  width: number
  height: number
  place: Matrix
  /** Only black pixels are painted. */
  isMask: boolean
  /** Undefined if the image can't be decoded. */
  load(): Promise<Pixels | undefined>
}

export interface Pixels {
  width: number
  height: number
  kind: 'bits' | 'rgb' | 'rgba'
  data: Uint8Array | Uint8ClampedArray
}

interface DecodedImage {
  width: number
  height: number
  /** The image kind of pdf.js, a key of KINDS. */
  kind?: number
  data?: Uint8Array | Uint8ClampedArray | string
}

const KINDS = { 1: 'bits', 2: 'rgb', 3: 'rgba' } as const
// pdf.js never reports that an image can't be decoded, so loading stops after this time.
const DECODING_MS = 15_000

/** The images of a page in painting order. */
export async function listImages(page: PDFPageProxy): Promise<PageImage[]> {
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const { fnArray, argsArray } = await page.getOperatorList()
  const images: PageImage[] = []
  const saved: Matrix[] = []
  let place: Matrix = [1, 0, 0, 1, 0, 0]
  for (const [i, operation] of fnArray.entries()) {
    const args = argsArray[i]
    switch (operation) {
      case OPS.save:
        saved.push(place)
        break
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        place = saved.pop() ?? place
        break
      case OPS.transform:
        place = multiply(place, args as Matrix)
        break
      case OPS.paintFormXObjectBegin:
        saved.push(place)
        if (args[0]) place = multiply(place, [...args[0]] as Matrix)
        break
      case OPS.paintImageXObject:
        images.push({
          width: args[1],
          height: args[2],
          place,
          isMask: false,
          load: () => load(page, args[0]),
        })
        break
      case OPS.paintInlineImageXObject:
      case OPS.paintImageMaskXObject: {
        const isMask = operation === OPS.paintImageMaskXObject
        const { width, height } = args[0]
        images.push({ width, height, place, isMask, load: () => load(page, args[0]) })
        break
      }
    }
  }
  return images
}

/** Applies `n` first. */
export function multiply(m: Matrix, n: Matrix): Matrix {
  return [
    m[0] * n[0] + m[2] * n[1],
    m[1] * n[0] + m[3] * n[1],
    m[0] * n[2] + m[2] * n[3],
    m[1] * n[2] + m[3] * n[3],
    m[0] * n[4] + m[2] * n[5] + m[4],
    m[1] * n[4] + m[3] * n[5] + m[5],
  ]
}

export function invert([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const det = a * d - b * c
  if (det === 0 || !Number.isFinite(det)) return undefined
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det]
}

/** pdf.js gives an image as a name, as data, or as an object that names its data. */
async function load(page: PDFPageProxy, given: string | DecodedImage): Promise<Pixels | undefined> {
  const id = typeof given === 'string' ? given : given.data
  const found = typeof id === 'string' ? await stored(page, id) : (given as DecodedImage)
  if (!found?.data || typeof found.data === 'string') return undefined
  const { width, height, data, kind = 1 } = found
  const name = KINDS[kind as keyof typeof KINDS]
  return name && { width, height, data, kind: name }
}

function stored(page: PDFPageProxy, id: string): Promise<DecodedImage | undefined> {
  const objects = id.startsWith('g_') ? page.commonObjs : page.objs
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), DECODING_MS)
    const settle = (image?: DecodedImage | null) => {
      clearTimeout(timer)
      resolve(image ?? undefined)
    }
    objects.get(id, settle, () => settle())
  })
}
