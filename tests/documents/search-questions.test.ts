import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { readSections } from '@docent/guide/render/write-guide.ts'
import { makeSearch } from '@docent/guide/src/rank-sections.ts'

/** While the pages of the new layout are being written, questions about missing pages are skipped. */
const ALL_PAGES_EXIST = true

const ROOT = join(import.meta.dirname, '../..')
/** Questions, and the pages that answer them. */
const LIST = join(import.meta.dirname, 'questions.json')
const questions = Object.entries<string>(JSON.parse(readFileSync(LIST, 'utf8')))

suite('the search of the guide', () => {
  const sections = readSections(ROOT)
  const search = makeSearch(sections)
  const pages = new Set(sections.map(({ url }) => url.split('#')[0]!))

  test('finds the page that answers a question of a newcomer first', (t) => {
    assert.ok(questions.length >= 40)
    const isThere = ([, page]: [string, string]) => pages.has(`/guide/${page}`)
    const missing = questions.filter((question) => !isThere(question))
    if (missing.length > 0) {
      const names = [...new Set(missing.map(([, page]) => page))].join(', ')
      t.diagnostic(
        `SKIPPED ${missing.length} OF ${questions.length} QUESTIONS. NOT WRITTEN: ${names}`,
      )
      assert.ok(!ALL_PAGES_EXIST, `not written: ${names}`)
    }
    const wrong = questions.filter(isThere).flatMap(([question, page]) => {
      const first = search(question)[0]?.section.url.split('#')[0]
      return first === `/guide/${page}` ? [] : [`"${question}": ${first} instead of ${page}`]
    })
    assert.deepEqual(wrong, [])
  })
})

const section = (url: string, page: string, heading: string, text: string) => ({
  url: `/guide/${url}`,
  page,
  heading,
  text,
})

suite('a search', () => {
  const search = makeSearch([
    section('people', 'Invite a colleague', 'Invite a colleague', 'Send a link by mail.'),
    section('people#remove', 'Invite a colleague', 'Remove one', 'Their password stops working.'),
    section('copies', 'Back up the server', 'Back up the server', 'Copy the folder elsewhere.'),
    section('other', 'Proxies', 'Proxies', 'A colleague may copy the folder of the backups.'),
    section('decisions/0001', 'Back up the server', 'Back up the server', 'Copy the folder.'),
  ])
  const first = (query: string) => search(query)[0]?.section.url

  for (const [query, page] of [
    ['colleague', 'people'],
    ['collea', 'people'],
    ['coleague', 'people'],
    ['colelague', 'people'],
    ['collaegues', 'people'],
    ['how do I invite somebody', 'people'],
    ['team member', 'people'],
    ['sign in', 'people#remove'],
    ['server', 'copies'],
    ['servre', 'copies'],
    ['folder backups', 'other'],
  ] as const) {
    test(`for "${query}" finds ${page}`, () => assert.equal(first(query), `/guide/${page}`))
  }

  test('allows one error in short words, two in long ones, and none in the shortest', () => {
    assert.equal(first('sevrr'), undefined)
    assert.equal(first('colleegeu'), '/guide/people')
    assert.equal(first('teh'), undefined)
  })

  test('shows the text around a word that it found', () => {
    assert.match(search('pasword')[0]!.excerpt, /password stops/)
  })

  test('finds nothing for unknown words, and minds no odd characters', () => {
    assert.deepEqual(search('xyzzy'), [])
    assert.deepEqual(search(' .*+?^$(){}[]\\ '), [])
    assert.deepEqual(search(''), [])
  })
})
