import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { startTestServer } from '../../../test/harness.ts'
import { newId } from '../../database/rows/ids.ts'

const DEFAULT_META = {
  model: 'docent-quote',
  prompt: '',
  temperature: 0,
  rate_limit: [20, 240],
  rate_limit_message: 'Too many messages',
  show_citations: false,
  visibility: 'private',
}

const { owner, stranger, address } = await startTestServer({ after })

suite('chatbots', () => {
  const create = (body: object) => owner.json('POST', '/chatbot/create', body)

  test('a new chatbot has exactly the documented keys and the default settings', async () => {
    const { status, body } = await create({ name: '  Guide  ' })

    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['uuid', 'name', 'created_at', 'modified_at', 'meta'])
    assert.match(body.uuid, /^[0-9a-f]{32}$/)
    assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.ok(Math.abs(Date.parse(body.created_at) - Date.now()) < 5000)
    assert.equal(body.modified_at, body.created_at)
    assert.equal(body.name, 'Guide')
    assert.deepEqual(body.meta, DEFAULT_META)
  })

  test('settings are taken flat, nested under meta, and by the other spelling; flat wins', async () => {
    const { body } = await create({
      name: 'Guide',
      prompt: 'flat',
      show_citation: true,
      meta: { prompt: 'nested', temperature: 1.5, visibility: 'hybrid', rate_limit: [1, 2] },
    })

    assert.deepEqual(body.meta, {
      ...DEFAULT_META,
      prompt: 'flat',
      temperature: 1.5,
      visibility: 'hybrid',
      rate_limit: [1, 2],
      show_citations: true,
    })
  })

  test('of the other spelling, too, flat wins over what a record says', async () => {
    const { body: made } = await create({ name: 'Guide' })
    const change = { ...made, show_citation: true }
    const { body } = await owner.json('POST', `/chatbot/${made.uuid}/update`, change)
    assert.equal(body.meta.show_citations, true)
  })

  test('a form is no JSON, which is said, and nothing is changed', async () => {
    const { body: made } = await create({ name: 'Guide', visibility: 'public' })
    const form = new FormData()
    form.set('visibility', 'private')
    const refused = await owner.json('POST', `/chatbot/${made.uuid}/update`, form)
    assert.equal(refused.status, 415)
    assert.match(refused.body.error, /application\/json/)
    assert.deepEqual((await owner.json('GET', `/chatbot/${made.uuid}`)).body, made)
  })

  test('an update changes what it names and nothing else', async () => {
    const { body: made } = await create({ name: 'Guide', prompt: 'Be kind.', temperature: 1 })

    const { status, body } = await owner.json('POST', `/chatbot/${made.uuid}/update`, {
      rate_limit_message: 'Slow down',
      show_citations: true,
    })
    assert.equal(status, 200)
    assert.equal(body.name, 'Guide')
    assert.deepEqual(body.meta, {
      ...made.meta,
      rate_limit_message: 'Slow down',
      show_citations: true,
    })

    const empty = await owner.json('POST', `/chatbot/${made.uuid}/update`, {})
    assert.deepEqual(empty.body.meta, body.meta)
    const fetched = await owner.json('GET', `/chatbot/${made.uuid}`)
    assert.deepEqual(fetched.body, empty.body)
  })

  test('updates at the same time all take effect', async () => {
    const uuid = await owner.createChatbot()
    const changes = [{ prompt: 'p' }, { temperature: 2 }, { name: 'n' }, { show_citations: true }]
    await Promise.all(
      changes.map((change) => owner.json('POST', `/chatbot/${uuid}/update`, change)),
    )

    const { body } = await owner.json('GET', `/chatbot/${uuid}`)
    assert.equal(body.name, 'n')
    assert.deepEqual(body.meta, {
      ...DEFAULT_META,
      prompt: 'p',
      temperature: 2,
      show_citations: true,
    })
  })

  test('unknown fields are ignored and never stored', async () => {
    const { status, body } = await create({ name: 'Guide', owner_id: 'x', uuid: 'y', extra: [1] })
    assert.equal(status, 200)
    assert.notEqual(body.uuid, 'y')
    assert.deepEqual(body.meta, DEFAULT_META)
  })

  test('bounds are inclusive', async () => {
    const most = {
      name: 'n'.repeat(255),
      prompt: 'é'.repeat(32_000),
      temperature: 2,
      rate_limit: [10_000, 86_400],
      rate_limit_message: 'm'.repeat(2_000),
      visibility: 'public',
    }
    const { status, body } = await create(most)
    assert.equal(status, 200)
    assert.equal(body.name, most.name)
    assert.equal(body.meta.prompt, most.prompt)
    const emoji = await create({ name: '🙂'.repeat(255) })
    assert.equal(emoji.status, 200, 'characters are counted as people count them')
  })

  const refused: [string, object, string[]][] = [
    ['no name', {}, ['name']],
    ['a blank name', { name: '  \n ' }, ['name']],
    ['a name too long', { name: 'n'.repeat(256) }, ['name']],
    ['a name that is a number', { name: 5 }, ['name']],
    ['a null name', { name: null }, ['name']],
    ['a name with half a character', { name: 'a\ud800' }, ['name']],
    ['a name with a NUL', { name: 'a\0b' }, ['name']],
    ['a prompt too long', { name: 'n', prompt: 'x'.repeat(32_001) }, ['prompt']],
    ['a temperature as text', { name: 'n', temperature: '1' }, ['temperature']],
    ['a temperature too low', { name: 'n', temperature: -0.1 }, ['temperature']],
    ['a temperature too high', { name: 'n', temperature: 2.1 }, ['temperature']],
    ['one number for two', { name: 'n', rate_limit: [20] }, ['rate_limit']],
    ['three numbers for two', { name: 'n', rate_limit: [1, 2, 3] }, ['rate_limit']],
    ['no messages at all', { name: 'n', rate_limit: [0, 1] }, ['rate_limit.0']],
    ['too many messages', { name: 'n', rate_limit: [10_001, 1] }, ['rate_limit.0']],
    ['too many seconds', { name: 'n', rate_limit: [1, 86_401] }, ['rate_limit.1']],
    ['half a message', { name: 'n', rate_limit: [1.5, 1] }, ['rate_limit.0']],
    ['a boolean as text', { name: 'n', show_citations: 'true' }, ['show_citations']],
    ['the other spelling as a number', { name: 'n', show_citation: 1 }, ['show_citation']],
    ['an unknown visibility', { name: 'n', visibility: 'secret' }, ['visibility']],
    ['a bad nested setting', { name: 'n', meta: { temperature: 3 } }, ['meta.temperature']],
    ['several at once', { temperature: 'x', visibility: 1 }, ['name', 'temperature', 'visibility']],
    ['a list as the body', [1], ['']],
  ]
  for (const [what, given, fields] of refused) {
    test(`${what} is refused with every bad field named`, async () => {
      const { status, body } = await create(given)
      assert.equal(status, 422)
      assert.equal(body.code, 'invalid')
      const named = body.details.map((detail: { loc: string[]; msg: string; type: string }) => {
        assert.ok(detail.msg && detail.type)
        assert.equal(detail.loc[0], 'body')
        return detail.loc.slice(1).join('.')
      })
      assert.deepEqual(named, fields)
    })
  }

  test('a refused update changes nothing', async () => {
    const { body: made } = await create({ name: 'Guide' })
    const update = await owner.json('POST', `/chatbot/${made.uuid}/update`, {
      prompt: 'new',
      temperature: 9,
    })
    assert.equal(update.status, 422)
    assert.deepEqual((await owner.json('GET', `/chatbot/${made.uuid}`)).body, made)
  })

  for (const model of [
    'docent-quote',
    'gpt-4o-mini-16k',
    'o1',
    'o3-mini',
    'claude-3-opus',
    'gemini-1.5-pro-8k',
  ]) {
    test(`the model ${model} is accepted`, async () => {
      const { status, body } = await create({ name: 'Guide', model })
      assert.equal(status, 200)
      assert.equal(body.meta.model, model)
    })
  }

  test('an unknown model is refused with the names that there are', async () => {
    const { status, body } = await create({ name: 'Guide', model: 'llama-70b' })
    assert.equal(status, 422)
    assert.match(body.error, /docent-quote/)
  })

  test('the dashed form of a uuid is accepted', async () => {
    const uuid = await owner.createChatbot()
    const dashed = uuid.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    assert.equal((await owner.json('GET', `/chatbot/${dashed}`)).body.uuid, uuid)
  })

  test('ids are UUIDs of version 7, in order however fast they are made, also when the clock goes back', (t) => {
    const ids = Array.from({ length: 20_000 }, newId)
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 3_600_000 })
    ids.push(newId(), newId())
    for (const id of ids) assert.match(id, /^[\da-f]{12}7[\da-f]{3}[89ab][\da-f]{15}$/)
    assert.deepEqual(ids, [...new Set(ids)].sort())
  })

  test('the list is the caller’s own, oldest first, whole, and can be paged', async () => {
    const before = (await stranger.json('GET', '/chatbots')).body.length
    const made = []
    for (let i = 0; i < 5; i++) made.push(await stranger.createChatbot({ name: `Bot ${i}` }))

    const all = await stranger.json('GET', '/chatbots')
    const uuids = all.body.map((bot: { uuid: string }) => bot.uuid)
    assert.deepEqual(uuids.slice(before), made)
    assert.equal(all.headers.get('link'), null)

    const paged: string[] = []
    let path: string | undefined = '/chatbots?limit=2'
    while (path) {
      const page = await stranger.json('GET', path)
      paged.push(...page.body.map((bot: { uuid: string }) => bot.uuid))
      path = /<\/api\/v1(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
    assert.deepEqual(paged, uuids)
    assert.equal((await stranger.json('GET', `/chatbots?after=${made[4]}`)).body.length, 0)
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'after=x']) {
      assert.equal((await stranger.json('GET', `/chatbots?${query}`)).status, 422, query)
    }
  })

  test('an update without a body changes nothing, whatever type it is said to have', async () => {
    const uuid = await owner.createChatbot({ name: 'Kept' })
    for (const type of ['foo', '@ ;;="', 'text/plain', 'application/json; charset']) {
      const response = await fetch(`${address}/api/v1/chatbot/${uuid}/update`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}`, 'content-type': type },
      })
      assert.equal(response.status, 200, type)
    }
    assert.equal((await owner.json('GET', `/chatbot/${uuid}`)).body.name, 'Kept')
  })

  test('a deleted chatbot is gone, and deleting it again finds nothing', async () => {
    const uuid = await owner.createChatbot()
    const { status, body } = await owner.json('DELETE', `/chatbot/${uuid}/delete`)
    assert.equal(status, 200)
    assert.deepEqual(body, { success: true })
    assert.equal((await owner.json('GET', `/chatbot/${uuid}`)).status, 404)
    assert.equal((await owner.json('DELETE', `/chatbot/${uuid}/delete`)).status, 404)

    const other = await owner.createChatbot()
    const five = Array.from({ length: 5 }, () => owner.json('DELETE', `/chatbot/${other}/delete`))
    const statuses = (await Promise.all(five)).map((one) => one.status)
    assert.deepEqual(statuses.sort(), [200, 404, 404, 404, 404])
  })
})
