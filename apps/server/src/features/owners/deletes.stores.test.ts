import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Client, scriptedModel, startTestServer, until } from '../../../test/harness.ts'
import { indexTable } from '../../../test/test-database.ts'
import { newId } from '../../database/rows/ids.ts'
import { DELETED_OWNER_ID } from './deleted-chatbots.store.ts'

// Too long for the row of its revision, so it is stored in pieces.
const LONG = 'Words to find. '.repeat(4_000)
const { owner, stranger, services } = await startTestServer({ after })

interface Kind {
  noun: string
  path: string
  single: (uuid: string) => string
  make: (client: Client) => Promise<string>
  find: (uuid: string) => string
}

const kinds: Kind[] = [
  {
    noun: 'data source',
    path: '/data-sources/delete',
    single: (uuid) => `/data-source/${uuid}/delete`,
    make: async (client) => client.createPair(await client.createChatbot(), 'q', 'a'),
    find: (uuid) => `/data-source/${uuid}`,
  },
  {
    noun: 'session',
    path: '/sessions/delete',
    single: (uuid) => `/session/${uuid}/delete`,
    make: async (client) => client.createSession(await client.createChatbot()),
    find: (uuid) => `/session/${uuid}`,
  },
  {
    noun: 'message',
    path: '/messages/delete',
    single: (uuid) => `/message/${uuid}/delete`,
    make: async (client) => {
      const session = await client.createSession(await client.createChatbot())
      const response = await client.ask(session, 'hello')
      await response.text()
      return response.headers.get('x-message-uuid')!
    },
    find: (uuid) => `/message/${uuid}`,
  },
]

suite('deletes', () => {
  for (const { noun, path, single, make, find } of kinds) {
    test(`one ${noun} is deleted, once`, async () => {
      const uuid = await make(owner)
      assert.deepEqual((await owner.json('POST', single(uuid))).body, { success: true })
      assert.equal((await owner.json('GET', find(uuid))).status, 404)
      assert.equal((await owner.json('POST', single(uuid))).status, 404)
    })

    test(`several of kind ${noun} are deleted together; doubles count once`, async () => {
      const uuids = [await make(owner), await make(owner)]
      const dashed = uuids[0]!.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
      const { status, body } = await owner.json('POST', path, {
        uuids: [...uuids, uuids[1], dashed],
      })
      assert.equal(status, 200)
      assert.deepEqual(body, { success: true })
      for (const uuid of uuids) assert.equal((await owner.json('GET', find(uuid))).status, 404)
    })

    test(`one ${noun} that is unknown or foreign, and none is deleted`, async () => {
      const mine = await make(owner)
      const foreign = await make(stranger)
      const unknown = newId()
      const { status, body } = await owner.json('POST', path, {
        uuids: [mine, foreign, unknown, 'x'],
      })
      assert.equal(status, 422)
      const [first] = body.details
      assert.deepEqual(
        body.details.map(({ uuid }: { uuid: string }) => uuid),
        [foreign, unknown, 'x'],
      )
      for (const { error } of body.details) assert.equal(error, first.error, 'in the same words')
      assert.equal((await owner.json('GET', find(mine))).status, 200)
      assert.equal((await stranger.json('GET', find(foreign))).status, 200)
    })

    test(`a ${noun} that several delete at once is deleted by one of them`, async () => {
      const together = (paths: [string, object?][]) =>
        Promise.all(
          paths.map(async ([path, body]) => (await owner.json('POST', path, body)).status),
        )
      for (let round = 0; round < 3; round++) {
        const [a, b, x, y, z] = await Promise.all([1, 2, 3, 4, 5].map(() => make(owner)))
        const alone = await together(Array(3).fill([single(a!)]))
        assert.deepEqual(alone.sort(), [200, 404, 404])
        const listed = await together(Array(3).fill([path, { uuids: [b] }]))
        assert.deepEqual(listed.sort(), [200, 422, 422])
        const overlapping = await together([
          [path, { uuids: [x, y] }],
          [path, { uuids: [z, y] }],
        ])
        assert.deepEqual(overlapping.toSorted(), [200, 422])
        const kept = overlapping[0] === 200 ? z! : x!
        assert.equal((await owner.json('GET', find(kept))).status, 200)
      }
    })

    test(`a list of ${noun} uuids has 1 to 1,000 strings`, async () => {
      const many = Array.from({ length: 1001 }, newId)
      for (const uuids of [undefined, [], many, 'x', [1], { 0: 'x' }]) {
        assert.equal((await owner.json('POST', path, { uuids })).status, 422)
      }
      const thousand = await owner.json('POST', path, { uuids: [...many.slice(1), many[1]] })
      assert.equal(thousand.status, 422)
      assert.equal(thousand.body.details.length, 1000)
    })
  }

  test('a deleted chatbot takes everything with it, down to the index', async () => {
    const count = async () => {
      const tables = [
        'chatbots',
        'sources',
        'source_files',
        'revisions',
        'revision_pieces',
        'passages',
        'passage_words',
        'passage_counts',
        'passage_vectors',
        indexTable(services),
        'sessions',
        'messages',
        'message_parts',
      ]
      const counts = tables.map(async (table) => {
        const rows = await services.db
          .selectFrom(table as 'chatbots')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .execute()
        return [table, rows[0]!.n]
      })
      return Object.fromEntries(await Promise.all(counts))
    }
    // The server erases the chatbots of the other tests in the background.
    const hidden = () => services.db.selectFrom('chatbots').where('owner_id', '=', DELETED_OWNER_ID)
    await until(async () => (await hidden().select('id').execute()).length === 0 || undefined)
    const empty = await count()
    const chatbot = await owner.createChatbot()
    await owner.createPair(chatbot, 'When?', 'Now.')
    const upload = await owner.upload(chatbot, 'a.md', `# A\n\n${LONG}`)
    await owner.settled(((await upload.json()) as { uuid: string }).uuid)
    const session = await owner.createSession(chatbot)
    await (await owner.ask(session, 'When?')).text()
    assert.notDeepEqual(await count(), empty)

    await owner.json('DELETE', `/chatbot/${chatbot}/delete`)
    assert.equal((await owner.json('GET', `/session/${session}`)).status, 404)
    await until(async () => isDeepStrictEqual(await count(), empty) || undefined)
  })
})

test('what is created under a chatbot while it is deleted is there or refused, never an error of ours', async () => {
  for (let round = 0; round < 10; round++) {
    const chatbot = await owner.createChatbot()
    const pair = { question: 'q', answer: 'a' }
    const replies = await Promise.all([
      owner.json('POST', `/chatbot/${chatbot}/session/create`),
      owner.json('DELETE', `/chatbot/${chatbot}/delete`),
      owner.json('POST', `/chatbot/${chatbot}/session/create`),
      owner.json('POST', `/chatbot/${chatbot}/data-source/qa`, pair),
      owner.json('POST', `/chatbot/${chatbot}/update`, { name: 'new' }),
    ])
    const [session, deleted, another, source] = replies
    for (const { status } of replies)
      assert.ok(status === 200 || status === 404, `status ${status}`)
    assert.equal(deleted!.status, 200)
    for (const [kind, made] of [
      ['session', session],
      ['session', another],
      ['data-source', source],
    ] as const)
      if (made!.status === 200)
        assert.equal((await owner.json('GET', `/${kind}/${made!.body.uuid}`)).status, 404, kind)
  }
})

test('an answer whose message was deleted before its first word is not found', async (t) => {
  const script = scriptedModel()
  const server = await startTestServer(t, { models: [script.model] })
  const session = await server.owner.createSession(await server.owner.createChatbot())
  const asked = server.owner.ask(session, 'hi')
  await until(() => script.calls.length === 1 || undefined)
  const [message] = await server.owner.messages(session)
  await server.owner.json('POST', `/message/${message!.uuid}/delete`)
  // Send everything at once, so that the answer ends before its first part would be written.
  script.say('Too late.')
  script.finish()
  assert.equal((await asked).status, 404)
  assert.deepEqual(await server.owner.messages(session), [])
})

test('a silent model is not asked any longer when what it answers was deleted', async (t) => {
  const script = scriptedModel()
  const server = await startTestServer(t, { models: [script.model] })
  const chatbot = await server.owner.createChatbot()
  const session = await server.owner.createSession(chatbot)

  const asked = server.owner.ask(session, 'hi')
  await until(() => script.calls.length === 1 || undefined)
  const [message] = await server.owner.messages(session)
  await server.owner.json('POST', `/message/${message!.uuid}/delete`)
  assert.equal((await asked).status, 404)
  assert.equal(script.calls[0]!.aborted, true)

  script.say('Some')
  const begun = await server.owner.ask(session, 'hi again')
  await server.owner.json('DELETE', `/chatbot/${chatbot}/delete`)
  await assert.rejects(begun.text(), 'what is left does not look whole')
  assert.equal(script.calls[1]!.aborted, true)
})

test('many silent models are looked after together, and only the one that nobody waits for is ended', async (t) => {
  const script = scriptedModel()
  const server = await startTestServer(t, { models: [script.model] })
  const chatbot = await server.owner.createChatbot()
  const session = await server.owner.createSession(chatbot)
  const asked = Array.from({ length: 20 }, () => server.owner.ask(session, 'hi'))
  await until(() => script.calls.length === asked.length || undefined)
  const [message] = await server.owner.messages(session)

  const queries = t.mock.method(server.services.db, 'selectFrom')
  await setTimeout(2_500)
  const looks = queries.mock.calls.filter(({ arguments: [table] }) => String(table) === 'messages')
  assert.ok(looks.length >= 1 && looks.length <= 3, `${looks.length} looks`)
  await server.owner.json('POST', `/message/${message!.uuid}/delete`)
  const first = await Promise.race(asked)
  assert.equal(first.status, 404)
  assert.equal(script.calls.filter(({ aborted }) => aborted).length, 1)
  for (const _ of asked.slice(1)) script.answer('Yes.')
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 200).length, 19)
})
