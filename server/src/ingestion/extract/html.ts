import { Parser } from 'htmlparser2'

export interface ExtractedText {
  title: string
  text: string
}

const LEFT_OUT = new Set(
  `script style noscript template nav footer aside form svg iframe canvas object button select dialog head`.split(
    ' ',
  ),
)
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const BLOCKS = new Set(
  `address article blockquote body dd details div dl dt fieldset figcaption figure h1 h2 h3 h4 h5 h6 header hr
  html li main ol p pre section summary table tbody td th thead tr ul`.split(/\s+/),
)

/** The readable text of a page: menus, scripts and hidden parts left out, headings and lists marked as in Markdown. */
export function extractHtml(html: string): ExtractedText {
  const whole = new TextBuilder()
  const main = new TextBuilder()
  let title = ''
  let inTitle = false
  let leftOut: string[] = []
  let mainDepth = 0
  let preDepth = 0

  const write = (action: (builder: TextBuilder) => void) => {
    action(whole)
    if (mainDepth > 0) action(main)
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'title') inTitle = true
      if (leftOut.length > 0 || LEFT_OUT.has(name) || isHidden(attributes)) {
        if (!VOID.has(name)) leftOut.push(name)
        return
      }
      if (name === 'main' || name === 'article') mainDepth += 1
      if (name === 'pre') preDepth += 1
      const heading = /^h([1-6])$/.exec(name)
      if (name === 'br') write((text) => text.newLine())
      else if (name === 'li') write((text) => text.newLine('- '))
      else if (name === 'tr') write((text) => text.newLine())
      else if (name === 'td' || name === 'th') write((text) => text.cell())
      else if (heading) write((text) => text.block(`${'#'.repeat(Number(heading[1]))} `))
      else if (BLOCKS.has(name)) write((text) => text.block())
    },
    ontext(data) {
      if (inTitle) title += data
      if (leftOut.length === 0) write((text) => text.append(data, preDepth > 0))
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false
      if (leftOut.length > 0) {
        const opened = leftOut.lastIndexOf(name)
        if (opened >= 0) leftOut = leftOut.slice(0, opened)
        return
      }
      if (name === 'pre') preDepth -= 1
      if (BLOCKS.has(name) && !['li', 'tr', 'td', 'th'].includes(name))
        write((text) => text.block())
      if (name === 'main' || name === 'article') mainDepth -= 1
    },
  })
  parser.end(html)
  const mainText = main.toString()
  return { title: oneLine(title), text: mainText === '' ? whole.toString() : mainText }
}

function isHidden(attributes: Record<string, string>): boolean {
  return (
    attributes.hidden !== undefined ||
    attributes['aria-hidden'] === 'true' ||
    /display:\s*none|visibility:\s*hidden/i.test(attributes.style ?? '')
  )
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

class TextBuilder {
  #blocks: string[] = []
  #open = ''
  /** What the next text is preceded by, once there is any. */
  #prefix = ''

  append(data: string, asIs: boolean): void {
    const text = asIs ? data : data.replace(/\s+/g, ' ')
    const atLineStart = this.#open === '' || this.#open.endsWith('\n')
    const kept = atLineStart && !asIs ? text.trimStart() : text
    if (kept === '') return
    this.#open += this.#prefix + kept
    this.#prefix = ''
  }

  newLine(prefix = ''): void {
    this.#open = this.#open.trimEnd()
    if (this.#open !== '') this.#open += '\n'
    this.#prefix = prefix
  }

  cell(): void {
    if (this.#open !== '' && !this.#open.endsWith('\n')) this.#prefix = ' | '
  }

  block(prefix = ''): void {
    const block = this.#open.trimEnd()
    if (block !== '') this.#blocks.push(block)
    this.#open = ''
    // Blocks inside of a list item belong to its line.
    if (prefix !== '' || this.#prefix !== '- ') this.#prefix = prefix
  }

  toString(): string {
    this.block()
    return this.#blocks.join('\n\n')
  }
}
