import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')
export const DOCUMENTS = [
  'README.md',
  ...globSync('docs/**/*.md', { cwd: ROOT, exclude: ['docs/decisions/**'] }).sort(),
]

export interface Block {
  kind: string
  content: string
}

/** The fenced blocks of a document that name a language. */
export function blocksOf(file: string): Block[] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  return [...text.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, kind, content]) => ({
    kind: kind!,
    content: content!.trim(),
  }))
}
