import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { scriptedModel, startTestServer, until } from '../../../test/harness.ts'

suite('a question with an Idempotency-Key', async () => {
  const script = scriptedModel()
  const server = await startTestServer({ after }, { models: [script.model] })
  const { owner } = server
  const chatbot = await owner.createChatbot({ visibility: 'public' })
  let keys = 0
  const newKey = () => ({ 'idempotency-key': `key-${keys++}` })

  test('that comes again is asked once, and its answer is there again', async () => {
    const session = await owner.createSession(chatbot)
    const key = newKey()
    script.say('Once.')
    script.finish()
    const first = await owner.ask(session, 'Twice?', key)
    assert.equal(await first.text(), 'Once.')
    const again = await owner.ask(session, 'Twice?', key)
    assert.equal(await again.text(), 'Once.')
    assert.equal(again.headers.get('x-message-uuid'), first.headers.get('x-message-uuid'))
    const path = `/session/${session}/message/non-stream`
    const whole = await owner.send('POST', path, { query: 'Twice?' }, key)
    assert.deepEqual(await whole.json(), { response: 'Once.' })
    assert.equal((await owner.messages(session)).length, 1)
  })

  test('that comes ten times at once is asked once, and all follow the one answer', async () => {
    const session = await owner.createSession(chatbot)
    const before = script.calls.length
    const key = newKey()
    const answers = Array.from({ length: 10 }, async () =>
      (await owner.ask(session, 'All of you?', key)).text(),
    )
    script.say('One ')
    await until(() => (script.calls.length > before ? true : undefined))
    script.say('for all.')
    script.finish()
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['One for all.']))
    assert.equal(script.calls.length, before + 1)
    assert.equal((await owner.messages(session)).length, 1)
  })

  test('that is the last which the rate limit allows may come again', async () => {
    const strict = await owner.createChatbot({ rate_limit: [1, 3600] })
    const session = await owner.createSession(strict)
    const key = newKey()
    script.say('Allowed.')
    script.finish()
    assert.equal(await (await owner.ask(session, 'May I?', key)).text(), 'Allowed.')
    assert.equal(await (await owner.ask(session, 'May I?', key)).text(), 'Allowed.')
    assert.equal((await owner.ask(session, 'And again?', newKey())).status, 429)

    const another = await owner.createSession(strict)
    const same = newKey()
    script.say('All.')
    script.finish()
    const atOnce = Array.from({ length: 8 }, () => owner.ask(another, 'All at once?', same))
    for (const response of await Promise.all(atOnce)) assert.equal(await response.text(), 'All.')
  })

  test('that failed fails again in the same way, without another call of the model', async () => {
    const session = await owner.createSession(chatbot)
    const key = newKey()
    script.fail('Broken')
    const first = await owner.ask(session, 'Will it?', key)
    const calls = script.calls.length
    const again = await owner.ask(session, 'Will it?', key)
    assert.deepEqual([first.status, again.status], [502, 502])
    assert.equal(script.calls.length, calls)
  })

  test('is told from another question of the same key, and from one in another session', async () => {
    const session = await owner.createSession(chatbot)
    const elsewhere = await owner.createSession(chatbot)
    const key = newKey()
    for (const [place, said] of [
      [session, 'Here.'],
      [elsewhere, 'There.'],
    ] as const) {
      script.say(said)
      script.finish()
      assert.equal(await (await owner.ask(place, 'Where?', key)).text(), said)
    }
    const other = await owner.ask(session, 'Something else?', key)
    assert.equal(other.status, 409)
    assert.equal(((await other.json()) as { code: string }).code, 'conflict')
    assert.equal((await owner.messages(session)).length, 1)
  })

  test('is asked anew when its message was deleted', async () => {
    const session = await owner.createSession(chatbot)
    const key = newKey()
    for (const said of ['Before.', 'After.']) {
      script.say(said)
      script.finish()
      assert.equal(await (await owner.ask(session, 'Still there?', key)).text(), said)
      const [{ uuid }] = await owner.messages(session)
      await owner.json('POST', `/message/${uuid}/delete`)
    }
    assert.deepEqual(
      await server.services.db
        .selectFrom('question_keys')
        .selectAll()
        .where('session_id', '=', session)
        .execute(),
      [],
    )
  })

  test('is refused when the key is none', async () => {
    const session = await owner.createSession(chatbot)
    for (const key of ['', 'x'.repeat(256), 'with space', 'ümlaut']) {
      const { status } = await owner.ask(session, 'Hm?', { 'idempotency-key': key })
      assert.equal(status, 422, key)
    }
    assert.deepEqual(await owner.messages(session), [])
  })

  test('works for visitors, too', async () => {
    const { body: visit } = await owner.json('POST', `/public/chatbot/${chatbot}/session`, {
      channel: 'share',
    })
    const headers = { ...newKey(), authorization: `Bearer ${visit.secret}` }
    script.say('Welcome.')
    script.finish()
    for (let i = 0; i < 2; i++) {
      const path = `/public/session/${visit.uuid}/message/stream`
      const response = await owner.send('POST', path, { query: 'Hello?' }, headers)
      assert.equal(await response.text(), 'Welcome.')
    }
    assert.equal((await owner.messages(visit.uuid)).length, 1)
  })
})
