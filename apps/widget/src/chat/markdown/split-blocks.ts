export interface Block {
  kind: 'heading' | 'code' | 'list' | 'quote' | 'table' | 'rule' | 'paragraph'
  source: string
}

const FENCE = /^ {0,3}(```+(?=[^`]*$)|~~~+)/
const HEADING = /^ {0,3}#{1,6}(\s|$)/
const RULE = /^ {0,3}([-*_])( *\1){2,} *$/
const ITEM = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/
const NUMBER = /^ {0,3}\d/
const QUOTE = /^ {0,3}>/
const TABLE_LINE = /^ {0,3}\|?( *:?-+:? *\|)+( *:?-+:? *)?$/

/** A line without text of its own: a code fence, a rule, or the line below a table's head. */
export function isOnlyDrawn(line: string): boolean {
  return FENCE.test(line) || RULE.test(line) || TABLE_LINE.test(line)
}

/**
 * Splits a text into blocks by its lines alone. While an answer grows, only its last block changes, so only that block
 * is parsed and rendered again.
 */
export function splitBlocks(text: string): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    if (lines[at]!.trim() === '') {
      at += 1
      continue
    }
    const { kind, end } = blockAt(lines, at)
    blocks.push({ kind, source: lines.slice(at, end).join('\n').trimEnd() })
    at = end
  }
  return blocks
}

function blockAt(lines: string[], at: number): { kind: Block['kind']; end: number } {
  const line = lines[at]!
  const fence = FENCE.exec(line)?.[1]
  if (fence) return { kind: 'code', end: endOfCode(lines, at, fence) }
  if (HEADING.test(line)) return { kind: 'heading', end: at + 1 }
  if (RULE.test(line)) return { kind: 'rule', end: at + 1 }
  if (ITEM.test(line)) return { kind: 'list', end: endOfList(lines, at) }
  if (QUOTE.test(line))
    return { kind: 'quote', end: endWhere(lines, at, (one) => !QUOTE.test(one)) }
  if (isTable(lines, at))
    return { kind: 'table', end: endWhere(lines, at, (one) => !one.includes('|')) }
  return { kind: 'paragraph', end: endWhere(lines, at, beginsBlock) }
}

function isTable(lines: string[], at: number): boolean {
  return lines[at]!.includes('|') && TABLE_LINE.test(lines[at + 1] ?? '')
}

function endWhere(lines: string[], at: number, isEnd: (line: string) => boolean): number {
  let end = at + 1
  while (end < lines.length && lines[end]!.trim() !== '' && !isEnd(lines[end]!)) end += 1
  return end
}

function beginsBlock(line: string): boolean {
  return [FENCE, HEADING, RULE, ITEM, QUOTE].some((pattern) => pattern.test(line))
}

function endOfCode(lines: string[], at: number, fence: string): number {
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i]!.trim()
    if (line.startsWith(fence) && line.replaceAll(fence[0]!, '') === '') return i + 1
  }
  // No closing fence: the text is still streaming, or the model forgot it.
  return lines.length
}

/**
 * Items may have blank lines between them. A line ends the list if it is neither an item nor indented. A numbered item
 * ends a bullet list. A bullet ends a numbered list only after a blank line.
 */
function endOfList(lines: string[], at: number): number {
  let end = at + 1
  const isNumbered = NUMBER.test(lines[at]!)
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i]!
    if (line.trim() === '') continue
    const afterBlank = lines[i - 1]!.trim() === ''
    const isItem = ITEM.test(line) && !line.startsWith('  ')
    if (isItem && NUMBER.test(line) !== isNumbered && (afterBlank || !isNumbered)) break
    const continues = ITEM.test(line) || /^( {2,}|\t)/.test(line)
    if (!continues && (afterBlank || beginsBlock(line))) break
    end = i + 1
  }
  return end
}
