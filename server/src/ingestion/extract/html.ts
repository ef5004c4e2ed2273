import { Parser } from 'htmlparser2'

export interface ExtractedText {
  title: string
  text: string
  /** Where each page begins in the text, of a document that has pages. */
  pages?: number[]
}

const LEFT_OUT = new Set(
  `script style noscript template title nav footer aside svg iframe canvas object button select textarea
  dialog`.split(/\s+/),
)
const BLOCKS = new Set(
  `address article blockquote body dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6
  header hr html li main ol p pre section summary table tbody td th thead tr ul`.split(/\s+/),
)

/** The readable text of a page: menus, scripts and hidden parts left out, headings and lists marked as in Markdown. */
export function extractHtml(html: string): ExtractedText {
  const whole = new TextBuilder()
  const main = new TextBuilder()
  let title = ''
  let inTitle = false
  let leftOutDepth = 0
  let mainDepth = 0
  let preDepth = 0

  const write = (action: (builder: TextBuilder) => void) => {
    action(whole)
    if (mainDepth > 0) action(main)
  }
  // The parser closes whatever it opened, void elements and forgotten ends included, so that depths can be counted.
  const parser = new Parser({
    onopentag(name, attributes) {
      // A picture's title stands inside of its svg, which is left out.
      if (name === 'title' && leftOutDepth === 0) inTitle = title === ''
      if (leftOutDepth > 0 || LEFT_OUT.has(name) || isHidden(attributes)) {
        leftOutDepth += 1
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
      if (leftOutDepth === 0) write((text) => text.append(data, preDepth > 0))
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false
      if (leftOutDepth > 0) {
        leftOutDepth -= 1
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
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style ?? '')
  )
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Lines are gathered in lists: one string that grows would be copied again for every item of a long list. */
class TextBuilder {
  readonly #blocks: string[] = []
  #lines: string[] = []
  #line = ''
  /** What the next text is preceded by, once there is any. */
  #prefix = ''

  append(data: string, asIs: boolean): void {
    const text = asIs ? data : data.replace(/\s+/g, ' ')
    const kept = this.#line === '' && !asIs ? text.trimStart() : text
    if (kept === '') return
    this.#line += this.#prefix + kept
    this.#prefix = ''
  }

  newLine(prefix = ''): void {
    const line = this.#line.trimEnd()
    if (line !== '') this.#lines.push(line)
    this.#line = ''
    this.#prefix = prefix
  }

  cell(): void {
    if (this.#line !== '') this.#prefix = ' | '
  }

  block(prefix = ''): void {
    // Blocks inside of a list item belong to its line.
    const next = prefix === '' && this.#prefix === '- ' ? this.#prefix : prefix
    this.newLine(next)
    if (this.#lines.length > 0) this.#blocks.push(this.#lines.join('\n'))
    this.#lines = []
  }

  toString(): string {
    this.block()
    return this.#blocks.join('\n\n')
  }
}
