import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
/** Every test file without its ending. */
const TESTS = globSync('{apps,packages,tests}/**/*.test.ts', {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
}).map((file) => file.replace(/(\.stores|\.browser|\.pages)?\.test\.ts$/, ''))
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** The names in the last column of the tables, and in parentheses after a promise. */
function namedTests(): string[] {
  const promised = page.slice(page.indexOf('## What is promised'), page.indexOf('## What is not'))
  const columns = [...promised.matchAll(/\| ([^|]*) \|$/gm)].map(([, last]) => last!)
  const brackets = [...promised.matchAll(/\(([^()]*`[^()]*)\)/g)].map(([, inside]) => inside!)
  return [...columns, ...brackets].flatMap((text) => text.match(/(?<=`)[^`,]+(?=`)/g) ?? [])
}

test('every promise of docs/security.md names a test or a command that is there', () => {
  const names = new Set(namedTests())
  assert.ok(names.size > 25)
  for (const name of names) {
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
