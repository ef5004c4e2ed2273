import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { DrawnText } from './text-pieces.ts'

/** The properties of a pdf.js annotation that are used here. */
interface Annotation {
  subtype: string
  annotationFlags: number
  rect: [left: number, bottom: number, right: number, top: number]
  textContent?: string[]
  checkBox?: boolean
  radioButton?: boolean
  fieldValue?: unknown
  exportValue?: unknown
  buttonValue?: unknown
}

const NOT_SHOWN = 0b10_0010
const MAX_HEIGHT = 10

/**
 * Form values and typed notes are not part of the page's content. Placed at their positions, they are read with labels.
 */
export async function listAnnotations(page: PDFPageProxy): Promise<DrawnText[]> {
  const annotations = (await page.getAnnotations()) as Annotation[]
  return annotations
    .filter(({ annotationFlags }) => (annotationFlags & NOT_SHOWN) === 0)
    .flatMap((annotation) => placeLines(annotation, linesOf(annotation)))
}

function linesOf(annotation: Annotation): string[] {
  if (annotation.subtype === 'FreeText') return annotation.textContent ?? []
  if (annotation.subtype !== 'Widget') return []
  if (annotation.checkBox || annotation.radioButton) return isTicked(annotation) ? ['[x]'] : []
  // A list field may have several values.
  const values = [annotation.fieldValue].flat().filter((value) => typeof value === 'string')
  return values.join(', ').split(/[\r\n]+/)
}

function isTicked({ fieldValue, exportValue, buttonValue }: Annotation): boolean {
  if (typeof fieldValue !== 'string' || fieldValue === 'Off') return false
  return fieldValue === (exportValue ?? buttonValue)
}

function placeLines({ rect }: Annotation, lines: string[]): DrawnText[] {
  const [left, bottom, right, top] = rect
  const space = (top - bottom) / lines.length
  const height = Math.min(space, MAX_HEIGHT)
  return lines.map((str, i) => {
    const middle = top - space * (i + 0.5)
    return {
      str,
      transform: [height, 0, 0, height, left, middle - height * 0.3],
      width: Math.min(right - left, str.length * height * 0.5),
    }
  })
}
