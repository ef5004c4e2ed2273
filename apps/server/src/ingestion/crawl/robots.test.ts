import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseRobots } from './robots.ts'

suite('robots.txt', () => {
  const rules = parseRobots(`
    User-agent: docent
    User-agent: friend
    Disallow: /a   # a comment
    Allow: /a/b
    Disallow: /*.pdf$
    Disallow:

    User-agent: *
    Disallow: /
    Sitemap: https://example.org/s.xml`)
  for (const [path, allowed] of [
    ['/', true],
    ['/a', false],
    ['/a/x', false],
    ['/a/b/c', true],
    ['/x.pdf', false],
    ['/x.pdf?y', true],
  ] as const) {
    test(`${path} is ${allowed ? 'allowed' : 'disallowed'}`, () =>
      assert.equal(rules.allows(path), allowed))
  }
  test('names sitemaps, and without a word allows everything', () => {
    assert.deepEqual(rules.sitemaps, ['https://example.org/s.xml'])
    assert.equal(parseRobots('<html>not robots</html>').allows('/x'), true)
    const endless = parseRobots(`User-agent: *\nDisallow: /${'*a'.repeat(500)}*b`)
    assert.equal(endless.allows(`/${'a'.repeat(5000)}`), true)
    assert.equal(
      parseRobots(`User-agent: *\nDisallow: /${'*a'.repeat(30)}`).allows(`/${'a'.repeat(200)}`),
      false,
    )
  })
})
