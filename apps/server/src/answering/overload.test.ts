import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { countRefusals, scriptedModel, startTestServer, until } from '../../test/harness.ts'
import { findPassages } from '../search/find-passages.ts'

suite('more questions than can be answered soon', () => {
  test('are refused at once, store nothing and call no model, and are taken again as soon as one has begun', async (t) => {
    const script = scriptedModel()
    const { owner, services, address } = await startTestServer(t, {
      models: [script.model],
      // A single owner may take nine tenths of the places.
      environment: { MAX_WAITING_ANSWERS: '3' },
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
      const body = (await refused.json()) as Record<string, unknown>
      assert.equal(body.code, 'unavailable')
      assert.deepEqual(body.details, { limit: 'model_answers' })
      assert.match(String(body.error), /Try again/)
    }
    assert.deepEqual(await owner.messages(third), [])
    assert.equal(script.calls.length, 2)
    // Other requests still work.
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
    assert.equal(services.places.taken, 0)
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
    assert.equal(services.places.taken, 0)
  })
})

suite('the places of waiting answers', () => {
  test('are shared: a silent model of one owner leaves places to another, and the built-in engine all of its own', async (t) => {
    const script = scriptedModel()
    const { owner, stranger, services, address } = await startTestServer(t, {
      models: [script.model],
      environment: { MAX_WAITING_ANSWERS: '10' },
    })
    const rate_limit = [10_000, 60]
    const greedy = await owner.createSession(await owner.createChatbot({ rate_limit }))
    const asked = Array.from({ length: 20 }, () => owner.ask(greedy, 'Anybody there?'))
    await until(() => (script.calls.length === 9 ? true : undefined))
    await until(async () =>
      (await countRefusals(address, 'model_answers')) === 11 ? true : undefined,
    )

    for (const client of [stranger, owner]) {
      const chatbot = await client.createChatbot({ model: 'docent-quote' })
      const answer = await client.ask(await client.createSession(chatbot), 'When are you open?')
      assert.equal(answer.status, 200)
      await answer.text()
    }
    const session = await stranger.createSession(await stranger.createChatbot())
    const other = stranger.ask(session, 'And for me?')
    await until(() => (script.calls.length === 10 ? true : undefined))
    const metrics = await (await fetch(`${address}/metrics`)).text()
    assert.match(metrics, /^docent_waiting_model_answers 10$/m)
    assert.match(metrics, /^docent_waiting_built_in_answers 0$/m)

    for (let i = 0; i < 10; i++) script.answer('Yes.')
    const answers = await Promise.all([...asked, other])
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 10)
    assert.equal(statuses.filter((status) => status === 503).length, 11)
    await Promise.all(answers.map((answer) => answer.text()))
    assert.equal(services.places.taken, 0)
  })

  test('are no more than half for one owner while others wait', async (t) => {
    const script = scriptedModel()
    const server = await startTestServer(t, {
      models: [script.model],
      environment: { MAX_WAITING_ANSWERS: '10' },
    })
    const { owner, stranger, services, address } = server
    const rate_limit = [10_000, 60]
    const session = await stranger.createSession(await stranger.createChatbot())
    const first = stranger.ask(session, 'Me first?')
    await until(() => (script.calls.length === 1 ? true : undefined))
    const greedy = await owner.createSession(await owner.createChatbot({ rate_limit }))
    const asked = Array.from({ length: 20 }, () => owner.ask(greedy, 'Anybody there?'))
    await until(async () =>
      (await countRefusals(address, 'model_answers')) === 15 ? true : undefined,
    )
    assert.equal(script.calls.length, 6)
    for (let i = 0; i < 6; i++) script.answer('Yes.')
    const answers = await Promise.all([...asked, first])
    assert.equal(answers.filter(({ status }) => status === 200).length, 6)
    await Promise.all(answers.map((answer) => answer.text()))
    assert.equal(services.places.taken, 0)
  })

  test('stay with an answer that a fallback gives', async (t) => {
    const script = scriptedModel()
    const { owner, services } = await startTestServer(t, {
      models: [script.model],
      environment: { MAX_WAITING_ANSWERS: '1', MODEL_FALLBACKS: 'docent-quote' },
    })
    const chatbot = await owner.createChatbot()
    await owner.createPair(chatbot, 'When are you open?', 'Daily from nine to five.')
    script.fail('out of order')
    const answer = await owner.ask(await owner.createSession(chatbot), 'When are you open?')
    assert.match(await answer.text(), /from nine to five/)
    assert.equal(services.places.taken, 0)
  })
})

suite('searches', () => {
  test('are done for owners in turns', async (t) => {
    const { owner, services } = await startTestServer(t)
    const id = await owner.createChatbot()
    await owner.createPair(id, 'When are you open?', 'Daily from nine to five.')
    let done = 0
    const greedy = Array.from({ length: 200 }, async (_, i) => {
      await findPassages(services, { id, owner_id: 'greedy' }, `Are you open on day ${i}?`)
      done += 1
    })
    const other = { id, owner_id: 'another' }
    assert.equal((await findPassages(services, other, 'When are you open?')).length, 1)
    assert.ok(done <= 20, `${done} were done before it`)
    await Promise.all(greedy)
    assert.equal(services.searches.running + services.searches.waiting, 0)
  })
})
