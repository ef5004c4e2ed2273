import { attribute, prefixedAttribute, walkXml } from '../containers/xml.ts'
import { DocumentText, oneLine } from '../document-text.ts'
import { writeRows } from '../tables/headed-table.ts'
import type { ExtractedText } from '../web/html.ts'
import { OfficePackage } from './office-package.ts'

interface Line {
  text: string
  depth: number
}

interface Shape {
  /** The placeholder type of the layout; undefined for a free shape. */
  placeholder: string | undefined
  lines: Line[]
  /** The rows of a table; empty for other shapes. */
  rows: string[][]
  hasHeader: boolean
}

// Dates, slide numbers, headers and footers repeat on every slide.
const FURNITURE = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg'])

/** Writes the slides in order, each under its title and with its speaker notes. */
export function extractPptx(bytes: Uint8Array): ExtractedText {
  const file = new OfficePackage(bytes)
  const main = file.mainPart('ppt/presentation.xml')
  const parts = new Map(file.relationsOf(main).map(({ id, part }) => [id, part]))
  const text = new DocumentText()
  let count = 0
  for (const part of slideIds(file.find(main)).flatMap((id) => parts.get(id) ?? [])) {
    const relations = file.relationsOf(part)
    const partsOf = (type: string) =>
      relations.flatMap((relation) =>
        relation.type === type ? (file.find(relation.part) ?? []) : [],
      )
    count += 1
    writeSlide(text, readSlide(file.find(part)), count)
    for (const diagram of partsOf('diagramData')) {
      for (const line of readSlide(diagram).flatMap(({ lines }) => lines)) text.item(line.text)
    }
    for (const notes of partsOf('notesSlide')) writeNotes(text, readSlide(notes))
  }
  return { title: file.title(), text: text.toString() }
}

function newShape(): Shape {
  return { placeholder: undefined, lines: [], rows: [], hasHeader: false }
}

function slideIds(presentation: Uint8Array | undefined): string[] {
  const ids: string[] = []
  walkXml(presentation, {
    open(name, attributes) {
      if (name === 'sldId') ids.push(prefixedAttribute(attributes, 'id') ?? '')
    },
  })
  return ids
}

function writeSlide(text: DocumentText, shapes: Shape[], count: number): void {
  const isTitle = ({ placeholder }: Shape) => /^(title|ctrTitle)$/.test(placeholder ?? '')
  const title = shapes.find(isTitle)?.lines.map((line) => line.text)
  const heading = oneLine(title?.join(' ') ?? '')
  text.heading(1, heading === '' ? `Slide ${count}` : heading)
  for (const shape of shapes) {
    if (isTitle(shape) || FURNITURE.has(shape.placeholder ?? '')) continue
    const { lines, rows, hasHeader } = shape
    const isList = lines.length > 1
    for (const line of lines) {
      if (isList) text.item(line.text, line.depth)
      else text.paragraph(line.text)
    }
    text.endLines()
    writeRows(text, rows, hasHeader ? 1 : 0)
  }
}

function writeNotes(text: DocumentText, shapes: Shape[]): void {
  const lines = shapes.flatMap((shape) => (shape.placeholder === 'body' ? shape.lines : []))
  const words = lines.map((line) => line.text.trim()).filter((line) => line !== '')
  if (words.length > 0) text.paragraph(`Notes: ${words.join('\n')}`)
}

function readSlide(bytes: Uint8Array | undefined): Shape[] {
  const free = newShape()
  const shapes: Shape[] = []
  let shape = free
  let line: Line | undefined
  let inText = false
  let leftOut = 0
  let isTable = false
  const endLine = ({ text, depth }: Line) => {
    const row = isTable ? shape.rows.at(-1) : undefined
    if (row) row[row.length - 1] += ` ${text}`
    else if (text.trim() !== '') shape.lines.push({ text, depth })
  }
  walkXml(bytes, {
    open(name, attributes) {
      // Skip fallback copies for old programs, and fields with the slide number.
      const isCounter = name === 'fld' && attribute(attributes, 'type') === 'slidenum'
      if (leftOut > 0 || name === 'Fallback' || isCounter) {
        leftOut += 1
        return
      }
      if (name === 'sp' || name === 'pt' || name === 'tbl') {
        isTable = name === 'tbl'
        shape = newShape()
        shapes.push(shape)
      } else if (name === 'ph') shape.placeholder = attribute(attributes, 'type') ?? 'body'
      else if (name === 'tblPr') shape.hasHeader = attribute(attributes, 'firstRow') === '1'
      else if (name === 'tr') shape.rows.push([])
      else if (name === 'tc') shape.rows.at(-1)?.push('')
      else if (name === 'p') line = { text: '', depth: 0 }
      else if (line && name === 'pPr') line.depth = Number(attribute(attributes, 'lvl') ?? 0)
      else if (line && (name === 'br' || name === 'tab')) line.text += name === 'br' ? '\n' : ' '
      else if (name === 't') inText = true
    },
    read(data) {
      if (inText && line && leftOut === 0) line.text += data
    },
    close(name) {
      if (leftOut > 0) {
        leftOut -= 1
        return
      }
      if (name === 't') inText = false
      else if (name === 'p' && line) {
        endLine(line)
        line = undefined
      } else if (name === 'sp' || name === 'pt' || name === 'tbl') {
        shape = free
        isTable = false
      }
    },
  })
  if (free.lines.length > 0) shapes.push(free)
  return shapes
}
