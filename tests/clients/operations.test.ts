import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  Docent,
  type ExportedMessage,
  type Message,
  messageMeta,
  sourceMeta,
  verifyWebhook,
} from '@docent/client'
import { scriptedModel, startSite, startTestServer, until } from '@docent/server/test/harness.ts'

const ROOT = join(import.meta.dirname, '../..')

/** For example "POST /chatbot/{}/update". Without /v1, because users already have clients for OpenAI's API. */
function describedOperations(): string[] {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8'))
  return Object.entries<object>(paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) =>
          `${method.toUpperCase()} ${path.replace('/api/v1', '').replace(/{\w+}/g, '{}')}`,
      ),
    )
}

/** A fetch that records its requests, and keeps cookies like a browser. */
function notingFetch(seen: Set<string>): typeof fetch {
  let cookie = ''
  return async (input, init) => {
    const { pathname } = new URL(String(input))
    const path = pathname.replace('/api/v1', '').replace(/\/[0-9a-f]{32}(?=\/|$)/g, '/{}')
    seen.add(`${init?.method} ${path}`)
    const headers = new Headers(init?.headers)
    if (cookie && !headers.has('authorization')) headers.set('cookie', cookie)
    const response = await fetch(input, { ...init, headers })
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return response
  }
}

test('the client has every operation that the server describes, and each of them works', async (t) => {
  const script = scriptedModel()
  const server = await startTestServer(t, {
    models: [script.model],
    environment: { ALLOW_PRIVATE_HOSTS: '127.0.0.1' },
  })
  const received: { headers: NodeJS.Dict<string | string[]>; body: string }[] = []
  const site = await startSite(t, (request, response) => {
    if (request.method !== 'POST') {
      response.setHeader('content-type', 'text/html').end('<h1>Lamps</h1><p>Forty lamps hang here.')
      return
    }
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.end()
    })
  })
  const seen = new Set<string>()
  const noting = notingFetch(seen)
  const client = new Docent({ baseUrl: server.address, token: server.owner.token, fetch: noting })

  const user = await client.account.user()
  assert.equal(user.name, 'owner')
  assert.equal((await client.account.use()).max_rows, null)
  assert.equal((await client.account.connection()).host, new URL(server.address).host)
  assert.ok((await client.models.list()).some(({ name }) => name === 'scripted'))
  const { uuid: tokenId, token } = await client.tokens.create({ name: 'web', scopes: ['chat'] })
  assert.ok((await client.tokens.list()).some(({ hint }) => token.startsWith(hint)))
  await client.tokens.revoke(tokenId)

  const chatbot = await client.chatbots.create({ name: 'Guide', show_citations: true })
  await client.chatbots.update(chatbot, { visibility: 'public', prompt: 'Be kind.' })
  assert.equal((await client.chatbots.get(chatbot)).meta.prompt, 'Be kind.')
  assert.equal((await client.chatbots.list({ limit: 1 }))[0]!.uuid, chatbot.uuid)
  await client.chatbots.updateAnswering(chatbot, { pairs_override: false })
  const { pairs_override, model_used } = await client.chatbots.answering(chatbot)
  assert.deepEqual([pairs_override, model_used], [false, 'scripted'])
  await client.chatbots.updateWidget(chatbot, { title: 'Ask the museum' })
  assert.equal((await client.chatbots.widget(chatbot)).title, 'Ask the museum')
  const webhook = await client.webhooks.create(chatbot, { url: `${site}/hook` })
  assert.deepEqual(
    (await client.webhooks.list(chatbot)).map(({ uuid }) => uuid),
    [webhook.uuid],
  )

  const pair = await client.sources.addQa(chatbot, 'When are you open?', 'Daily from 9 to 17.')
  const page = await client.sources.addUrl(chatbot, `${site}/lamps`)
  const file = await client.sources.upload(chatbot, new Blob(['Children enter free.']), {
    name: 'tickets.txt',
  })
  for (const source of [pair, page, file]) await client.sources.waitUntilReady(source)
  assert.equal((await client.sources.rename(page, 'The lamps')).title, 'The lamps')
  const daily = await client.sources.changeReading(page, { refresh_hours: 24 })
  assert.equal(sourceMeta(daily).refresh_hours, 24)
  assert.deepEqual(
    (await client.sources.list(chatbot)).map(({ uuid }) => uuid),
    [pair.uuid, page.uuid, file.uuid],
  )
  assert.equal((await client.sources.passages(page))[0]!.text.includes('Forty lamps'), true)
  await client.sources.retry(file)
  const [rescraped] = await client.sources.rescrape([page])
  assert.equal(rescraped!.status, 'restarted scraping')
  await Promise.all([file, page].map((source) => client.sources.waitUntilReady(source)))
  const [found] = await client.chatbots.search(chatbot, 'lamps', { limit: 3 })
  assert.equal(found!.data_source_uuid, page.uuid)

  const session = await client.sessions.create(chatbot)
  assert.deepEqual((await client.sessions.get(session)).meta, {})
  script.say('Daily from 9 to 17. [1.1]')
  script.finish()
  let text = ''
  for await (const piece of client.sessions.askText(session, 'When are you open?')) text += piece
  assert.equal(text, 'Daily from 9 to 17. [1.1]')
  script.say('Forty.')
  script.finish()
  assert.equal(await client.sessions.askWhole(session, 'How many lamps?'), 'Forty.')
  const [first, second] = (await client.sessions.messages(session)) as [Message, Message]
  const receipt = messageMeta(first).receipts!['1.1']!
  const excerpt = await client.sources.excerpt(receipt.data_source_uuid, receipt)
  assert.equal(excerpt.text, receipt.quote)
  assert.equal((await client.messages.verifyCitations(first)).verified, true)
  assert.equal((await client.messages.get(second)).response, 'Forty.')
  assert.match(
    await client.sessions.transcript(session),
    /User: How many lamps\?\n\nAssistant: Forty/,
  )
  let again = ''
  for await (const piece of client.messages.followText(second, { offset: 3 })) again += piece
  assert.equal(again, 'ty.')
  await client.messages.stop(second)
  await client.messages.rate(second, { rating: 'down', comment: 'Forty-two.' })

  const [conversation] = await client.chatbots.conversations(chatbot, {
    limit: 5,
    channel: 'api',
    rating: 'down',
  })
  assert.equal(conversation!.messages, 2)
  const hourAgo = new Date(Date.now() - 3_600_000)
  const find = client.chatbots.conversations.bind(client.chatbots, chatbot)
  assert.deepEqual(await find({ search: 'LAMPS forty', from: hourAgo }), [conversation])
  assert.deepEqual(await find({ search: 'zebras' }), [])
  assert.deepEqual(await find({ to: hourAgo }), [])
  let lines = ''
  const wanted = { format: 'jsonl', search: 'LAMPS forty', from: hourAgo } as const
  for await (const piece of client.chatbots.exportConversations(chatbot, wanted)) lines += piece
  const exported: ExportedMessage[] = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(
    exported.map(({ uuid, rating }) => [uuid, rating]),
    [
      [first.uuid, null],
      [second.uuid, 'down'],
    ],
  )
  const [unanswered] = await client.chatbots.unanswered(chatbot)
  assert.equal(unanswered!.question, 'How many lamps?')
  await client.messages.settle(unanswered!.uuids)
  assert.deepEqual(await client.chatbots.unanswered(chatbot), [])
  await client.messages.settle(unanswered!.uuids, { settled: false })
  assert.deepEqual(await client.chatbots.unanswered(chatbot), [unanswered])
  assert.equal(
    (await client.chatbots.usageByDay(chatbot, { days: 7, utcOffset: 60 }))[0]!.messages,
    2,
  )
  await client.chatbots.setTokenBudget(chatbot, 1_000_000)
  assert.equal((await client.chatbots.usage(chatbot)).token_budget, 1_000_000)
  const later = new Date(Date.now() + 60_000)
  assert.equal((await client.sessions.list(chatbot, { to: later })).length, 1)
  assert.equal((await client.sessions.list(chatbot, { from: later })).length, 0)

  const told = await until(() => received.find(({ body }) => body.includes('How many lamps?')))
  assert.equal(await verifyWebhook(webhook.secret, told.headers, told.body), true)
  assert.equal(await verifyWebhook(webhook.secret, told.headers, `${told.body} `), false)
  assert.equal(await verifyWebhook('whsec_AAAA', told.headers, told.body), false)
  assert.ok((await client.webhooks.deliveries(webhook, { order: 'newest', limit: 100 })).length > 0)
  const test = await client.webhooks.test(webhook)
  const tried = await until(() => received.find(({ body }) => body.includes('webhook.test')))
  assert.equal(tried.headers['webhook-id'], test.uuid)
  assert.equal(await verifyWebhook(webhook.secret, tried.headers, tried.body), true)
  await client.webhooks.delete(webhook)

  const visitors = new Docent({ baseUrl: server.address, fetch: noting }).visitors
  assert.equal((await visitors.chatbot(chatbot, 'share')).title, 'Ask the museum')
  const visit = await visitors.open(chatbot, 'share')
  script.say('Welcome.')
  script.finish()
  for await (const event of visitors.ask(visit, 'Hello?')) {
    if (event.type === 'text-delta') assert.equal(event.text, 'Welcome.')
  }
  const [said] = await visitors.messages(visit)
  for await (const event of visitors.follow(visit, said!)) assert.notEqual(event.type, 'error')
  await visitors.stop(visit, said!)
  await visitors.rate(visit, said!, { rating: 'up' })
  assert.equal((await visitors.messages(visit))[0]!.rating, 'up')

  // Sign in like the server's own pages do.
  const page2 = new Docent({ baseUrl: server.address, fetch: noting })
  const password = 'a long enough password'
  assert.equal((await page2.signIn.state()).needs_account, true)
  await page2.signIn.setUp({ name: 'curator', password, code: server.services.setupCode })
  await page2.account.changePassword({ current: password, next: `${password}!` })
  await page2.signIn.signOut()
  const state = await page2.signIn.signIn({ name: 'curator', password: `${password}!` })
  assert.equal(state.user!.name, 'curator')

  // Delete everything.
  await client.messages.delete(first)
  await client.messages.deleteMany([second])
  await client.sources.delete(pair)
  await client.sources.deleteMany([page, file])
  const other = await client.sessions.create(chatbot)
  await client.sessions.delete(session)
  await client.sessions.deleteMany([other])
  assert.deepEqual(await client.chatbots.delete(chatbot), { success: true })

  assert.deepEqual([...seen].sort(), describedOperations().sort())
})

test('a long list is walked through page by page, each record once', async (t) => {
  const server = await startTestServer(t)
  const client = new Docent({ baseUrl: server.address, token: server.owner.token })
  for (let i = 0; i < 7; i++) await client.chatbots.create({ name: `Bot ${i}` })
  for (const limit of [1, 2, 7, 100]) {
    const names: string[] = []
    for await (const { name } of client.chatbots.each({ limit })) names.push(name)
    assert.deepEqual(
      names,
      Array.from({ length: 7 }, (_, i) => `Bot ${i}`),
    )
  }
  const all = await client.chatbots.list()
  const rest = await client.chatbots.list({ after: all[4]! })
  assert.deepEqual(rest, all.slice(5))
})
