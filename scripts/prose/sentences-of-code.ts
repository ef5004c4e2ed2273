import { parseSync } from 'vite'
import { type Paragraph, type Sentence, sentencesOf } from './sentences.ts'

/** The sentences of comments. */
export function sentencesOfComments(file: string, text: string): Sentence[] {
  const found: (Paragraph & { end: number; isOpen: boolean })[] = []
  for (const { type, value, start, end } of parseSync(file, text).comments) {
    const line = lineAt(text, start)
    const last = found.at(-1)
    // Line comments that follow each other are one paragraph.
    if (type === 'Line' && last?.isOpen && /^\n\s*$/.test(text.slice(last.end, start))) {
      last.lines.push(value)
      last.end = end
      continue
    }
    const lines = value.split('\n').map((text) => text.replace(/^\s*\*+/, ''))
    const isAlone = /\n\s*$|^$/.test(text.slice(0, start))
    found.push({ line, lines, end, isOpen: type === 'Line' && isAlone })
  }
  return found.flatMap(sentencesOf)
}

/** The sentences of string literals, which are all text of the interface in these files. */
export function sentencesOfWords(file: string, text: string): Sentence[] {
  const found: Sentence[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, value, start } = node as { type?: string; value?: unknown; start?: number }
    if (type === 'ImportDeclaration') return
    if (type === 'Literal' && typeof value === 'string') {
      found.push(...sentencesOf({ line: lineAt(text, start ?? 0), lines: value.split('\n') }))
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, text).program)
  return found
}

function lineAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length
}
