import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startTestServer } from '../../../test/harness.ts'
import { createUser } from '../accounts/users.store.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type Result = any

test('of an owner with very many chatbots, lists for language models are read in parts, and only an exact name finds one', async (t) => {
  const { address, owner, services } = await startTestServer(t)
  const { db } = services
  const { body: user } = await owner.json('GET', '/user')
  await owner.createChatbot({ name: 'Lamp' })
  const rows = Array.from({ length: 999 }, (_, i) => ({
    id: `f${String(i).padStart(31, '0')}`,
    owner_id: user.uuid,
    name: `Bot ${i}`,
    settings: '{}',
    created_at: 0,
    modified_at: 0,
  }))
  await db.insertInto('chatbots').values(rows).execute()
  const { id } = await createUser(db, 'another')
  const foreign = { ...rows[0]!, id: `e${rows[0]!.id.slice(1)}`, owner_id: id, name: 'LAMP' }
  await db.insertInto('chatbots').values(foreign).execute()

  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${owner.token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit: { headers } }),
  )
  t.after(() => client.close())
  const call = (name: string, args: object): Promise<Result> =>
    client.callTool({ name, arguments: { ...args } })
  const sourcesOf = async (chatbot: string) =>
    (await call('list_sources', { chatbot })).content[0].text

  assert.equal(await sourcesOf('lamp'), 'No sources yet.')
  await owner.createChatbot({ name: 'One too many' })
  assert.match(await sourcesOf('lamp'), /no such chatbot/)
  assert.equal(await sourcesOf('Lamp'), 'No sources yet.')

  const listed: string[] = []
  let after: string | undefined
  let pages = 0
  do {
    const { structuredContent, content } = await call('list_chatbots', { limit: 400, after })
    listed.push(...structuredContent.chatbots.map(({ name }: { name: string }) => name))
    after = structuredContent.next
    pages += 1
    assert.equal(content[0].text.includes('There are more'), after !== undefined)
  } while (after !== undefined)
  assert.equal(pages, 3)
  assert.equal(new Set(listed).size, 1_001)
  const first = await call('list_chatbots', {})
  assert.equal(first.structuredContent.chatbots.length, 100)
})
