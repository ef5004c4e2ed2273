import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'

// Each folder may import itself and the folders below it, never one above.
const LAYERS = [
  'commands',
  'api|keeping',
  'answering|ingestion|webhooks',
  'search|models|jobs',
  'store',
  'database',
]
const SRC = join(import.meta.dirname, '../apps/server/src')
const CONTRACT = join(import.meta.dirname, '../../contract/src')

const files = globSync('**/*.ts', { cwd: SRC }).map((file) => ({
  file,
  source: readFileSync(join(SRC, file), 'utf8'),
}))

test('imports point downwards', () => {
  const upward: string[] = []
  for (const { file, source } of files.filter(({ file }) => file.includes('/'))) {
    for (const [, path] of source.matchAll(/from '(\.\.?\/[^']+)'/g)) {
      const target = relative(SRC, join(SRC, dirname(file), path!))
      if (layer(target) < layer(file)) upward.push(`${file} imports ${target}`)
    }
  }
  assert.deepEqual(upward, [])
})

test('the contract imports Zod and itself, so that every program can use it', () => {
  const foreign: string[] = []
  for (const file of globSync('**/*.ts', { cwd: CONTRACT })) {
    const source = readFileSync(join(CONTRACT, file), 'utf8')
    for (const [, path] of source.matchAll(/(?:\bfrom|\bimport) ?\(?'([^']+)'/g)) {
      const isOwn =
        path!.startsWith('.') &&
        !relative(CONTRACT, join(CONTRACT, dirname(file), path!)).startsWith('..')
      if (path !== 'zod' && !isOwn) foreign.push(`${file} imports ${path}`)
    }
  }
  assert.deepEqual(foreign, [])
})

test('one module connects to addresses that users name', () => {
  const connecting = files.filter(({ source }) =>
    /^import .*\b(request|get|connect|createConnection|lookup)\b.* from 'node:(http|https|http2|net|tls|dns|dns\/promises)'|(?<!#)\bfetch\(|\bWebSocket\(|'undici'|import\('node:(http|https|http2|net|tls)'/m.test(
      source,
    ),
  )
  // Providers and the server's own address are named by whoever runs it, never by a user.
  assert.deepEqual(connecting.map(({ file }) => file).sort(), [
    'commands/check-connection.ts',
    'ingestion/fetch-page.ts',
    'models/ask-compatible.ts',
    'models/check-provider.ts',
    'models/embedding/endpoint-embedder.ts',
  ])
})

test('the environment is read in one place', () => {
  const readers = files.filter(({ source }) => source.includes('process.env'))
  assert.deepEqual(
    readers.map(({ file }) => file),
    ['cli.ts'],
  )
})

test('importing a module does nothing: only the command line, the thread and the processes act on their own', () => {
  const acting = files.filter(({ source }) =>
    /^(try|await |process\.|port\.on|forbidNetwork\(\))/m.test(source),
  )
  assert.deepEqual(acting.map(({ file }) => file).sort(), [
    'cli.ts',
    'database/sqlite-thread.ts',
    'ingestion/document-process.ts',
    'models/inference-process.ts',
  ])
})

test('no file is longer than 400 lines', () => {
  const long = files.filter(({ source }) => source.split('\n').length > 400)
  assert.deepEqual(
    long.map(({ file }) => file),
    [],
  )
})

function layer(file: string): number {
  const folder = file.split('/')[0]!
  const index = LAYERS.findIndex((names) => names.split('|').includes(folder))
  return index < 0 ? LAYERS.length : index
}
