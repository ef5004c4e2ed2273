import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { parseAst } from 'vite'

// The rules of ARCHITECTURE.md. The lists of exceptions only get shorter.

const ROOT = join(import.meta.dirname, '..')
const SERVER = 'apps/server/src'

/** A folder may import the folders of its own line and of the lines below it. */
const LAYERS = [
  ['commands'],
  ['features'],
  ['http', 'answering', 'ingestion', 'keeping'],
  ['search', 'models', 'jobs'],
  ['stores'],
  ['database'],
  ['sharing', 'runtime'],
]

const ROUTES_IN_USE = new Set([
  'apps/server/src/app.ts',
  'apps/server/src/commands/describe-api.ts',
])

const MOST_ENTRIES = 20
const MOST_LINES = 400
const FEWEST_LINES = 4
const LONGEST_EXPRESSION = 120
const MOST_BYTES = 1024 * 1024

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && statSync(join(ROOT, file), { throwIfNoEntry: false })?.isFile())
const isCode = (file: string) => /^(apps|packages)\//.test(file) && /\.tsx?$/.test(file)
const isTest = (file: string) => /\.test\.ts$/.test(file) || file.startsWith('apps/server/test/')
const code = tracked.filter(isCode)
const product = code.filter((file) => !isTest(file))
const sources = new Map(code.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]))

/** Includes imports of types. */
function importsOf(file: string): string[] {
  const text = sources.get(file)!
  const found = [
    ...text.matchAll(
      /^(?:import|export) (?:type )?(?:\w+, )?(?:\w+|\* as \w+|\*|\{[^}]*\}) from '([^']+)'/gm,
    ),
    ...text.matchAll(/\bimport\('([^']+)'\)/g),
  ]
  return found.map(([, specifier]) => specifier!)
}

/** For example `apps/server` or `packages/text`. */
function packageOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}

/** Undefined if the specifier names no file of this project. */
function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  const [, name, rest] = /^@docent\/([\w-]+)(?:\/(.*))?$/.exec(specifier) ?? []
  if (name === undefined) return undefined
  if (name === 'server') return `apps/server/${rest}`
  const isApp = ['console', 'widget', 'guide'].includes(name)
  return `${isApp ? 'apps' : 'packages'}/${name}/src/${rest ?? 'index.ts'}`
}

const edges = new Map(
  product.map((file) => [
    file,
    importsOf(file)
      .map((specifier) => targetOf(file, specifier))
      .filter((target) => target !== undefined),
  ]),
)

/** The index of a server file's layer. Undefined for the few files beside the folders. */
function layerOf(file: string): number | undefined {
  if (!file.startsWith(`${SERVER}/`)) return undefined
  const [folder = '', ...rest] = file.slice(SERVER.length + 1).split('/')
  if (rest.length === 0) return undefined
  const name = file.endsWith('.store.ts') ? 'stores' : folder
  const layer = LAYERS.findIndex((names) => names.includes(name))
  assert.notEqual(layer, -1, `${file} is in no layer`)
  return layer
}

test('imports of the server point downwards', () => {
  const upward: string[] = []
  for (const [file, targets] of edges) {
    const layer = layerOf(file)
    if (layer === undefined) continue
    for (const target of targets) {
      const below = layerOf(target)
      if (below !== undefined && below < layer) upward.push(`${file} imports ${target}`)
    }
  }
  assert.deepEqual(upward, [])
})

test('a route is imported by the app alone', () => {
  const imported = [...edges].flatMap(([file, targets]) =>
    targets.filter((target) => target.endsWith('.routes.ts')).map((target) => ({ file, target })),
  )
  assert.deepEqual(
    imported.filter(({ file }) => !ROUTES_IN_USE.has(file)),
    [],
  )
})

test('packages import no app, and files of another package by its name', () => {
  const wrong: string[] = []
  for (const file of code) {
    for (const specifier of importsOf(file)) {
      const target = targetOf(file, specifier)
      if (target === undefined) continue
      const [own, other] = [packageOf(file), packageOf(target)]
      if (own === other) continue
      if (specifier.startsWith('.')) wrong.push(`${file} imports ${specifier}`)
      if (own.startsWith('packages/') && other.startsWith('apps/'))
        wrong.push(`${file} imports ${target}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('no files import each other in a circle, types included', () => {
  assert.deepEqual(findCircles(), [])
})

test('a folder of code has at most 20 entries', () => {
  const entries = new Map<string, Set<string>>()
  for (const file of tracked.filter((name) =>
    /^(apps|packages|tests|bench|scripts)\//.test(name),
  )) {
    const parts = file.split('/')
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/')
      entries.set(folder, (entries.get(folder) ?? new Set()).add(parts[depth]!))
    }
  }
  const full = [...entries].filter(
    ([folder, names]) =>
      names.size > MOST_ENTRIES && !/(migrations|files|before-judge)$/.test(folder),
  )
  assert.deepEqual(
    full.map(([folder, names]) => `${folder}: ${names.size}`),
    [],
  )
})

test('one concept is a file: neither 400 lines nor three', () => {
  const wrong = [...sources].flatMap(([file, text]) => {
    const lines = text.trimEnd().split('\n').length
    return lines > MOST_LINES || lines < FEWEST_LINES ? [`${file}: ${lines}`] : []
  })
  assert.deepEqual(wrong, [])
})

test('no regular expression is longer than 120 characters', () => {
  const long: string[] = []
  for (const file of product.filter((name) => !name.includes('/before-judge/'))) {
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      const { regex } = node as { regex?: { pattern: string } }
      if (regex && regex.pattern.length > LONGEST_EXPRESSION) long.push(`${file}: ${regex.pattern}`)
      for (const inner of Object.values(node)) visit(inner)
    }
    visit(parseAst(sources.get(file)!, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  }
  assert.deepEqual(long, [])
})

test('the tuned numbers of the ranking stand in one file', () => {
  // A fraction other than a half is taken for a tuned number.
  const tuned = product
    .filter((file) => /^(apps\/server\/src\/(search|answering)|packages\/quote)\//.test(file))
    .filter((file) => !/\/before-judge\/|\/ranking\/weights\.ts$/.test(file))
    .flatMap((file) =>
      [...sources.get(file)!.matchAll(/^(?:export )?const .* = .*\b0?\.(?!5\b)\d+/gm)].map(
        ([line]) => `${file}: ${line}`,
      ),
    )
  assert.deepEqual(tuned, [])
})

test('only the weights of models are files over 1 MB', () => {
  const large = tracked.filter((file) => statSync(join(ROOT, file)).size > MOST_BYTES)
  assert.deepEqual(
    large.filter((file) => !/^models\/.*\.onnx$/.test(file)),
    [],
  )
})

test('one module connects to addresses that users name', () => {
  const connecting = product.filter(
    (file) =>
      file.startsWith(SERVER) &&
      /^import .*\b(request|get|connect|createConnection|lookup)\b.* from 'node:(http|https|http2|net|tls|dns|dns\/promises)'|(?<!#)\bfetch\(|\bWebSocket\(|'undici'|import\('node:(http|https|http2|net|tls)'/m.test(
        sources.get(file)!,
      ),
  )
  // The operator names providers and the server's own address. Users never do.
  assert.deepEqual(
    connecting.map((file) => file.slice(SERVER.length + 1)),
    [
      'commands/server/check-connection.ts',
      'ingestion/fetch/fetch-user-url.ts',
      'models/ask-compatible.ts',
      'models/check-provider.ts',
      'models/embedding/endpoint-embedder.ts',
    ],
  )
})

test('the environment is read in one place', () => {
  const readers = product.filter(
    (file) => file.startsWith(SERVER) && sources.get(file)!.includes('process.env'),
  )
  assert.deepEqual(readers, [`${SERVER}/cli.ts`])
})

test('importing a module does nothing: only the command line, the threads and the processes act on their own', () => {
  const acting = product.filter((file) =>
    /^(try|await |process\.|port\.on|forbidNetwork\(\))/m.test(sources.get(file)!),
  )
  assert.deepEqual(
    acting.filter((file) => file.startsWith(SERVER)).map((file) => basename(file)),
    ['cli.ts', 'sqlite-worker.ts', 'document-worker.ts', 'inference-worker.ts'],
  )
})

/** Finds groups of files in which each file reaches every other, by Tarjan's algorithm. */
function findCircles(): string[][] {
  const circles: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const visit = (file: string) => {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    stack.push(file)
    for (const target of edges.get(file) ?? []) {
      if (!edges.has(target)) continue
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) low.set(file, Math.min(low.get(file)!, low.get(target)!))
    }
    if (low.get(file) !== index.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) circles.push(group.sort())
  }
  for (const file of edges.keys()) if (!index.has(file)) visit(file)
  return circles.sort((a, b) => a[0]!.localeCompare(b[0]!))
}
