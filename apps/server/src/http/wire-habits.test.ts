import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { scriptedModel, startTestServer } from '../../test/harness.ts'
import { makeRecords } from '../../test/routes.ts'
import { type Answer, Wire, type WireRequest } from '../../test/wire.ts'
import { isSafeChunk } from './streams/text-stream.ts'

const JSON_TYPE = 'Content-Type: application/json'

interface Operation {
  requestBody?: object
  parameters?: { in: string; required?: boolean }[]
}

const script = scriptedModel()
const server = await startTestServer({ after }, { models: [script.model] })
const token = `Authorization: Bearer ${server.owner.token}`
const openApi = (await (await fetch(`${server.address}/openapi.json`)).json()) as {
  paths: Record<string, Record<string, Operation>>
}

type Closing = Parameters<typeof Wire.open>[0]

/** A connection whose requests carry the token. */
async function openWire(t: Closing) {
  const wire = await Wire.open(t, server.address)
  const withToken = (request: WireRequest = {}) => ({
    ...request,
    headers: [token, ...(request.headers ?? [])],
  })
  return {
    wire,
    request: (method: string, path: string, request?: WireRequest) =>
      wire.request(method, `/api/v1${path}`, withToken(request)),
    send: (method: string, path: string, request?: WireRequest) =>
      wire.send(method, `/api/v1${path}`, withToken(request)),
  }
}

/** A record of each kind, by the word before its uuid in paths. */
async function createThings(): Promise<Record<string, string>> {
  const { source, ...others } = await makeRecords(server.owner, { model: 'docent-quote' })
  return { ...others, 'data-source': source }
}

function needsQuery({ parameters = [] }: Operation): boolean {
  return parameters.some(({ in: place, required }) => place === 'query' && required)
}

const withoutBody: Record<string, WireRequest> = {
  'an empty body of JSON type': { headers: [JSON_TYPE, 'Content-Length: 0'] },
  'a JSON type and no length': { headers: [JSON_TYPE] },
  'neither type nor length': {},
  'no type and a length of zero': { headers: ['Content-Length: 0'] },
  'an empty chunked body': {
    headers: [JSON_TYPE, 'Transfer-Encoding: chunked'],
    body: '0\r\n\r\n',
  },
  'an empty object': { headers: [JSON_TYPE], body: '{}' },
  'an empty object without a type': { body: '{}' },
  'a body that is no JSON': { headers: [JSON_TYPE], body: '{"broken' },
}
for (const type of [
  'Application/JSON;charset=UTF-8',
  'json',
  '',
  'application/json,',
  'application/json; charset',
  'text/plain',
  'multipart/form-data',
  '@ ;;="',
]) {
  withoutBody[`an empty body of type "${type}"`] = { headers: [`Content-Type: ${type}`] }
  withoutBody[`an empty object of type "${type}"`] = {
    headers: [`Content-Type: ${type}`],
    body: '{}',
  }
}

for (const [habit, request] of Object.entries(withoutBody)) {
  test(`every operation without a body takes ${habit}, and the connection goes on`, async (t) => {
    const { send } = await openWire(t)
    const shared = await createThings()
    const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => !operation.requestBody && !needsQuery(operation))
        .map(([method]) => ({ method: method.toUpperCase(), path: path.replace('/api/v1', '') })),
    )
    assert.ok(operations.length > 12)
    for (const { method, path } of operations) {
      // Visitors have no token, and their own sessions. OpenAI clients behave differently.
      if (/^\/(public|v1)\//.test(path)) continue
      const things = path.endsWith('/delete') ? await createThings() : shared
      const filled = path.replace(/([\w-]+)\/\{uuid\}/, (_, noun) => `${noun}/${things[noun]}`)
      const answer = await send(method, filled, request)
      assert.equal(answer.status, 200, `${method} ${path}: ${answer.body}`)
    }
  })
}

test('a large body on GET is passed over, and the connection goes on', async (t) => {
  const { wire, send } = await openWire(t)
  const first = await send('GET', '/chatbots', {
    headers: [JSON_TYPE],
    body: '[9]'.repeat(100_000),
  })
  const second = await send('GET', '/user')
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal(JSON.parse(second.body).name, 'owner')
  assert.equal(wire.closed, false)
})

test('a JSON body is read whatever the spelling of its type', async (t) => {
  const { send } = await openWire(t)
  for (const type of [
    'Content-Type: Application/JSON;charset=UTF-8',
    'Content-Type: json',
    'Content-Type: application/json,',
    'Content-Type: application/json, application/json',
    'Content-Type:',
    'X-No-Type: at all',
  ]) {
    const created = await send('POST', '/chatbot/create', {
      headers: [type],
      body: '{"name":"Führer 👋"}',
    })
    assert.equal(created.status, 200, `${type}: ${created.body}`)
    assert.equal(JSON.parse(created.body).name, 'Führer 👋')
  }
})

test('a JSON body comes in chunks that split its characters', async (t) => {
  const { wire, request, send } = await openWire(t)
  const body = Buffer.from('{"name":"Öl 👋"}')
  request('POST', '/chatbot/create', { headers: [JSON_TYPE, 'Transfer-Encoding: chunked'] })
  for (const byte of body) wire.write(Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]))
  wire.write('0\r\n\r\n')
  const created = await wire.answer()
  assert.equal(JSON.parse(created.body).name, 'Öl 👋')
  assert.equal((await send('GET', '/user')).status, 200)
})

test('pipelined requests are answered in their order, a stream among them', async (t) => {
  const { wire, request } = await openWire(t)
  const { chatbot, session } = await createThings()
  request('GET', '/user')
  request('POST', `/session/${session}/message/stream`, {
    headers: [JSON_TYPE],
    body: '{"query":"When?"}',
  })
  request('GET', `/chatbot/${chatbot}`)
  request('GET', '/chatbot/nonsense')
  const answers: Answer[] = []
  for (let i = 0; i < 4; i++) answers.push(await wire.answer())
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 404],
  )
  assert.equal(JSON.parse(answers[0]!.body).name, 'owner')
  assert.match(answers[1]!.headers['content-type']!, /^text\/plain/)
  assert.equal(JSON.parse(answers[2]!.body).uuid, chatbot)
})

function form(parts: string[]): WireRequest & { body: string } {
  const body = `${parts.map((part) => `--line\r\n${part}\r\n`).join('')}--line--\r\n`
  return { headers: ['Content-Type: multipart/form-data; boundary=line'], body }
}

for (const given of [
  'notes.md',
  'C:\\Users\\new\\table\\notes.md',
  'C:\\\\Users\\\\me\\\\notes.md',
  '/home/me/notes.md',
  '../../notes.md',
]) {
  test(`an upload whose part has no type of its own and is called ${given} becomes notes.md`, async (t) => {
    const { send } = await openWire(t)
    const { chatbot } = await createThings()
    const disposition = `Content-Disposition: form-data; name="file"; filename="${given}"`
    const created = await send(
      'POST',
      `/chatbot/${chatbot}/data-source/upload`,
      form([`${disposition}\r\n\r\nOpen daily.`]),
    )
    assert.equal(created.status, 200, created.body)
    const { file_name, file_size, title } = JSON.parse(created.body)
    assert.deepEqual([file_name, file_size, title], ['notes.md', 11, 'notes.md'])
  })
}

test('an upload that waits for "100 Continue" is told to go on', async (t) => {
  const { wire, request } = await openWire(t)
  const { chatbot } = await createThings()
  const { headers, body } = form([
    'Content-Disposition: form-data; name="file"; filename="notes.txt"\r\n\r\nOpen daily.',
  ])
  request('POST', `/chatbot/${chatbot}/data-source/upload`, {
    headers: [...headers!, `Content-Length: ${body.length}`, 'Expect: 100-continue'],
  })
  assert.equal((await wire.answer()).status, 100)
  wire.write(body)
  assert.equal((await wire.answer()).status, 200)
})

test('an HTTP/1.0 client gets its answer and the end of the connection', async (t) => {
  const { wire, send } = await openWire(t)
  const answer = await send('GET', '/user', { version: '1.0' })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['transfer-encoding'], undefined)
  assert.equal(answer.headers.connection, 'close')
  assert.equal(await wire.ended(), '')
})

test('an HTTP/1.0 client that asks for it keeps its connection', async (t) => {
  const { wire, send } = await openWire(t)
  const request: WireRequest = { version: '1.0', headers: ['Connection: keep-alive'] }
  for (let i = 0; i < 3; i++) {
    const answer = await send('GET', '/user', request)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.connection, 'keep-alive')
    assert.equal(Number(answer.headers['content-length']), answer.body.length)
  }
  assert.equal(wire.closed, false)
})

for (const headers of [[], ['Connection: keep-alive']]) {
  const how = headers.length > 0 ? 'that asks to keep its connection ' : ''
  test(`an HTTP/1.0 client ${how}gets a stream as plain bytes up to the end of the connection`, async (t) => {
    const { wire, send } = await openWire(t)
    const session = await server.owner.createSession(await server.owner.createChatbot())
    script.say('Grüße, ')
    script.say('Welt 👋')
    script.finish()
    const answer = await send('POST', `/session/${session}/message/stream`, {
      version: '1.0',
      headers: [JSON_TYPE, ...headers],
      body: '{"query":"Hallo?"}',
    })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['transfer-encoding'], undefined)
    assert.equal(answer.headers['content-length'], undefined)
    assert.equal(answer.body, 'Grüße, Welt 👋')
    assert.equal(await wire.ended(), '')
  })
}

test('a token is accepted with any case and any number of spaces around it', async (t) => {
  const wire = await Wire.open(t, server.address)
  const { token } = server.owner
  for (const header of [
    `authorization: bearer ${token}`,
    `AUTHORIZATION:BEARER ${token}`,
    `Authorization:   bEaReR    ${token}   `,
  ]) {
    const answer = await wire.send('GET', '/api/v1/user', { headers: [header] })
    assert.equal(answer.status, 200, header)
  }
  for (const header of ['Authorization: Bearer', `Authorization: ${token}`, 'X-Token: none']) {
    const answer = await wire.send('GET', '/api/v1/user', { headers: [header] })
    assert.equal(answer.status, 401, header)
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
  }
})

test('a uuid is taken with its dashes, and anything else in its place is not found', async (t) => {
  const { send } = await openWire(t)
  const { chatbot } = await createThings()
  const dashed = chatbot!.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  assert.equal(JSON.parse((await send('GET', `/chatbot/${dashed}`)).body).uuid, chatbot)

  for (const uuid of [
    chatbot!.toUpperCase(),
    dashed.toUpperCase(),
    `${chatbot}0`,
    `{${chatbot}}`,
    `%20${chatbot}`,
    '0'.repeat(32),
    'f'.repeat(101),
    'f'.repeat(8_000),
    '%zz',
    '%',
    '%ff%fe',
    '%E0%A4%A',
    '%00',
    '%2e%2e%2f',
    '%F0%9F%98%80',
    "'%20OR%201=1--",
    '{uuid}',
  ]) {
    for (const [method, path] of [
      ['GET', `/chatbot/${uuid}`],
      ['DELETE', `/chatbot/${uuid}/delete`],
      ['POST', `/chatbot/${uuid}/session/create`],
    ] as const) {
      const answer = await send(method, path, { headers: [JSON_TYPE] })
      assert.equal(answer.status, 404, `${method} ${path}`)
      const { error, code, request_id } = JSON.parse(answer.body)
      assert.equal(code, 'not_found')
      assert.match(error, /^There is no|does not exist/)
      assert.match(request_id, /^[\da-f]{8}-[\da-z]+$/)
    }
  }
})

test('double and trailing slashes change nothing', async (t) => {
  const { wire } = await openWire(t)
  await server.owner.createChatbot()
  await server.owner.createChatbot()
  for (const path of ['//api/v1/chatbots', '/api//v1///chatbots/', '/api/v1/chatbots/']) {
    const answer = await wire.send('GET', `${path}?limit=1`, { headers: [token] })
    assert.equal(answer.status, 200, path)
    const next = /^<(\/[^>]+)>; rel="next"$/.exec(answer.headers.link!)![1]!
    const rest = await wire.send('GET', next, { headers: [token] })
    assert.equal(rest.status, 200, next)
    assert.notEqual(JSON.parse(rest.body)[0].uuid, JSON.parse(answer.body)[0].uuid)
  }
  const created = await wire.send('POST', '//api/v1/chatbot/create/', {
    headers: [token, JSON_TYPE],
    body: '{"name":"Bot"}',
  })
  assert.equal(created.status, 200)
})

test('what is no HTTP request is answered with an error like any other', async (t) => {
  for (const [bytes, status] of [
    ['HELLO\r\n\r\n', 400],
    ['GET /api/v1/user HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'POST /api/v1/chatbot/create HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n',
      400,
    ],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ] as const) {
    const wire = await Wire.open(t, server.address)
    wire.write(bytes)
    const answer = await wire.answer()
    assert.equal(answer.status, status)
    assert.deepEqual(Object.keys(JSON.parse(answer.body)), ['error', 'code', 'request_id'])
    assert.equal(await wire.ended(), '')
  }
})

test('neither a silent connection nor a body that never ends keeps the server from stopping', async (t) => {
  const wires: Wire[] = []
  await t.test('the server stops when this ends', { timeout: 30_000 }, async (inner) => {
    const { address, owner } = await startTestServer(inner)
    wires.push(await Wire.open(t, address), await Wire.open(t, address))
    wires[1]!.request('POST', '/api/v1/chatbot/create', {
      headers: [`Authorization: Bearer ${owner.token}`, 'Content-Length: 1000'],
      body: '{"name":',
    })
  })
  for (const wire of wires) await wire.ended()
})

test('OPTIONS without an origin is answered, not refused', async (t) => {
  const wire = await Wire.open(t, server.address)
  assert.equal((await wire.send('OPTIONS', '/api/v1/chatbots')).status, 204)
})

test('a stream is raw text with the headers of the contract, each chunk whole and no JSON by itself', async (t) => {
  const { wire, request, send } = await openWire(t)
  const session = await server.owner.createSession(await server.owner.createChatbot())
  request('POST', `/session/${session}/message/stream`, {
    headers: [JSON_TYPE, 'Accept-Encoding: gzip, deflate, br, zstd'],
    body: '{"query":"Hallo?"}',
  })
  let said = ''
  for (const piece of [
    'Grüße',
    ' ',
    '42',
    '\ud83d',
    '\udc4b',
    '\n\n',
    'true',
    ' ja',
    ' {}',
    ' Ende.',
  ]) {
    said += piece
    script.say(piece)
    // Wait until each piece is stored. Half of a surrogate pair is stored with its other half.
    while (said.isWellFormed() && (await server.owner.messages(session))[0]?.response !== said);
  }
  script.finish()
  const { status, headers, chunks } = await wire.answer()

  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store, no-transform')
  assert.equal(headers['x-accel-buffering'], 'no')
  assert.equal(headers['content-encoding'], undefined)
  assert.equal(headers['access-control-allow-origin'], '*')
  const texts = chunks.map((chunk) => new TextDecoder('utf-8', { fatal: true }).decode(chunk))
  assert.ok(texts.length > 3 && texts.every(isSafeChunk), JSON.stringify(texts))
  assert.equal(texts.join(''), said)
  const stored = await send('GET', `/message/${headers['x-message-uuid']}`)
  assert.equal(JSON.parse(stored.body).response, said)
})
