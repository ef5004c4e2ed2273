import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

// Calls every operation of the API with fetch: node walk-with-fetch.ts BASE_URL TOKEN PAGE_URL
const [baseUrl, token, pageUrl] = process.argv.slice(2) as [string, string, string]

function send(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

// biome-ignore lint/suspicious/noExplicitAny: a script of this kind looks into every record
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const response = await send(method, path, body)
  if (!response.ok)
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

async function waitForSources(chatbot: string) {
  while (true) {
    const sources = await call('GET', `/chatbot/${chatbot}/data-sources`)
    const states: string[] = sources.map(({ status }: { status: string }) => status)
    if (states.every((status) => status === 'success')) return sources
    assert.ok(!states.some((status) => /^(fail|error)/.test(status)), states.join())
    await sleep(100)
  }
}

const chatbot = await call('POST', '/chatbot/create', { name: 'Bot', show_citations: true })
const path = `/chatbot/${chatbot.uuid}`
const updated = await call('POST', `${path}/update`, { visibility: 'public' })
assert.deepEqual(await call('GET', path), updated)
assert.ok(
  (await call('GET', '/chatbots')).some(({ uuid }: { uuid: string }) => uuid === chatbot.uuid),
)

await call('POST', `${path}/data-source/url`, { url: pageUrl })
await call('POST', `${path}/data-source/qa`, { question: 'Um wie viel Uhr?', answer: 'Um neun.' })
const form = new FormData()
form.set('file', new File(['Im Winter bis 16 Uhr.'], 'Größe “Zeiten”.txt'))
const response = await fetch(`${baseUrl}/api/v1${path}/data-source/upload`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${token}` },
  body: form,
})
const upload = (await response.json()) as { uuid: string; file_name: string }
assert.equal(upload.file_name, 'Größe “Zeiten”.txt')
const sources = await waitForSources(chatbot.uuid)
assert.equal((await call('POST', `/data-source/${upload.uuid}/update`, { title: 'A' })).title, 'A')

const session = await call('POST', `${path}/session/create`)
assert.equal((await call('GET', `/session/${session.uuid}`)).uuid, session.uuid)
const answer = await send('POST', `/session/${session.uuid}/message/stream`, { query: 'Wann?' })
const pieces: string[] = []
const strict = new TextDecoder('utf-8', { fatal: true })
for await (const chunk of answer.body!) pieces.push(strict.decode(chunk))
assert.ok(pieces.length > 1, 'the answer came in one piece')

const [message] = await call('GET', `/session/${session.uuid}/messages`)
assert.equal(pieces.join(''), message.response)
assert.equal(answer.headers.get('x-message-uuid'), message.uuid)
assert.deepEqual(Object.keys(JSON.parse(message.cite_data_json)), ['1.1'])

const done = { success: true }
assert.deepEqual(await call('POST', '/messages/delete', { uuids: [message.uuid] }), done)
assert.deepEqual(await call('POST', `/data-source/${upload.uuid}/delete`), done)
const rest = [sources[0].uuid, sources[1].uuid]
assert.deepEqual(await call('POST', '/data-sources/delete', { uuids: rest }), done)
assert.deepEqual(await call('DELETE', `${path}/delete`), done)
assert.equal((await send('GET', path)).status, 404)
