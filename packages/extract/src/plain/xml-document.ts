import { type Attributes, walkXml } from '../containers/xml.ts'
import { DocumentText, oneLine } from '../document-text.ts'
import { type ExtractedText, extractHtml } from '../web/html.ts'

interface Element {
  name: string
  attributes: Attributes
  /** The element's own text and, in order, the results of its children. */
  content: (string | Child)[]
  hasText: boolean
}

type Child = { type: 'value'; name: string; text: string } | { type: 'blocks'; blocks: string[] }

const MARKUP = /<\/?(?:p|br|div|a|b|i|em|strong|img|span|ul|li|table|h[1-6])\b[^<>]*>/i
const UNSAID = /^(xmlns|xsi:|xml:|id$)/

/**
 * Elements with only text become `name: text`, and their parents become paragraphs of such lines. Mixed content, as in
 * articles, stays prose.
 */
export function extractXml(bytes: Uint8Array, charset?: string): ExtractedText {
  const root: Element = { name: '', attributes: {}, content: [], hasText: false }
  const open: Element[] = [root]
  let title = ''
  walkXml(
    bytes,
    {
      open(name, attributes) {
        open.push({ name, attributes, content: [], hasText: false })
      },
      read(data) {
        const element = open.at(-1)!
        element.content.push(data)
        element.hasText ||= data.trim() !== ''
      },
      close() {
        const element = open.pop()!
        const child = close(element)
        const isTitle =
          element.name === 'article-title' || (element.name === 'title' && open.length <= 3)
        if (isTitle && child?.type === 'value') title ||= oneLine(child.text)
        if (child) open.at(-1)!.content.push(child)
      },
    },
    charset,
  )
  const text = new DocumentText()
  const whole = close(root)
  if (whole?.type === 'blocks') for (const block of whole.blocks) text.preformatted(block)
  else if (whole) text.paragraph(whole.text)
  return { title, text: text.toString() }
}

function close({ name, attributes, content, hasText }: Element): Child | undefined {
  const children = content.filter((part) => typeof part !== 'string')
  if (hasText) {
    const words = content.map((part) => (typeof part === 'string' ? part : inline(part))).join('')
    return {
      type: 'value',
      name,
      text: MARKUP.test(words) ? extractHtml(words).text : oneLine(words),
    }
  }
  if (children.length === 0) {
    const said = Object.entries(attributes).filter(([key]) => !UNSAID.test(key))
    if (said.length === 0) return undefined
    return { type: 'value', name, text: said.map(([key, value]) => `${key} ${value}`).join(', ') }
  }
  return { type: 'blocks', blocks: blocksOf(name, children) }
}

/** Adjacent values form a block. Elements with children form their own blocks. */
function blocksOf(name: string, children: Child[]): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  const flush = () => {
    if (lines.length > 0) blocks.push(lines.join('\n'))
    lines = []
  }
  for (const child of children) {
    if (child.type === 'blocks') {
      flush()
      for (const block of child.blocks) blocks.push(block)
    } else if (isProse(child)) {
      flush()
      blocks.push(child.name === 'title' ? `## ${oneLine(child.text)}` : child.text)
    } else {
      lines.push(child.name === '' ? child.text : `${child.name}: ${child.text}`)
    }
  }
  flush()
  return name === 'p' ? [blocks.join(' ')] : blocks
}

/** Paragraphs and headings need no element name before them. */
function isProse({ name, text }: Child & { type: 'value' }): boolean {
  return name === 'p' || name === 'para' || name === 'title' || text.length > 400
}

function inline(child: Child): string {
  return child.type === 'value' ? child.text : child.blocks.join(' ')
}
