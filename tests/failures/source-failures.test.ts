import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { failureOf } from '@docent/console/sources/source-failure.ts'
import { FAILURES, type FailureCode } from '@docent/contract/failures/failure-codes.ts'
import { failureFields } from '@docent/extract/failure-in-english.ts'
import { loadWords } from '@docent/words/load-words.ts'
import { LANGUAGES, type Language } from '@docent/words/words.ts'

const ALL = Object.keys(LANGUAGES) as Language[]
const CODES = Object.keys(FAILURES) as FailureCode[]
const SAMPLES = { text: 'x.example', number: 404, amount: 1200, failure: { code: 'no_text' } }

/** A failure of each code, with a value for every parameter. */
function sampleOf(code: FailureCode) {
  const kinds = Object.entries(FAILURES[code] as Record<string, keyof typeof SAMPLES>)
  return { code, params: Object.fromEntries(kinds.map(([name, kind]) => [name, SAMPLES[kind]])) }
}

const placesIn = (sentence: string) =>
  [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

suite('why a source failed', () => {
  test('has a sentence in every language for each code, with exactly its parameters', async () => {
    for (const language of ALL) {
      const { failures } = await loadWords(language)
      const { tried: _, again_later: __, again_seconds: ___, ...sentences } = failures
      assert.deepEqual(Object.keys(sentences).sort(), CODES.toSorted())
      for (const code of CODES)
        assert.deepEqual(placesIn(sentences[code]), Object.keys(FAILURES[code]).sort(), code)
    }
  })

  test('is said from its code in every language, with what is known of other attempts', async () => {
    for (const language of ALL) {
      const speech = { language, words: await loadWords(language) }
      for (const sample of CODES.map(sampleOf)) {
        const alone = failureOf(failureFields(sample), speech)
        assert.doesNotMatch(alone, /[{}]|undefined|object/)
        if (language !== 'en') assert.notEqual(alone, failureFields(sample).error)
        const params = { ...sample.params, tried: 3, again_later: true as const }
        const told = failureOf(failureFields({ code: sample.code, params }), speech)
        assert.ok(told.startsWith(`${alone} `) && told.includes('3'), told)
      }
    }
  })

  test('has sizes in megabytes, waits in the words of the language, and the first of many', async () => {
    const speech = { language: 'de', words: await loadWords('de') } as const
    const say = (code: string, params: Record<string, unknown>) =>
      failureOf({ error: '', error_code: code, error_params: params }, speech)
    assert.equal(say('page_too_large', { megabytes: 1024 }), 'Die Seite ist größer als 1.024 MB.')
    assert.equal(
      say('asked_too_often', { tried: 2, again_seconds: 5400 }),
      'Die Website begrenzt, wie oft sie abgerufen werden darf (429). Docent hat es 2-mal versucht. Die Website bittet um den nächsten Versuch in 90 Minuten.',
    )
    assert.equal(
      say('no_page_read', { first: { code: 'site_trouble', params: { status: 503 } } }),
      'Keine Seite konnte gelesen werden. Der erste Fehler: Auf der Website ist ein Serverfehler aufgetreten (503).',
    )
  })

  test('is shown as the server says it where the code is unknown, missing or without its parameters', async () => {
    const speech = { language: 'de', words: await loadWords('de') } as const
    const error = 'It is as it is.'
    const nested = { first: { code: 'no_page_read', params: { first: { code: 'no_text' } } } }
    for (const stored of [
      { error },
      { error, error_code: 'of_a_newer_version', error_params: {} },
      { error, error_code: 'no_such_page' },
      { error, error_code: 'no_such_page', error_params: { status: {} } },
      { error, error_code: 'no_page_read', error_params: nested },
      { error, error_code: 'toString' },
    ])
      assert.equal(failureOf(stored, speech), error)
  })

  test('is found by no page in a sentence: what says it has no regular expression', () => {
    for (const path of [
      'apps/console/src/sources/source-failure.ts',
      'packages/words/src/say-failure.ts',
    ]) {
      const code = readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
      assert.doesNotMatch(code, /RegExp|\.test\(|\.match|\.exec\(|[=(,[]\s*\/[^/*\s]/, path)
    }
  })
})
