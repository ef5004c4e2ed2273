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

/**
 * The contents follow the lists of the entry page. Unlisted pages go under the last heading. Decisions have a page that
 * lists them.
 */
export function readContents(documents: Document[], follow: (link: string) => string): Group[] {
  const entry = documents.find(({ file }) => file === ENTRY)?.markdown ?? ''
  const groups: Group[] = []
  for (const line of entry.split('\n')) {
    const heading = /^## (.+)$/.exec(line)?.[1]
    if (heading) groups.push({ title: heading, entries: [] })
    const [, title, link] = /^- \[([^\]]+)\]\(([^)]+)\)/.exec(line) ?? []
    if (title && link) groups.at(-1)?.entries.push({ title, url: follow(link) })
  }
  const listed = new Set(groups.flatMap(({ entries }) => entries.map(({ url }) => url)))
  const others = documents.filter(
    ({ file, url }) => file !== ENTRY && !url.startsWith(`${DECISIONS}/`) && !listed.has(url),
  )
  groups.at(-1)?.entries.push(...others.map(({ title, url }) => ({ title, url })))
  return groups
}
