import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface Document {
  /** From the root of the project, such as docs/widget.md. */
  file: string
  /** Where the site has it, such as /guide/widget. */
  url: string
  markdown: string
  title: string
}

const ENTRY = 'docs/README.md'
export const DECISIONS = '/guide/decisions'

/** Every document of the site: what is in docs/, and what stands beside the README. */
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
  // What stands beside the README may have the name of a guide.
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
 * The contents are the lists of the entry page, heading by heading. A page that nobody has put there yet is found
 * under the last heading; decisions have a page that lists them.
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
