import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { ApiError } from '@docent/client/http/errors.ts'
import { reasonInChat, reasonOf, reasonOfStored } from '@docent/console/shell/explain-error.ts'
import {
  ERROR_PARAMS,
  type ErrorCode,
  FIELD_PROBLEMS,
  STATUS,
} from '@docent/contract/failures/error-codes.ts'
import { loadWords } from '@docent/words/load-words.ts'
import { LANGUAGES, type Language } from '@docent/words/words.ts'

const ROOT = join(import.meta.dirname, '../..')
const ALL = Object.keys(LANGUAGES) as Language[]
const SENTENCE = 'As the server says it.'

const speechOf = async (language: Language) => ({ language, words: await loadWords(language) })

function refused(code: string, params = {}, more: { status?: number; details?: unknown } = {}) {
  const { status = STATUS[code as ErrorCode] ?? 400, details } = more
  return new ApiError({ status, code, params, details, message: SENTENCE, requestId: '' })
}

const placesIn = (sentence: string) =>
  [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

suite('why something was refused', () => {
  test('has sentences with exactly the parameters of their codes, in every language', async () => {
    for (const language of ALL) {
      const { reasons } = await loadWords(language)
      const told = {
        fileTooLarge: ERROR_PARAMS.file_too_large,
        tooShort: FIELD_PROBLEMS.too_short,
        tooLong: FIELD_PROBLEMS.too_long,
        tooMany: FIELD_PROBLEMS.too_many,
      }
      for (const [reason, params] of Object.entries(told))
        assert.deepEqual(placesIn(reasons[reason as keyof typeof told]), Object.keys(params))
    }
  })

  test('is said from its code, with nothing left open, whatever the sentence is', async () => {
    for (const language of ALL) {
      const speech = await speechOf(language)
      for (const code of Object.keys(STATUS)) {
        const said = reasonOf(refused(code, { megabytes: 50 }), speech)
        assert.doesNotMatch(said, /[{}]|undefined/, `${code} in ${language}`)
      }
      const { reasons } = speech.words
      assert.equal(reasonOf(refused('wrong_password'), speech), reasons.wrongPassword)
      assert.equal(reasonOf(refused('disk_full'), speech), reasons.diskFull)
      assert.ok(reasonOf(refused('file_too_large', { megabytes: 50 }), speech).includes('50'))
    }
  })

  test('is in the owner’s or the server’s words where there are no others', async () => {
    const speech = await speechOf('de')
    const { reasons } = speech.words
    const say = (code: string, params = {}) => reasonOf(refused(code, params), speech)
    assert.equal(say('rate_limited'), reasons.rateLimited)
    assert.equal(say('rate_limited', { wording: 'default' }), reasons.tooManyMessages)
    assert.equal(say('model_failed'), reasons.modelFailed)
    for (const own of [
      say('rate_limited', { wording: 'own' }),
      say('model_failed', { reason: 'key', provider: 'x', model: 'y' }),
      say('storage_failed', { fault: 'read-only' }),
      say('file_too_large'),
      say('of_a_newer_version'),
      say('toString'),
    ])
      assert.equal(own, SENTENCE)
    assert.equal(reasonOf(refused('', {}, { status: 503 }), speech), reasons.unavailable)
  })

  test('is said of each field by its type', async () => {
    const speech = await speechOf('de')
    const say = (type: string, params?: object) =>
      reasonOf(
        refused('invalid', {}, { details: [{ loc: ['body'], msg: SENTENCE, type, params }] }),
        speech,
      )
    assert.equal(say('too_long', { maximum: 2000 }), 'darf höchstens 2.000 Zeichen haben')
    assert.equal(say('empty'), speech.words.reasons.required)
    assert.equal(say('too_long'), SENTENCE)
    assert.equal(say('custom'), SENTENCE)
  })

  test('of an answer says whether it was interrupted, now and later', async () => {
    const speech = await speechOf('fr')
    const { chat, reasons } = speech.words
    const stored = (finishReason: string, errorCode?: string) =>
      reasonOfStored({ error: SENTENCE, finishReason, errorCode }, speech)
    const interrupted = refused('unavailable', { reason: 'interrupted' })
    assert.equal(reasonInChat(interrupted, speech), chat.interrupted)
    assert.equal(stored('interrupted'), chat.interrupted)
    assert.equal(stored('error', 'model_failed'), reasons.modelFailed)
    assert.equal(stored('error'), SENTENCE, 'of an earlier version')
  })
})

// Messages of drivers and the operating system, which have no codes.
const OF_OTHERS = ['database/storage-fault.ts', 'database/postgres-errors.ts']
// These folders read users' text.
const ABOUT_TEXT =
  /^(?:apps\/server\/src\/(?:answering|search|models)|packages\/(?:extract|text|quote))\//

test('no code looks for words in a sentence', () => {
  const files = globSync('{apps/{console,widget,server},packages/*}/src/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/*.test.ts'],
  })
  const suspicious = files
    .filter((file) => !ABOUT_TEXT.test(file) && !OF_OTHERS.some((one) => file.endsWith(one)))
    .flatMap((file) => {
      const code = readFileSync(join(ROOT, file), 'utf8')
      const matched = [
        // A regular expression or a compared string with two words.
        ...code.matchAll(
          /(?<=[=(,[:?]\s*)\/(?![/*])[^/\n]*?[a-z]{2,} [a-z]{2,}[^\n]*?\/[a-z]*(?=[.,;)\]\s])/gi,
        ),
        ...code.matchAll(
          /\.(?:includes|startsWith|endsWith|indexOf|search|match)\(\s*['"`][^'"`\n]*[a-z]{2,} [a-z]{2,}/gi,
        ),
      ]
      return matched.map(([found]) => `${file}: ${found}`)
    })
  assert.deepEqual(suspicious, [])
  assert.ok(files.length > 400)
})

test('what says failures in the pages has no regular expression', () => {
  for (const path of [
    'apps/console/src/shell/explain-error.ts',
    'apps/widget/src/explain-failure.ts',
  ]) {
    const code = readFileSync(join(ROOT, path), 'utf8')
    assert.doesNotMatch(code, /RegExp|\.test\(|\.match|\.exec\(|[=(,[]\s*\/[^/*\s]/, path)
  }
})
