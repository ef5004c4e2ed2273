import { type ChildProcess, fork } from 'node:child_process'
import { dirname, join } from 'node:path'
import { packageFolder } from '../../runtime/package-folder.ts'

const HEAP_MB = 512
const PACKAGES = ['contract', 'extract', 'text', 'words'] as const
// The default is slightly faster but lets garbage pile up: a long PDF then takes a hundred megabytes more.
const YOUNG_HEAP_MB = 8

/**
 * Starts a script in a process that may read the project's own code and packages, and nothing else. It has no other
 * files, no writes, no child processes, no threads, no native modules, no `eval` and no environment.
 */
export function forkConfined(script: string, alsoReadable: string[] = []): ChildProcess {
  const readable = [...codeFolders(), ...alsoReadable]
  return fork(script, [], {
    serialization: 'advanced',
    // A process group of its own, so that the guard can kill it when the server is gone.
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

/** The server's code, its packages and installed modules. Never the root, which may contain the data folder. */
function codeFolders(): string[] {
  const server = join(import.meta.dirname, '../../..')
  const folders = [join(server, 'src', '*'), join(server, 'package.json')]
  for (let folder = server; folder !== dirname(folder); folder = dirname(folder)) {
    folders.push(join(folder, 'node_modules', '*'))
  }
  // A package that is linked into `node_modules` is read at its real path.
  for (const name of PACKAGES) folders.push(join(packageFolder(name), '*'))
  return folders
}
