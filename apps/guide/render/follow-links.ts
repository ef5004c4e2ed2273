import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { DECISIONS, type Document } from './site-pages.ts'

/**
 * Resolves a document's link to a URL of the site. Undefined for files that the site does not have, such as source
 * code. Such a link becomes plain text.
 */
export function followLink(
  root: string,
  documents: Document[],
  from: string,
  link: string,
): string | undefined {
  if (/^(https?:|mailto:|#)/.test(link)) return link
  const [path = '', fragment] = link.split('#')
  const file = join(dirname(from), path)
  const anchor = fragment === undefined ? '' : `#${fragment}`
  const document = documents.find((one) => one.file === file)
  if (document) return document.url + anchor
  if (file === 'README.md') return '/guide'
  if (file === 'docs/openapi.json') return '/docs'
  if (/^docs\/decisions\/?$/.test(file)) return DECISIONS
  if (file.startsWith('docs/images/')) return `/guide${file.slice('docs'.length)}`
  if (!existsSync(join(root, file)))
    throw new Error(`${from} links to ${link}, which is not there.`)
  return undefined
}
