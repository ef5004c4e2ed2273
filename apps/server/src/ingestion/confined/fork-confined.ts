import { type ChildProcess, fork } from 'node:child_process'
import { dirname, join } from 'node:path'

const HEAP_MB = 512
// The default is faster by a little, and lets garbage pile up: a long PDF then takes a hundred megabytes more.
const YOUNG_HEAP_MB = 8

/**
 * Starts a script in a process that may read the project's own code and packages, and else nothing: no other file, no
 * write, no process, no thread, no native module, no code made of strings, no variable of the environment.
 */
export function forkConfined(script: string, alsoReadable: string[] = []): ChildProcess {
  const readable = [...codeFolders(), ...alsoReadable]
  return fork(script, [], {
    serialization: 'advanced',
    // It leads a group of its own, by which the guard ends it when the server is gone.
    detached: true,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [
      `--max-old-space-size=${HEAP_MB}`,
      `--max-semi-space-size=${YOUNG_HEAP_MB}`,
      '--disallow-code-generation-from-strings',
      '--permission',
      ...readable.map((path) => `--allow-fs-read=${path}`),
    ],
  })
}

function codeFolders(): string[] {
  const source = dirname(import.meta.dirname)
  const folders = [join(source, '*'), join(dirname(source), 'package.json')]
  // What a failure says is made of these.
  for (const name of ['contract', 'languages'])
    folders.push(join(dirname(dirname(source)), name, '*'))
  // Packages lie in the folder of the server or, in a workspace, above it.
  for (let folder = dirname(source); folder !== dirname(folder); folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules', '*'))
  }
  return folders
}
