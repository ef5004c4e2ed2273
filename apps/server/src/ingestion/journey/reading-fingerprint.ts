import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../../runtime/package-folder.ts'
import type { Services } from '../../services.ts'

const MANIFEST = join(import.meta.dirname, '../../../package.json')
const FOLDERS = [
  join(import.meta.dirname, '..'),
  join(packageFolder('extract'), 'src'),
  join(packageFolder('text'), 'src'),
]

/**
 * Returns a digest that changes whenever a page may be read differently: by other code or with other programs. It
 * hashes the code itself, because a version number is easily forgotten.
 */
export function readingFingerprint(services: Pick<Services, 'programs' | 'renderer'>): string {
  const { programs, renderer } = services
  const { soffice, tesseract } = programs.found
  const beside = [soffice, tesseract, programs.ocrLanguages, renderer && 'renders']
  const digest = createHash('sha256').update(JSON.stringify(beside))
  for (const path of [MANIFEST, ...FOLDERS.flatMap(filesOf)]) digest.update(readFileSync(path))
  return digest.digest('hex')
}

function filesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
  return files.map(({ parentPath, name }) => join(parentPath, name)).sort()
}
