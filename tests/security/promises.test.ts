import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'docs/explanation/security.md'), 'utf8')
/** Every test file without its ending. */
const TESTS = globSync('{apps,packages,tests}/**/*.test.ts', {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
}).map((file) => file.replace(/(\.stores|\.browser|\.pages)?\.test\.ts$/, ''))
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The rows of the table of promises. */
const PROMISES = page
  .slice(page.indexOf('## What Docent promises'), page.indexOf('## How secrets are stored'))
  .split('\n')
  .filter((line) => /^\| (?!Area)/.test(line))

/** The names in the last column. */
function namedTests(row: string): string[] {
  const column = /\| ([^|]*) \|$/.exec(row)?.[1] ?? ''
  return column.match(/(?<=`)[^`,]+(?=`)/g) ?? []
}

test('every promise of docs/explanation/security.md names a test or a command that is there', () => {
  assert.ok(PROMISES.length > 40)
  for (const row of PROMISES) assert.ok(namedTests(row).length > 0, row)
  for (const name of new Set(PROMISES.flatMap(namedTests))) {
    const command = /^npm run ([\w:]+)$/.exec(name)?.[1]
    const isThere = command
      ? scripts[command] !== undefined
      : TESTS.some((test) => `/${test}`.endsWith(`/${name}`))
    assert.ok(isThere, name)
  }
})

test('every attack by name belongs to a promise', () => {
  for (const test of TESTS.filter((name) => name.startsWith('tests/security/'))) {
    const name = test.replace('tests/', '')
    assert.ok(name === 'security/promises' || page.includes(`\`${name}\``), name)
  }
})
