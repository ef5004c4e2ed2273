import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { type Client, scriptedModel, startTestServer, until } from '../../../test/harness.ts'

const HOURS = 'The museum is open daily from 9 to 17. On Fridays it closes at 21.'
const PRICES = 'A ticket costs 12 euros 🎟️. Children under seven enter free of charge.'

async function upload(client: Client, chatbot: string, name: string, text: string) {
  const response = await client.upload(chatbot, name, text)
  return (await client.settled(((await response.json()) as { uuid: string }).uuid)).uuid as string
}

suite('the receipts of an answer', async () => {
  const { owner, stranger, services } = await startTestServer({ after })

  async function answered() {
    const chatbot = await owner.createChatbot({ show_citations: true })
    await upload(owner, chatbot, 'hours.txt', HOURS)
    const prices = await upload(owner, chatbot, 'prices.txt', PRICES)
    const session = await owner.createSession(chatbot)
    const response = await owner.ask(session, 'How much does a ticket cost?')
    assert.match(await response.text(), /A ticket costs 12 euros/)
    const message = response.headers.get('x-message-uuid')!
    const verify = async (client = owner) =>
      (await client.json('GET', `/message/${message}/citations/verify`)).body
    const { receipts } = JSON.parse((await owner.messages(session)).at(-1).meta_json)
    const [marker] = Object.entries<{ data_source_uuid: string }>(receipts).find(
      ([, { data_source_uuid }]) => data_source_uuid === prices,
    )!
    return { prices, message, verify, receipts, marker, chatbot }
  }

  test('verify when it is fresh, and each is its quote', async () => {
    const { verify, receipts } = await answered()
    const { verified, citations } = await verify()
    assert.equal(verified, true)
    assert.deepEqual(
      citations,
      Object.keys(receipts).map((marker) => ({ marker, verified: true, reason: null })),
    )
    for (const { quote, start, end } of Object.values<{
      quote: string
      start: number
      end: number
    }>(receipts)) {
      assert.ok([HOURS, PRICES].some((text) => text.slice(start, end) === quote))
    }
  })

  test('say that the source is gone when it was deleted', async () => {
    const { verify, prices, marker } = await answered()
    await owner.json('POST', `/data-source/${prices}/delete`)
    const { verified, citations } = await verify()
    assert.equal(verified, false)
    const found = citations.find((one: { marker: string }) => one.marker === marker)
    assert.deepEqual(found, { marker, verified: false, reason: 'source gone' })
  })

  test('say that the text differs when somebody changed one character of it', async () => {
    const { verify, prices, marker } = await answered()
    await services.db
      .updateTable('revisions')
      .set({ text: PRICES.replace('12', '13') })
      .where('source_id', '=', prices)
      .execute()
    const { verified, citations } = await verify()
    assert.equal(verified, false)
    const found = citations.find((one: { marker: string }) => one.marker === marker)
    assert.deepEqual(found, { marker, verified: false, reason: 'text differs' })
  })

  test('are shown to nobody else', async () => {
    const { message } = await answered()
    const path = `/message/${message}/citations/verify`
    assert.equal((await stranger.json('GET', path)).status, 404)
  })

  test('of an answer that cites nothing verify, as there are none', async () => {
    const session = await owner.createSession(await owner.createChatbot())
    const response = await owner.ask(session, 'Hello!')
    await response.text()
    const path = `/message/${response.headers.get('x-message-uuid')}/citations/verify`
    assert.deepEqual((await owner.json('GET', path)).body, { verified: true, citations: [] })
  })
})

test('a language model that invents markers leaves only receipts that verify', async (t) => {
  const script = scriptedModel()
  const { owner } = await startTestServer(t, { models: [script.model] })
  const chatbot = await owner.createChatbot({ show_citations: true })
  await upload(owner, chatbot, 'hours.txt', HOURS)
  await upload(owner, chatbot, 'prices.txt', PRICES)
  const session = await owner.createSession(chatbot)
  const asking = owner.ask(session, 'museum ticket?')
  await until(() => script.calls[0])
  script.say(
    'Children under seven enter free of charge [8.4]. Open daily from 9 to 17 [1.1][2.9]. ',
  )
  script.say('Dragons are welcome [3.3]. See [0.0] and [42.1].')
  script.finish()
  const response = await asking
  const text = await response.text()
  const { meta_json } = (await owner.messages(session)).at(-1)
  const markers = Object.keys(JSON.parse(meta_json).receipts)
  assert.ok(markers.length > 0)
  const path = `/message/${response.headers.get('x-message-uuid')}/citations/verify`
  const { verified, citations } = (await owner.json('GET', path)).body
  assert.equal(verified, true)
  assert.deepEqual(
    citations.map(({ marker }: { marker: string }) => marker),
    markers,
  )
  const shown = [...text.matchAll(/\[(\d+\.\d+)\]/g)].map(([, marker]) => marker)
  assert.deepEqual([...new Set(shown)].sort(), markers.toSorted())
  assert.match(text, /Dragons are welcome\./)
})
