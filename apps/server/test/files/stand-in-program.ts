import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from '../child-processes.ts'
import { type Client, temporaryFolder, until } from '../harness.ts'

/** A folder with a program of this name that does what the shell script says, which may leave things in `$FOLDER`. */
export function standIn(t: Parameters<typeof temporaryFolder>[0], name: string, script: string) {
  const folder = temporaryFolder(t)
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script.replaceAll('$FOLDER', folder)}\n`)
  chmodSync(file, 0o755)
  return { folder }
}

/** The program has written its id to a file `running`; it is gone when the source is deleted that it works for. */
export async function assertEndsWithSource(owner: Client, source: string, folder: string) {
  const file = join(folder, 'running')
  await until(() => (existsSync(file) ? true : undefined))
  const pid = Number(readFileSync(file, 'utf8'))
  assert.ok(isRunning(pid))
  await owner.json('POST', `/data-source/${source}/delete`)
  await until(() => (isRunning(pid) ? undefined : true))
}
