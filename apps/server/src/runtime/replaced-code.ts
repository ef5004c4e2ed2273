import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from './package-folder.ts'

const SERVER = join(import.meta.dirname, '../..')
const PACKAGES = ['contract', 'extract', 'quote', 'text', 'words'] as const
const FOLDERS = [SERVER, ...PACKAGES.map((name) => packageFolder(name))]
const atStart = newest()

/** What is loaded or started from now on would be of another version than what runs. */
export class ReplacedCode extends Error {
  constructor() {
    super('Docent was replaced on disk while it runs. Restart the server to finish the upgrade')
    this.name = 'ReplacedCode'
  }
}

/** Throws when the files of the server are not those any more that it was started from. */
export function refuseReplacedCode(): void {
  if (newest() !== atStart) throw new ReplacedCode()
}

/** Files are written, moved or removed by an upgrade: their number and the last change tell, in a few milliseconds. */
function newest(): string {
  let count = 0
  let last = 0
  for (const folder of FOLDERS) {
    const source = join(folder, 'src')
    const names = readdirSync(source, { recursive: true, encoding: 'utf8' })
    for (const file of [...names.map((name) => join(source, name)), join(folder, 'package.json')]) {
      const found = statSync(file, { throwIfNoEntry: false })
      count += 1
      if (found?.isFile()) last = Math.max(last, found.mtimeMs, found.ctimeMs)
    }
  }
  return `${count} ${last}`
}
