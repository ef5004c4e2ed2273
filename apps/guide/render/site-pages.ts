import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface Document {
  /** Relative to the project's root, such as docs/widget.md. */
  file: string
  /** The path on the site, such as /guide/widget. */
  url: string
  markdown: string
  title: string
}

const ENTRY = 'docs/README.md'
export const DECISIONS = '/guide/decisions'

/** Reads all documents: docs/ and the Markdown files next to the README. */
export function readDocuments(root: string): Document[] {
  const beside = globSync('*.md', { cwd: root }).filter((file) => file !== 'README.md')
  const files = [...globSync('docs/**/*.md', { cwd: root }), ...beside].sort()
  return files.map((file) => {
    const markdown = readFileSync(join(root, file), 'utf8')
    return { file, url: urlOf(file), markdown, title: titleOf(markdown) ?? basename(file, '.md') }
  })
}

function urlOf(file: string): string {
  if (file === ENTRY) return '/guide'
  // A file next to the README may have the same name as a guide.
  const path = file.startsWith('docs/') ? file.slice('docs/'.length) : `project/${file}`
  return `/guide/${path.replace(/\.md$/, '')}`.toLowerCase()
}

function titleOf(markdown: string): string | undefined {
  return /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll(/[`*]/g, '')
}

export interface Group {
  title: string
  entries: { title: string; url: string }[]
}

const GROUPS: [title: string, urls: RegExp][] = [
  ['Tutorials', /^\/guide\/tutorials\//],
  ['How-to guides', /^\/guide\/how-to\//],
  ['Reference', /^\/guide\/reference\/|^\/docs$/],
  ['Explanation', /^\/guide\/explanation\//],
  ['More', /^/],
]

/**
 * Groups the pages by their folder. Within a group, they follow the links of the entry page. Unlisted pages come last.
 * Decisions have a page that lists them.
 */
export function readContents(documents: Document[], follow: (link: string) => string): Group[] {
  const entry = documents.find(({ file }) => file === ENTRY)?.markdown ?? ''
  const titles = new Map(documents.map(({ url, title }) => [url, title]))
  const listed = new Map<string, string>()
  for (const [, title, link] of entry.matchAll(/(?<!!)\[([^\]]+)\]\(([^)]+)\)/g)) {
    const url = follow(link!).split('#')[0]!
    if (url.startsWith('/') && !listed.has(url)) listed.set(url, titles.get(url) ?? title!)
  }
  for (const { url, title } of documents) {
    const isListed = listed.has(url) || url.startsWith(`${DECISIONS}/`)
    if (!isListed) listed.set(url, title)
  }
  listed.delete('/guide')
  const entries = [...listed].map(([url, title]) => ({ url, title }))
  const byGroup = Map.groupBy(entries, ({ url }) => GROUPS.find(([, urls]) => urls.test(url))![0])
  return GROUPS.flatMap(([title]) => {
    const entries = byGroup.get(title)
    return entries ? [{ title, entries }] : []
  })
}
