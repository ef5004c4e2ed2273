import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scriptedModel, startTestServer } from '../../../test/harness.ts'

suite('the rate limit of a chatbot', () => {
  test('is exact when many ask at once, and over it nothing is stored or asked', async (t) => {
    const script = scriptedModel()
    const { owner } = await startTestServer(t, { models: [script.model] })
    const chatbot = await owner.createChatbot({
      rate_limit: [5, 3600],
      rate_limit_message: 'Please wait a little.',
    })
    const session = await owner.createSession(chatbot)
    for (let i = 0; i < 5; i++) script.answer('Yes.')
    const replies = await Promise.all(
      Array.from({ length: 40 }, () =>
        owner.json('POST', `/session/${session}/message/non-stream`, { query: 'q' }),
      ),
    )
    assert.equal(replies.filter(({ status }) => status === 200).length, 5)
    const refused = replies.filter(({ status }) => status === 429)
    assert.equal(refused.length, 35)
    for (const { body, headers } of refused) {
      assert.equal(body.error, 'Please wait a little.')
      assert.equal(body.code, 'rate_limited')
      assert.deepEqual(body.params, { wording: 'own' })
      const seconds = Number(headers.get('retry-after'))
      assert.ok(seconds > 3500 && seconds <= 3600)
    }
    assert.equal((await owner.messages(session)).length, 5)
    assert.equal(script.calls.length, 5)

    const other = await owner.createSession(chatbot)
    script.say('Yes.')
    script.finish()
    assert.equal((await owner.ask(other, 'q')).status, 200, 'another session is counted by itself')

    await owner.json('POST', `/chatbot/${chatbot}/update`, { rate_limit_message: '' })
    const reply = await owner.ask(session, 'q')
    const { error, params } = (await reply.json()) as { error: string; params: object }
    assert.match(error, /\w+ \w+/, 'a sentence all the same')
    assert.deepEqual(params, { wording: 'default' })
  })

  for (const most of [1, 2, 12])
    test(`of ${most} lets no more of few that come at once reach the model`, async (t) => {
      const script = scriptedModel()
      const { owner } = await startTestServer(t, { models: [script.model] })
      const session = await owner.createSession(
        await owner.createChatbot({ rate_limit: [most, 60] }),
      )
      for (let i = 0; i < most; i++) script.answer('Yes.')
      for (let asked = 0; asked < most + 3; asked += 3)
        await Promise.all([1, 2, 3].map(async () => (await owner.ask(session, 'q')).text()))
      assert.equal(script.calls.length, most)
      assert.equal((await owner.messages(session)).length, most)
    })

  test('opens again as messages leave its window, and deleting messages does not open it', async (t) => {
    const { owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot({ rate_limit: [2, 2] })
    const session = await owner.createSession(chatbot)
    const ask = async () => {
      const response = await owner.ask(session, 'q')
      await response.text()
      return response
    }
    assert.equal((await ask()).status, 200)
    assert.equal((await ask()).status, 200)
    const refused = await ask()
    assert.equal(refused.status, 429)
    const uuids = (await owner.messages(session)).map(({ uuid }) => uuid)
    await owner.json('POST', '/messages/delete', { uuids })
    assert.equal((await ask()).status, 429)
    await sleep(Number(refused.headers.get('retry-after')) * 1000)
    assert.equal((await ask()).status, 200)
  })

  test('follows the setting as soon as it changes', async (t) => {
    const { owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot({ rate_limit: [1, 3600] })
    const session = await owner.createSession(chatbot)
    await (await owner.ask(session, 'q')).text()
    assert.equal((await owner.ask(session, 'q')).status, 429)
    await owner.json('POST', `/chatbot/${chatbot}/update`, { rate_limit: [2, 3600] })
    assert.equal((await owner.ask(session, 'q')).status, 200)
  })
})
