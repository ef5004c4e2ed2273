import assert from 'node:assert/strict'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import axios, { type AxiosError } from 'axios'

// Calls every operation of the API with axios: node walk-with-axios.ts BASE_URL TOKEN PAGE_URL
const [baseURL, token, pageUrl] = process.argv.slice(2) as [string, string, string]

const api = axios.create({
  baseURL: `${baseURL}/api/v1`,
  headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
})

async function ask(session: string, query: string): Promise<string> {
  const path = `/session/${session}/message/stream`
  const { data } = await api.post<Readable>(path, { query }, { responseType: 'stream' })
  let text = ''
  for await (const chunk of data) text += chunk
  return text
}

async function waitForSources(chatbot: string) {
  while (true) {
    const { data } = await api.get(`/chatbot/${chatbot}/data-sources`)
    const states: string[] = data.map(({ status }: { status: string }) => status)
    if (states.every((status) => status === 'success')) return data
    assert.ok(!states.some((status) => /^(fail|error)/.test(status)), states.join())
    await sleep(100)
  }
}

const { data: chatbot } = await api.post('/chatbot/create', { name: 'Bot', show_citations: true })
assert.deepEqual(Object.keys(chatbot).sort(), ['created_at', 'meta', 'modified_at', 'name', 'uuid'])
const path = `/chatbot/${chatbot.uuid}`
const { data: updated } = await api.post(`${path}/update`, { name: 'Führung' })
assert.deepEqual((await api.get(path)).data, updated)
assert.equal((await api.get('/chatbots')).data.at(-1).name, 'Führung')

await api.post(`${path}/data-source/url`, { url: pageUrl })
await api.post(`${path}/data-source/qa`, { question: 'Um wie viel Uhr?', answer: 'Um neun.' })
const form = new FormData()
form.append('file', new Blob(['Im Winter bis 16 Uhr.']), 'Größe & Zeiten.txt')
const multipart = { headers: { 'Content-Type': 'multipart/form-data' } }
const { data: upload } = await api.post(`${path}/data-source/upload`, form, multipart)
assert.equal(upload.file_name, 'Größe & Zeiten.txt')
const sources = await waitForSources(chatbot.uuid)
const { data: renamed } = await api.post(`/data-source/${upload.uuid}/update`, { title: 'Zeiten' })
assert.equal(renamed.title, 'Zeiten')

const { data: session } = await api.post(`${path}/session/create`)
assert.equal((await api.get(`/session/${session.uuid}`)).data.uuid, session.uuid)
// Without `responseType: 'stream'`, axios returns the answer as one string.
const { data: whole } = await api.post(`/session/${session.uuid}/message/stream`, {
  query: 'Wann?',
})
const streamed = await ask(session.uuid, 'Wann denn?')
const { data: messages } = await api.get(`/session/${session.uuid}/messages`)
assert.deepEqual([whole, streamed], [messages[0].response, messages[1].response])
assert.deepEqual(Object.keys(JSON.parse(messages[0].cite_data_json)), ['1.1'])

const uuids = messages.map(({ uuid }: { uuid: string }) => uuid)
assert.deepEqual((await api.post('/messages/delete', { uuids })).data, { success: true })
assert.deepEqual((await api.post(`/data-source/${upload.uuid}/delete`)).data, { success: true })
const rest = { uuids: [sources[0].uuid, sources[1].uuid] }
assert.deepEqual((await api.post('/data-sources/delete', rest)).data, { success: true })
assert.deepEqual((await api.delete(`${path}/delete`, { data: {} })).data, { success: true })
await assert.rejects(
  api.get(path),
  (error: AxiosError<{ error: string }>) =>
    error.response?.status === 404 && error.response.data.error === 'There is no such chatbot.',
)
