import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './harness.ts'

/** A folder with a program of this name that does what the shell script says, which may leave things in `$FOLDER`. */
export function standIn(t: Parameters<typeof temporaryFolder>[0], name: string, script: string) {
  const folder = temporaryFolder(t)
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script.replaceAll('$FOLDER', folder)}\n`)
  chmodSync(file, 0o755)
  return { folder }
}
