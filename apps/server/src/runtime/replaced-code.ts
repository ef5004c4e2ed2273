import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from './package-folder.ts'

const SERVER = join(import.meta.dirname, '../..')
const PACKAGES = ['contract', 'extract', 'quote', 'text', 'words'] as const
const FOLDERS = [SERVER, ...PACKAGES.map((name) => packageFolder(name))]
const atStart = newest()

/** Code that is loaded or started now would have another version than the running code. */
export class ReplacedCode extends Error {
  constructor() {
    super(
      'The files of Docent were replaced while the server runs. Restart the server to finish the upgrade',
    )
    this.name = 'ReplacedCode'
  }
}

/** Throws if the server's files changed since the start. */
export function refuseReplacedCode(): void {
  if (newest() !== atStart) throw new ReplacedCode()
}

/** A fingerprint of the files: their number and the latest change. It takes a few milliseconds. */
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
