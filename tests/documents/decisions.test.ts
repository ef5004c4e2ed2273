import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'

const FOLDER = join(import.meta.dirname, '../../docs/decisions')
const HEADINGS = ['## Context', '## Decision', '## Consequences']
const MOST_LINES = 60

for (const file of globSync('*.md', { cwd: FOLDER }).sort()) {
  test(`${file} has the form of a decision, on one page`, () => {
    const lines = readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n')
    const number = basename(file).slice(0, 4)
    assert.match(lines[0]!, new RegExp(`^# ${number} \\S`))
    assert.match(lines[2]!, /^\*\*Status:\*\* (accepted|superseded by \[\d{4}\])/)
    assert.deepEqual(
      lines.filter((line) => line.startsWith('## ')),
      HEADINGS,
    )
    assert.ok(lines.length <= MOST_LINES, `${lines.length} lines`)
  })
}
