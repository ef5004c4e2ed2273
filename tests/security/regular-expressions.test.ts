import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseAst } from 'vite'
import { growsTooFast } from './growth.ts'

// Looks for input on which a regular expression takes more than linear time: repeats matching texts and parts of them,
// then ends with text that does not match.

const ROOT = join(import.meta.dirname, '../..')
const LENGTH = 6_000
const MOST_PUMPS = 60

/** Expressions that never get long input. */
const SHORT_INPUT = new Map([
  ['apps/server/src/commands/server/check-connection.ts', 'what is typed at the command line'],
  ['apps/server/src/commands/remote/login.ts', 'what is typed at the command line'],
  ['packages/extract/src/detect/detect-kind.ts', 'the first 4,096 characters'],
  ['packages/extract/src/pdf/paragraphs.ts', 'the end of a line, a word long'],
  ['packages/extract/src/tables/table-text.ts', 'cells of at most 100 characters'],
  ['packages/extract/src/tables/xlsx-values.ts', 'formats of at most 255 characters'],
  [
    'apps/server/src/ingestion/confined/table-of-contents.ts',
    'lines of at most 300 characters, and their ends',
  ],
  ['apps/server/src/ingestion/fetch/public-addresses.ts', 'what the operator set'],
  ['apps/server/src/models/check-provider.ts', 'what the operator set'],
  ['apps/server/src/models/connect-providers.ts', 'what the operator set'],
  ['apps/server/src/models/provider-settings.ts', 'what the operator set'],
])

const COMMON = [
  ' ',
  '\n',
  'a',
  'A',
  'Ab ',
  '0',
  '.',
  '[',
  '](',
  '<',
  '<!--',
  '\\',
  '/',
  ',',
  '- ',
  '? ',
  '. ',
  ', ',
  '; ',
  '=?',
  '![',
  '|',
]

interface Found {
  file: string
  expression: RegExp
}

const FILES = globSync('{apps/{server,widget,console},packages/*}/src/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['**/*.test.ts', 'packages/client/**'],
})

/** Finds regular expression literals. */
function findExpressions(): Found[] {
  const found: Found[] = []
  for (const file of FILES) {
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return
      const { regex } = node as { regex?: { pattern: string; flags: string } }
      if (regex) found.push({ file, expression: new RegExp(regex.pattern, regex.flags) })
      for (const inner of Object.values(node)) visit(inner)
    }
    visit(
      parseAst(readFileSync(join(ROOT, file), 'utf8'), { lang: file.endsWith('x') ? 'tsx' : 'ts' }),
    )
  }
  return found
}

/** Files that build expressions at run time, only from a path or a delimiter. */
const BUILT_LATER = [
  'apps/server/src/http/guards/known-paths.ts',
  'packages/extract/src/tables/csv.ts',
]

/** Finds the expressions that files build when they are loaded. */
async function loadExpressions(): Promise<Found[]> {
  const Original = globalThis.RegExp
  const found: Found[] = []
  for (const file of FILES) {
    if (!readFileSync(join(ROOT, file), 'utf8').includes('new RegExp(')) continue
    globalThis.RegExp = new Proxy(Original, {
      construct(target, [pattern, flags]) {
        const expression = new target(pattern, flags)
        // Skip the expressions of imported files.
        if (new Error().stack?.includes(file)) found.push({ file, expression })
        return expression
      },
    })
    try {
      await import(join(ROOT, file))
    } finally {
      globalThis.RegExp = Original
    }
    const isThere = found.some((one) => one.file === file)
    assert.equal(isThere, !BUILT_LATER.includes(file), `${file} builds when it is loaded`)
  }
  return found
}

/** Returns texts to repeat, and texts to start with. */
function attacksOn({ source, flags }: RegExp): { pumps: Set<string>; starts: Set<string> } {
  const pumps = new Set(COMMON)
  const starts = new Set([''])
  // If fast-check does not support an expression, only the common texts attack it.
  const matching = () => fc.stringMatching(new RegExp(source, flags.replaceAll(/[giy]/g, '')))
  try {
    for (const text of fc.sample(matching(), { numRuns: 4, seed: 1 })) {
      const characters = [...text].slice(0, 12)
      for (const length of [1, 2, 3, characters.length - 1, characters.length]) {
        const part = characters.slice(0, Math.max(0, length)).join('')
        if (part !== '') pumps.add(part)
        if (starts.size < 2) starts.add(part)
      }
    }
  } catch {}
  // Repeat the words of a group that may repeat.
  if (/\)[*+{]/.test(source)) {
    for (const [word] of source.matchAll(/(?<![\\\p{L}])\p{L}{2,}/gu)) {
      if (pumps.size < MOST_PUMPS) pumps.add(`${word} `)
    }
  }
  return { pumps, starts }
}

function findAttack(expression: RegExp): string | undefined {
  const { pumps, starts } = attacksOn(expression)
  for (const pump of pumps) {
    for (const start of starts) {
      for (const end of ['', '\u0001']) {
        const run = (length: number) => {
          const text = start + pump.repeat(Math.ceil(length / pump.length)) + end
          expression.lastIndex = 0
          if (expression.global) for (const _ of text.matchAll(expression));
          else expression.test(text)
        }
        if (growsTooFast(LENGTH, run)) return JSON.stringify({ start, pump, end })
      }
    }
  }
  return undefined
}

test('no regular expression that meets a stranger’s text takes more than linear time', async () => {
  const written = findExpressions()
  assert.ok(written.length > 300, 'the expressions are found')
  const found = [...(await loadExpressions()), ...written]
  const steep = found
    .filter(({ file }) => !SHORT_INPUT.has(file))
    .flatMap(({ file, expression }) => {
      const attack = findAttack(expression)
      return attack ? [`${file}: ${expression} by ${attack}`] : []
    })
  assert.deepEqual(steep, [])
})

test('the search for such input finds some where there is some', () => {
  for (const expression of [
    /\s+$/,
    /^\s*(\d*\.?\d*)\s*;/,
    /<!--.*?-->/s,
    /^(?:ciao|bye|bye bye)(?: (?:bye|bye bye))*$/,
  ]) {
    assert.ok(findAttack(expression), String(expression))
  }
})
