import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { followLink } from './follow-links.ts'
import { imageSize } from './image-size.ts'
import { escapeHtml, type Heading, type Rendered, renderMarkdown } from './render-markdown.ts'
import { DECISIONS, type Document, type Group, readContents, readDocuments } from './site-pages.ts'

/** An entry of the search index. */
export interface Found {
  url: string
  page: string
  heading: string
  text: string
}

interface SitePage {
  url: string
  title: string
  rendered: Rendered
}

/** Writes the site that the server shows at /guide: each document in the built template, and the search index. */
export function writeGuide(root: string): void {
  const dist = join(root, 'apps/guide/dist')
  const template = readFileSync(join(dist, 'page.html'), 'utf8')
  const documents = readDocuments(root)
  const pages = renderAll(root, documents)
  const groups = readContents(
    documents,
    (link) => followLink(root, documents, 'docs/README.md', link) ?? '',
  )
  const order = groups.flatMap(({ entries }) => entries)
  const write = (page: SitePage) => {
    const file = join(dist, 'pages', `${page.url.slice('/guide'.length) || 'index'}.html`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, fill(template, page, groups, order))
  }
  for (const page of pages) write(page)
  write(missingPage())
  writeFileSync(join(dist, 'search.json'), JSON.stringify(pages.flatMap(searchable)))
  copyFileSync(join(root, 'apps/guide/moved-pages.json'), join(dist, 'moved-pages.json'))
  cpSync(join(root, 'docs/images'), join(dist, 'images'), { recursive: true })
  rmSync(join(dist, 'page.html'))
}

/** Reads the documents and returns the entries of the search. */
export function readSections(root: string): Found[] {
  return renderAll(root, readDocuments(root)).flatMap(searchable)
}

function renderAll(root: string, documents: Document[]): SitePage[] {
  const pages = documents.map(({ file, url, title, markdown }) => {
    const rendered = renderMarkdown(markdown, {
      link: (href) => followLink(root, documents, file, href),
      imageSize: (target) => sizeOf(root, target),
    })
    return { url, title, rendered }
  })
  return [...pages, decisionsPage(documents)]
}

function sizeOf(root: string, url: string) {
  const file = join(root, 'docs', url.replace(/^\/guide/, ''))
  return existsSync(file) ? imageSize(file) : undefined
}

function decisionsPage(documents: Document[]): SitePage {
  const entries = documents
    .filter(({ url }) => url.startsWith(`${DECISIONS}/`))
    .map(({ title, url }) => `- [${title}](${url})`)
  const markdown = `# Decisions\n\nDesign decisions and the options that were considered.\n\n${entries.join('\n')}\n`
  const rendered = renderMarkdown(markdown, { link: (href) => href, imageSize: () => undefined })
  return { url: DECISIONS, title: 'Decisions', rendered }
}

function missingPage(): SitePage {
  const markdown =
    '# Page not found\n\nThis page does not exist. See [the guide](/guide) for all pages.\n'
  const rendered = renderMarkdown(markdown, { link: (href) => href, imageSize: () => undefined })
  return { url: '/guide/missing', title: 'Page not found', rendered }
}

function fill(template: string, page: SitePage, groups: Group[], order: Group['entries']): string {
  const { url, title, rendered } = page
  const current = url.startsWith(`${DECISIONS}/`) ? DECISIONS : url
  const parts: Record<string, string> = {
    title: url === '/guide' ? 'Docent' : `${escapeHtml(title)} · Docent`,
    description: escapeHtml(rendered.summary.slice(0, 200)),
    contents: contentsOf(groups, current),
    article: rendered.html.replace('</h1>', (end) => end + foldedOutline(rendered.headings)),
    neighbours: neighborsOf(order, current),
    outline: outlineOf(rendered.headings),
  }
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => parts[name] ?? '')
}

function contentsOf(groups: Group[], current: string): string {
  const link = ({ title, url }: Group['entries'][number]) =>
    `<li><a href="${url}"${url === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`
  return groups
    .map(
      ({ title, entries }) => `<h2>${escapeHtml(title)}</h2><ul>${entries.map(link).join('')}</ul>`,
    )
    .join('\n')
}

function neighborsOf(order: Group['entries'], current: string): string {
  const at = order.findIndex(({ url }) => url === current)
  const link = (entry: Group['entries'][number] | undefined, rel: 'prev' | 'next', word: string) =>
    entry
      ? `<a rel="${rel}" href="${entry.url}"><small>${word}</small>${escapeHtml(entry.title)}</a>`
      : '<span></span>'
  const before = at > 0 ? order[at - 1] : undefined
  const next = order[at + 1]
  if (!before && !next) return ''
  return `<nav class="neighbours" aria-label="Previous and next page">${link(before, 'prev', 'Previous')}${link(next, 'next', 'Next')}</nav>`
}

function outlineOf(headings: Heading[]): string {
  const items = outlineItems(headings)
  if (!items) return '<aside class="outline"></aside>'
  return `<aside class="outline"><nav aria-labelledby="on-this-page"><h2 id="on-this-page">On this page</h2>${items}</nav></aside>`
}

/** Narrow screens show this in place of the outline beside the page. */
function foldedOutline(headings: Heading[]): string {
  const items = outlineItems(headings)
  return items && `<details class="outline-fold"><summary>On this page</summary>${items}</details>`
}

function outlineItems(headings: Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  if (shown.length < 2) return ''
  const items = shown.map(
    ({ id, text, depth }) =>
      `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  )
  return `<ul>${items.join('')}</ul>`
}

function searchable({ url, title, rendered }: SitePage): Found[] {
  return rendered.sections.map(({ heading, id, text }) => ({
    url: id ? `${url}#${id}` : url,
    page: title,
    heading,
    text,
  }))
}
