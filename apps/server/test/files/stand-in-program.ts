import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning } from '../child-processes.ts'
import { type Client, temporaryFolder, until } from '../harness.ts'

/** Makes a folder with a program that runs the shell script. The script may write files to `$FOLDER`. */
export function standIn(t: Parameters<typeof temporaryFolder>[0], name: string, script: string) {
  const folder = temporaryFolder(t)
  const file = join(folder, name)
  writeFileSync(file, `#!/bin/sh\n${script.replaceAll('$FOLDER', folder)}\n`)
  chmodSync(file, 0o755)
  return { folder }
}

/** Deleting a source ends the program that works on it. The program writes its process id to a file `running`. */
export async function assertEndsWithSource(owner: Client, source: string, folder: string) {
  const file = join(folder, 'running')
  await until(() => (existsSync(file) ? true : undefined))
  const pid = Number(readFileSync(file, 'utf8'))
  assert.ok(isRunning(pid))
  await owner.json('POST', `/data-source/${source}/delete`)
  await until(() => (isRunning(pid) ? undefined : true))
}
