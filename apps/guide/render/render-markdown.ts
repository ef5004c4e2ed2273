import { Marked, type Token, type Tokens } from 'marked'

export interface Heading {
  depth: number
  id: string
  text: string
}

/** A part of a page that a search result can link to. */
export interface Section {
  heading: string
  id: string
  text: string
}

export interface Rendered {
  html: string
  headings: Heading[]
  sections: Section[]
  /** The first paragraph as plain text. */
  summary: string
}

export interface Resolver {
  link(href: string): string | undefined
  imageSize(url: string): { width: number; height: number } | undefined
}

const COMMENT = /<!--.*?-->/gs

/** Renders Markdown as a page of the site. HTML is escaped, except for `<details>`. Comments are left out. */
export function renderMarkdown(markdown: string, resolve: Resolver): Rendered {
  const headings: Heading[] = []
  const idOf = idMaker()
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth }) {
        const text = plainText(tokens)
        const id = idOf(text)
        headings.push({ depth, id, text })
        const inner = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${inner}</h1>\n`
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inner = this.parser.parseInline(tokens)
        const target = resolve.link(href)
        if (target === undefined) return inner
        const away = /^https?:/.test(target) ? ' rel="noreferrer"' : ''
        return `<a href="${escapeHtml(target)}"${away}>${inner}</a>`
      },
      image({ href, text }) {
        const target = resolve.link(href) ?? ''
        const size = resolve.imageSize(target)
        const sized = size ? ` width="${size.width}" height="${size.height}"` : ''
        const alt = escapeHtml(text)
        return `<img src="${escapeHtml(target)}" alt="${alt}"${sized} loading="lazy" decoding="async">`
      },
      code({ text, lang }) {
        const kind = escapeHtml(lang ?? '')
        return `<div class="code" data-kind="${kind}"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`
      },
      table(token) {
        // An empty header cell must not be a `<th>`.
        const cell = ({ text, tokens }: Tokens.TableCell, tag: string) => {
          const name = text === '' ? 'td' : tag
          return `<${name}>${this.parser.parseInline(tokens)}</${name}>`
        }
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((one) => cell(one, tag)).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`
      },
      html: ({ text }) => foldOf(text) ?? escapeHtml(text.replaceAll(COMMENT, '')),
    },
  })
  const tokens = marked.lexer(markdown)
  const html = marked.parser(tokens)
  const firstParagraph = tokens.find(({ type }) => type === 'paragraph')
  return {
    html,
    headings,
    sections: sectionsOf(tokens, headings),
    summary: firstParagraph ? plainText([firstParagraph]) : '',
  }
}

/** Allows `<details>`, which Markdown has no syntax for. */
function foldOf(html: string): string | undefined {
  if (html.trim() === '</details>') return html
  const summary = /^<details><summary>([^<]+)<\/summary>\s*$/.exec(html)?.[1]
  return summary && `<details><summary>${summary}</summary>\n`
}

function sectionsOf(tokens: Token[], headings: Heading[]): Section[] {
  const sections: Section[] = []
  let seen = 0
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { id, text, depth } = headings[seen]!
      seen += 1
      sections.push({ heading: text, id: depth === 1 ? '' : id, text: '' })
      continue
    }
    const section = sections.at(-1)
    if (section && token.type !== 'html')
      section.text = `${section.text} ${plainText([token])}`.trim()
  }
  return sections
}

function plainText(tokens: Token[]): string {
  const words = tokens.map((token) => {
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows]
        .flat()
        .map((cell) => plainText(cell.tokens))
        .join(' ')
    }
    if (token.type === 'list') return plainText((token as Tokens.List).items)
    if ('tokens' in token && token.tokens) return plainText(token.tokens)
    return 'text' in token ? String(token.text) : ' '
  })
  return words.join(tokens.some(isBlock) ? ' ' : '').replaceAll(/\s+/g, ' ')
}

function isBlock({ type }: Token): boolean {
  return ['paragraph', 'list', 'list_item', 'code', 'table', 'space'].includes(type)
}

/** Makes heading ids like those on GitHub: words with dashes, and a number for duplicates. */
function idMaker(): (text: string) => string {
  const used = new Map<string, number>()
  return (text) => {
    const id = text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const times = used.get(id) ?? 0
    used.set(id, times + 1)
    return times === 0 ? id : `${id}-${times}`
  }
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
