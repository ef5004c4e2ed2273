import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { HEAD, holds, replaceRows, toLine } from './rows.ts'

const run = (script: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, '..', script), ...args], {
    encoding: 'utf8',
  })

test('the benches say what they can do, and refuse what they can’t', () => {
  const help = run('run.ts', '--help')
  assert.equal(help.status, 0, help.stderr)
  assert.match(help.stdout, /npm run bench -- --full/)
  for (const wrong of ['--fast', 'nothing']) {
    const refused = run('run.ts', wrong)
    assert.equal(refused.status, 2)
    assert.match(refused.stderr, new RegExp(`There is no ${wrong}`))
  }
  assert.equal(run('day.ts', '--help').status, 0)
  assert.equal(run('day.ts', 'many').status, 2)
})

test('a figure that misses its bar is marked', () => {
  const row = { what: 'w', measured: 'm', against: 'a' }
  assert.equal(holds(row), undefined)
  assert.equal(holds({ ...row, value: 0.2, bar: { atLeast: 0.2 } }), true)
  assert.equal(holds({ ...row, value: 3.1, bar: { atMost: 3 } }), false)
  assert.match(toLine('idle', { ...row, value: 3.1, bar: { atMost: 3 } }), /3\.1 ✗ \| ≤ 3/)
  assert.doesNotMatch(toLine('idle', { ...row, value: 2.9, bar: { atMost: 3 } }), /✗/)
})

test('a run replaces the rows that it measured in the page, and keeps the others', () => {
  const page = (rows: string[]) =>
    `before\n<!-- table -->\n${[HEAD, ...rows].join('\n')}\n<!-- end -->\nafter\n`
  const old = page(['| http | a |', '| idle | b |', '| idle | c |'])
  const measured = new Map([['idle', ['| idle | new |']]])
  const areas = ['http', 'idle', 'search']
  assert.equal(replaceRows(old, areas, measured), page(['| http | a |', '| idle | new |']))
  assert.equal(replaceRows(old, areas, new Map()), old)
})
