import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@docent/client/http/errors.ts'
import { loadChatWords } from '@docent/words/load-words.ts'
import { explainFailure } from './explain-failure.ts'

const SENTENCE = 'Too many messages, dear guest.'

test('a visitor is told by the code why a question was refused, and in the owner’s words where there are any', async () => {
  const words = await loadChatWords('de')
  const explain = (status: number, code: string, params = {}) =>
    explainFailure(new ApiError({ status, code, params, message: SENTENCE, requestId: '' }), {
      language: 'de',
      words,
    })
  const { reasons, chat } = words
  assert.equal(explain(429, 'rate_limited', { wording: 'own' }), SENTENCE)
  const tooMany = `${reasons.tooManyMessages} ${reasons.tryAgainLater}`
  assert.equal(explain(429, 'rate_limited', { wording: 'default' }), tooMany)
  assert.equal(explain(429, 'rate_limited'), tooMany)
  const spent = `${reasons.budgetSpent} ${reasons.tryAgainLater}`
  assert.equal(explain(429, 'token_budget_spent'), spent)
  for (const code of ['token_budget_reserved', 'disk_full', 'storage_failed', 'unavailable'])
    assert.equal(explain(503, code), reasons.unavailable, code)
  assert.equal(explain(413, 'prompt_too_long'), reasons.tooLarge)
  assert.equal(explain(404, 'not_found'), chat.notHere)
})
