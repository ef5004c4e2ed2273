import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { scriptedModel, startTestServer, until } from './harness.ts'

suite('more questions than can be answered soon', () => {
  test('are refused at once, store nothing and call no model, and are taken again as soon as one has begun', async (t) => {
    const script = scriptedModel()
    const { owner, services, address } = await startTestServer(t, {
      models: [script.model],
      environment: { MAX_WAITING_ANSWERS: '2' },
    })
    const chatbot = await owner.createChatbot()
    const sessions = await Promise.all([1, 2, 3].map(() => owner.createSession(chatbot)))
    const [first, second, third] = sessions as [string, string, string]
    const asked = [first, second].map((session) => owner.ask(session, 'Anybody there?'))
    await until(() => (script.calls.length === 2 ? true : undefined))

    for (const headers of [{}, { accept: 'text/event-stream' }]) {
      const path = `/session/${third}/message/stream`
      const refused = await owner.send('POST', path, { query: 'And me?' }, headers)
      assert.equal(refused.status, 503)
      assert.match(refused.headers.get('retry-after')!, /^[1-9]\d*$/)
      const { code, error } = (await refused.json()) as { code: string; error: string }
      assert.equal(code, 'unavailable')
      assert.match(error, /Ask again/)
    }
    assert.deepEqual(await owner.messages(third), [])
    assert.equal(script.calls.length, 2)
    // Everything else goes on.
    for (const path of ['/healthz', '/readyz'])
      assert.equal((await fetch(address + path)).status, 200, path)
    assert.equal((await owner.json('GET', `/chatbot/${chatbot}`)).status, 200)
    const metrics = await (await fetch(`${address}/metrics`)).text()
    assert.match(metrics, /^docent_waiting_answers 2$/m)

    script.say('Yes. ')
    const begun = await Promise.race(asked)
    assert.equal(begun.status, 200)
    const taken = owner.ask(third, 'And me now?')
    await until(() => (script.calls.length === 3 ? true : undefined))
    for (let i = 0; i < 3; i++) script.answer('Good bye.')
    const answers = await Promise.all([...asked, taken])
    for (const answer of answers) assert.equal(answer.status, 200)
    await Promise.all(answers.map((answer) => answer.text()))
    assert.equal(services.live.waiting, 0)
  })

  test('that are refused or fail make room, too', async (t) => {
    const script = scriptedModel()
    const { owner, services } = await startTestServer(t, {
      models: [script.model],
      environment: { MAX_WAITING_ANSWERS: '1' },
    })
    const chatbot = await owner.createChatbot({ rate_limit: [1, 3600] })
    const session = await owner.createSession(chatbot)
    script.fail('out of order')
    assert.equal((await owner.ask(session, 'Anybody there?')).status, 502)
    for (let i = 0; i < 3; i++) assert.equal((await owner.ask(session, 'Hello?')).status, 429)
    assert.equal(services.live.waiting, 0)
  })
})
