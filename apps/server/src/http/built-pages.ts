import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

export interface BuiltFile {
  content: Buffer
  type: string
  etag: string
  zipped?: Promise<Buffer>
}

/**
 * Reads all files of these folders by path. They take about four megabytes and stay in memory. An upgrade replaces them
 * on disk while the server runs, and pages of the new version do not fit the old server.
 */
export async function readBuiltPages(folders: readonly string[]): Promise<Map<string, BuiltFile>> {
  const files = new Map<string, BuiltFile>()
  for (const path of (await Promise.all(folders.map(listFiles))).flat()) {
    const type = TYPES[extname(path)]
    if (type === undefined) continue
    const content = await readFile(path)
    files.set(path, { content, type, etag: `"${hash('sha256', content).slice(0, 20)}"` })
  }
  return files
}

/** Returns nothing if the folder was not built. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}
