import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { startTestServer } from '@docent/server/test/harness.ts'

/** While the pages of the new layout are being written, old pages and new ones may both be there or not. */
const ALL_PAGES_EXIST = true

const LIST = join(import.meta.dirname, '../../apps/guide/moved-pages.json')
const moved = Object.entries<string>(JSON.parse(readFileSync(LIST, 'utf8')))

suite('the earlier addresses of the guide', async () => {
  const { address } = await startTestServer({ after })
  const open = (path: string, method = 'GET') =>
    fetch(address + path, { method, redirect: 'manual' })

  test('lead to the pages that replaced theirs, for GET and HEAD', async (t) => {
    let skipped = 0
    for (const [from, to] of moved) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await open(from, method)
        if (status === 200 && !ALL_PAGES_EXIST) {
          skipped += 1
          continue
        }
        assert.equal(status, 301, `${method} ${from}: remove it from the list if it is a page`)
        assert.equal(headers.get('location'), to)
      }
      const target = await open(to)
      if (target.status === 404 && !ALL_PAGES_EXIST) skipped += 1
      else assert.equal(target.status, 200, `${from} leads to ${to}`)
    }
    if (skipped > 0)
      t.diagnostic(`SKIPPED ${skipped} PAGES THAT ARE STILL THERE OR NOT YET WRITTEN`)
  })

  test('keep no page from being shown, and invent none', async () => {
    assert.equal((await open('/guide')).status, 200)
    assert.equal((await open('/guide/decisions/9999-nothing')).status, 404)
    assert.equal((await open('/guide/moved-pages.json')).status, 404)
    assert.equal((await open('/guide/constructor')).status, 404)
  })
})
