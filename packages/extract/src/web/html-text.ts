import { fenced } from '../document-text.ts'
import { HeadedTable, markHeader, type TableCell } from '../tables/headed-table.ts'
import { type CardBlock, joinCards, markCard } from './cards.ts'
import { looksLikeTitle, titleBelow, USUAL_LEVEL } from './looks-like-title.ts'

interface Block extends CardBlock {
  place: 'page' | 'article' | 'main'
  isFurniture: boolean
}

/** Where text is collected: the page or a table cell. */
interface Sink {
  blocks: Block[]
  lines: string[]
  line: string
  /** The last two characters. Reading the growing line itself would be slow. */
  lineEnd: string
  /** Whether all text since the last block is bold. */
  isBold: boolean
  /** Whether the first line is bold. */
  isLeadBold: boolean
  /** A prefix for the next text, for example a list marker. */
  prefix: string
}

interface Cell {
  blocks: Block[]
  isHeader: boolean
  columns: number
  rows: number
}

interface Row {
  cells: Cell[]
  /** The row is only layout, so its cells become blocks. */
  isLayout: boolean
}

interface Table {
  rows: Row[]
  openCell: Omit<Cell, 'blocks'> | undefined
  /** The start tag is missing or the table ended early. Other content ends it. */
  isImplied: boolean
}

const MAX_CELL = 600
const MAX_BLOCKS_IN_CELL = 6
const MAX_SPAN = 100
const MAX_TERM = 100
const FEWEST_WORDS = 3
const MAX_LABEL = 40
const BOXES = new Set(['div', 'article', 'section', 'address'])

/** Collects a page's text in blocks and selects the main content at the end. */
export class HtmlText {
  place: Block['place'] = 'page'
  isFurniture = false
  /** The number of open bold elements. */
  boldDepth = 0
  #sinks: Sink[] = [newSink()]
  readonly #tables: Table[] = []
  /** The next number of each open list, or 0 for bullets. */
  readonly #lists: number[] = []
  /** The index of the first block in each open box. */
  readonly #boxes: { blocks: Block[]; from: number }[] = []
  #cards = 0
  #preDepth = 0
  #isCode = false
  /** A term just ended, and its definition continues the line. */
  #isAfterTerm = false
  #isInTerm = false
  /** The line of the term, until other text follows. */
  #termLine = ''
  #isBesideAnother = false

  append(data: string): void {
    if (data.trim() !== '') this.#endImplied()
    const sink = this.#sink
    const asIs = this.#preDepth > 0
    const text = asIs ? data : data.replace(/\s+/g, ' ')
    const isAfterBlank = sink.line === '' || sink.lineEnd.endsWith(' ')
    const kept = isAfterBlank && !asIs ? text.trimStart() : text
    if (kept === '') return
    if (kept !== ' ') sink.isBold &&= this.boldDepth > 0
    const isGlued = this.#isBesideAnother && !asIs && areTwoWords(sink.lineEnd, kept)
    this.#isBesideAnother = false
    const added = sink.prefix + (isGlued ? ' ' : '') + kept
    sink.line += added
    sink.lineEnd = (sink.lineEnd + added.slice(-2)).slice(-2)
    sink.prefix = ''
  }

  /** An element ended and the next begins without whitespace between them. */
  besideAnother(): void {
    this.#isBesideAnother = true
  }

  /** Only table cells use alternative text: a check mark in a cell is information. */
  picture({ alt = '', 'aria-label': label = alt }: Record<string, string>): void {
    if (this.#tables.at(-1)?.openCell && label.length <= MAX_LABEL) this.append(` ${label} `)
  }

  breakLine(): void {
    if (this.#preDepth > 0) this.append('\n')
    else if (this.#isInTerm && this.#isTerm) this.#goOnAfterTerm(',')
    else this.#newLine()
  }

  begin(name: string): void {
    if (this.#preDepth > 0 && name !== 'pre') return
    this.#endImplied()
    const isAfterTerm = this.#isAfterTerm
    this.#isAfterTerm = false
    this.#isInTerm = name === 'dt'
    if ((name === 'dd' || name === 'dt') && isAfterTerm) {
      this.#goOnAfterTerm(name === 'dd' ? ':' : ',')
      return
    }
    // A definition starts on the line of its term, even in its own paragraph.
    if (name === 'p' && this.#termLine !== '' && this.#termLine === this.#sink.line) return
    const heading = /^h([1-6])$/.exec(name)?.[1]
    if (heading) this.#block(`${'#'.repeat(Number(heading))} `)
    else if (name === 'li') this.#newLine(this.#itemMark())
    else if (name === 'dt' || name === 'dd') this.#newLine(this.#sink.prefix)
    else if (name === 'ul' || name === 'ol') {
      this.#between()
      this.#lists.push(name === 'ol' ? 1 : 0)
    } else this.#between()
    if (BOXES.has(name)) {
      const { blocks } = this.#sink
      this.#boxes.push({ blocks, from: blocks.length })
    }
    if (name === 'table') this.#openTable(false)
    if (name === 'pre') {
      this.#preDepth += 1
      this.#isCode = false
    }
    if (heading || name === 'pre') this.#markLayout()
  }

  end(name: string): void {
    if (name === 'pre') {
      this.#preDepth -= 1
      if (this.#isCode) this.#fence()
    }
    if (this.#preDepth > 0) return
    if (name === 'ul' || name === 'ol') this.#lists.pop()
    if (name === 'dt') {
      this.#isInTerm = false
      this.#isAfterTerm = this.#isTerm
      if (this.#isAfterTerm) return
    }
    if (name === 'table') this.#closeTable()
    else if (name === 'dt' || name === 'dd') this.#newLine(this.#sink.prefix)
    else if (name !== 'li') this.#between()
    const box = BOXES.has(name) ? this.#boxes.pop() : undefined
    if (box) markCard(box.blocks, box.from, ++this.#cards)
  }

  /** Adds a bold line. */
  title(text: string): void {
    this.begin('div')
    this.boldDepth += 1
    this.append(text)
    this.boldDepth -= 1
    this.end('div')
  }

  /**
   * Starts a control that expands content. It becomes a bold line, unless it is short, for example “More” or “Menu”.
   */
  beginToggle(): void {
    this.begin('div')
    this.boldDepth += 1
  }

  endToggle(): void {
    this.boldDepth -= 1
    if (this.#sink.line.trim().split(/\s+/).length < FEWEST_WORDS) this.#sink.line = ''
    this.end('div')
  }

  markCode(): void {
    if (this.#preDepth > 0) this.#isCode = true
  }

  openRow(): void {
    this.closeCell()
    if (this.#tables.length === 0) this.#openTable(true)
    this.#tables.at(-1)!.rows.push(newRow())
  }

  openCell(isHeader: boolean, { colspan = '', rowspan = '' }: Record<string, string>): void {
    const table = this.#tables.at(-1)
    if (!table) {
      this.append(' ')
      return
    }
    // End tags of cells and start tags of rows may be missing.
    this.closeCell()
    if (table.rows.length === 0) table.rows.push(newRow())
    table.openCell = { isHeader, columns: spanOf(colspan), rows: spanOf(rowspan) }
    this.#sinks.push(newSink())
  }

  closeCell(): void {
    const table = this.#tables.at(-1)
    if (!table?.openCell) return
    this.#block()
    const { blocks } = this.#sinks.pop()!
    table.rows.at(-1)!.cells.push({ ...table.openCell, blocks })
    table.openCell = undefined
  }

  /**
   * Returns the main part if there is one, else the articles if they are at least a third of the page, else everything.
   */
  toString(): string {
    while (this.#tables.length > 0) this.#closeTable()
    this.#block()
    const all = this.#sinks[0]!.blocks
    const main = withoutFurniture(all.filter(({ place }) => place === 'main'))
    if (main.length > 0) return joined(withBoldTitles(joinCards(main)))
    const page = withoutFurniture(all)
    const articles = page.filter(({ place }) => place === 'article')
    const shown = lengthOf(articles) * 3 >= lengthOf(page) ? articles : page
    return joined(withBoldTitles(joinCards(shown)))
  }

  get #isTerm(): boolean {
    const { line } = this.#sink
    return line !== '' && line.length <= MAX_TERM
  }

  /** Joins a term and its definition: “-q, --quiet: says nothing”, but “Why? So.” */
  #goOnAfterTerm(mark: ':' | ','): void {
    const sink = this.#sink
    sink.line = sink.line.trimEnd()
    // A line break after the last name of the term left a comma.
    if (mark === ':' && sink.line.endsWith(',')) sink.line = sink.line.slice(0, -1)
    sink.lineEnd = sink.line.slice(-2)
    const isMarked = /[:;,.!?：，。！？]$/u.test(sink.line)
    this.append(isMarked ? ' ' : `${mark} `)
    this.#termLine = mark === ':' && !isMarked ? sink.line : ''
  }

  get #sink(): Sink {
    return this.#sinks.at(-1)!
  }

  /** A list stays a single block, whatever its items contain. */
  #between(): void {
    if (this.#lists.length > 0) this.#newLine(this.#sink.prefix)
    else this.#block()
  }

  #itemMark(): string {
    const number = this.#lists.at(-1) ?? 0
    if (number > 0) this.#lists[this.#lists.length - 1] = number + 1
    const indent = '  '.repeat(Math.min(Math.max(this.#lists.length - 1, 0), 9))
    return `${indent}${number > 0 ? `${number}.` : '-'} `
  }

  #newLine(prefix = ''): void {
    this.#isAfterTerm = false
    const sink = this.#sink
    const line = sink.line.trimEnd()
    if (line !== '') {
      sink.lines.push(line)
      if (sink.lines.length === 1) sink.isLeadBold = sink.isBold
    }
    sink.line = ''
    sink.lineEnd = ''
    sink.prefix = prefix
  }

  #block(prefix = ''): void {
    this.#newLine(prefix)
    const { lines, blocks, isBold, isLeadBold } = this.#sink
    this.#sink.isBold = true
    if (lines.length === 0) return
    const place = { place: this.place, isFurniture: this.isFurniture }
    // Only a line break may separate a title from its text.
    const isTitled = isLeadBold && !isBold && lines.length > 1 && looksLikeTitle(lines[0]!)
    const title = isTitled ? lines.shift() : undefined
    if (title !== undefined) blocks.push({ ...place, text: title, isBold: true })
    blocks.push({ ...place, text: lines.join('\n'), isBold: isBold && lines.length === 1 })
    this.#sink.lines = []
  }

  #fence(): void {
    const sink = this.#sink
    const code = sink.line.replace(/^\n+/, '').trimEnd()
    if (code !== '') sink.line = fenced(code)
  }

  #openTable(isImplied: boolean): void {
    this.#markLayout()
    this.#tables.push({ rows: [], openCell: undefined, isImplied })
  }

  /** Rows with nested tables, headings or code are layout. */
  #markLayout(): void {
    const row = this.#tables.at(-1)?.rows.at(-1)
    if (row) row.isLayout = true
  }

  #endImplied(): void {
    const table = this.#tables.at(-1)
    if (table?.isImplied && !table.openCell) this.#closeTable()
  }

  #closeTable(): void {
    this.closeCell()
    const table = this.#tables.pop()
    if (!table) return
    this.#block()
    const { rows } = table
    const isColumn = rows.every(({ cells }) => cells.length <= 1)
    const written = new HeadedTable()
    const inBlocks = (row: Row) => isColumn || row.isLayout || row.cells.some(isLong)
    const asRows = markHeader(rows.map((row) => (inBlocks(row) ? [] : row.cells.map(toTableCell))))
    for (const [i, row] of rows.entries()) {
      if (inBlocks(row)) {
        this.#block()
        for (const block of row.cells.flatMap(({ blocks }) => blocks)) this.#sink.blocks.push(block)
      } else this.#sink.lines.push(...written.write(asRows[i]!))
    }
    this.#sink.lines.push(...written.end())
    this.#block()
  }
}

function toTableCell({ blocks, ...cell }: Cell): TableCell {
  return { ...cell, text: joined(blocks).replace(/\s+/g, ' ') }
}

function spanOf(attribute: string): number {
  return Math.min(Math.max(Number.parseInt(attribute, 10) || 1, 1), MAX_SPAN)
}

function newRow(): Row {
  return { cells: [], isLayout: false }
}

/** Too long for a table row. */
function isLong({ blocks }: Cell): boolean {
  return blocks.length > MAX_BLOCKS_IN_CELL || lengthOf(blocks) > MAX_CELL
}

function newSink(): Sink {
  return {
    blocks: [],
    lines: [],
    line: '',
    lineEnd: '',
    isBold: true,
    isLeadBold: false,
    prefix: '',
  }
}

const WORD_ENDS = /[\p{L}\p{N})]{2}$/u
const WORD_BEGINS = /^(?:[\p{L}\p{N}]{2}|[$€£¥]?\s?\d)/u

/** For example “Tiramisù” and “6.90”. Single letters may be a word with separately styled letters. */
function areTwoWords(before: string, after: string): boolean {
  return WORD_ENDS.test(before) && WORD_BEGINS.test(after)
}

/** Removes furniture, unless it is most of the page: then only its class name suggests furniture. */
function withoutFurniture(blocks: Block[]): Block[] {
  const kept = blocks.filter(({ isFurniture }) => !isFurniture)
  return lengthOf(kept) * 3 >= lengthOf(blocks) ? kept : blocks
}

function lengthOf(blocks: Block[]): number {
  return blocks.reduce((length, { text }) => length + text.length, 0)
}

/** A bold line above regular text becomes a heading if it looks like a title. */
function withBoldTitles(blocks: Block[]): Block[] {
  let level = USUAL_LEVEL - 1
  return blocks.map((block, i) => {
    const marks = /^#{1,6}(?=\s)/.exec(block.text)?.[0]
    if (marks) level = marks.length
    const next = blocks[i + 1]
    const isTitle = block.isBold && next && !next.isBold && !next.text.startsWith('#')
    if (marks || !isTitle || !looksLikeTitle(block.text)) return block
    return { ...block, text: titleBelow(level, block.text) }
  })
}

function joined(blocks: Block[]): string {
  return blocks.map(({ text }) => text).join('\n\n')
}
