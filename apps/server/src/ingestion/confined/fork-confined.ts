import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { packageFolder } from '../../runtime/package-folder.ts'

const HEAP_MB = 512
const PACKAGES = ['contract', 'extract', 'text', 'words'] as const
// The default is slightly faster but lets garbage pile up: a long PDF then takes a hundred megabytes more.
const YOUNG_HEAP_MB = 8
let readable: string[] | undefined

/**
 * Starts a script in a process that may read the server's code and the packages that read documents, and nothing else.
 * It has no other files, no writes, no child processes, no threads, no native modules, no `eval` and no environment.
 */
export function forkConfined(script: string, alsoReadable: string[] = []): ChildProcess {
  readable ??= listReadable()
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
      ...[...readable, ...alsoReadable].map((path) => `--allow-fs-read=${path}`),
    ],
  })
}

/**
 * The code that reads documents and the packages that it imports. Never the root, which may contain the data folder.
 * Never a whole `node_modules` either: it has links, and `..` behind a link leads to the root.
 */
function listReadable(): string[] {
  const server = join(import.meta.dirname, '../../..')
  const paths = new Set([join(server, 'src', '*'), join(server, 'package.json')])
  const add = (manifest: string | undefined) => {
    if (manifest === undefined || paths.has(dirname(manifest))) return
    // A linked package is found through its link and read at its real path.
    const folder = realpathSync(dirname(manifest))
    paths.add(dirname(manifest)).add(folder)
    const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'))
    for (const name of Object.keys(dependencies)) add(findPackage(name, folder))
  }
  for (const name of PACKAGES) {
    add(join(packageFolder(name), 'package.json'))
    add(findPackage(`@docent/${name}`, server))
  }
  add(findPackage('gpt-tokenizer', server))
  return [...paths]
}

function findPackage(name: string, importer: string): string | undefined {
  try {
    return findPackageJSON(name, pathToFileURL(join(importer, 'package.json')))
  } catch {
    // A release names its own packages by their paths only.
    return undefined
  }
}
