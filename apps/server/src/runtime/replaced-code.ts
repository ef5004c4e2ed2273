import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCE = import.meta.dirname
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
  const names = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  const changes = [...names, '../package.json'].map((name) => {
    const found = statSync(join(SOURCE, name), { throwIfNoEntry: false })
    return found?.isFile() ? Math.max(found.mtimeMs, found.ctimeMs) : 0
  })
  return `${names.length} ${Math.max(...changes)}`
}
