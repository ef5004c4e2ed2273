import type { Client, TestServer } from '@docent/server/test/harness.ts'

export const ACCOUNT = { name: 'owner', password: 'a long enough password' }

export const MUSEUM = `# Visiting us

## Opening hours

The museum is open every day from 9 to 17, and on Fridays until 21. It is closed on 1 January.

## Tickets

A ticket costs 12 euros. Children under six enter free. On the first Sunday of the month everybody enters free.

## Getting here

The museum stands at the harbour, five minutes on foot from the central station. There are lifts to all floors.
`

/** Creates a chatbot with a source, suggested questions and custom colors. */
export async function stageMuseum(owner: Client, settings: object = {}): Promise<string> {
  const chatbot = await owner.createChatbot({
    name: 'Museum guide',
    show_citations: true,
    visibility: 'public',
    ...settings,
  })
  const upload = await owner.upload(chatbot, 'lantern-museum.md', MUSEUM)
  await owner.settled(((await upload.json()) as { uuid: string }).uuid)
  await owner.json('POST', `/chatbot/${chatbot}/widget/update`, {
    greeting: 'Welcome to the Lantern Museum! What would you like to know?',
    suggested_questions: ['When is the museum open?', 'What does a ticket cost?'],
  })
  return chatbot
}

export async function askAll(owner: Client, chatbot: string, questions: string[]): Promise<string> {
  const session = await owner.createSession(chatbot)
  for (const question of questions) await (await owner.ask(session, question)).text()
  return session
}

/** Creates the account through the API. Returns the cookie of its sign-in. */
export async function createAccount({ address, services }: TestServer): Promise<string> {
  const response = await fetch(`${address}/api/v1/auth/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ACCOUNT, code: services.setupCode }),
  })
  return /docent_sign_in=([^;]+)/.exec(response.headers.get('set-cookie')!)![1]!
}

async function askAsVisitor(owner: Client, chatbot: string, query: string): Promise<void> {
  const { body } = await owner.json('POST', `/public/chatbot/${chatbot}/session`, {
    channel: 'widget',
  })
  const visitor = { authorization: `Bearer ${body.secret}` }
  const path = `/public/session/${body.uuid}/message/stream`
  await (await owner.send('POST', path, { query }, visitor)).text()
}

/** Creates a chatbot with long names, two hundred sources, failures and a month of questions. */
export async function stageBusyMuseum({ owner, services }: TestServer) {
  const { db } = services
  const empty = await owner.createChatbot({
    name: 'Donaudampfschifffahrtsgesellschaft, which has a name that no card and no list has room for in one line',
  })
  const large = await owner.createChatbot({ name: 'Staff handbook', visibility: 'hybrid' })
  const chatbot = await stageMuseum(owner)
  await owner.createPair(chatbot, 'Is there a cloakroom?', 'Yes, beside the entrance.')
  await (
    await owner.upload(chatbot, 'history.txt', 'The museum was founded in 1921 by lamp makers.')
  ).json()
  await owner.createPair(chatbot, 'May I take photographs?', 'Yes, without flash.')
  const [{ uuid: source }] = (await owner.json('GET', `/chatbot/${chatbot}/data-sources`)).body
  // Delete the first answer, because it waits while models load and would look slow in pictures.
  const first = await askAll(owner, chatbot, ['Do children pay?'])
  await owner.json('POST', `/session/${first}/delete`)
  const session = await askAll(owner, chatbot, [
    'When is the museum open?',
    'What does a ticket cost?',
    'Do you rent out audio guides?',
  ])
  const [message] = await owner.messages(session)
  await owner.json('POST', `/message/${message.uuid}/feedback`, { rating: 'up' })
  await askAll(owner, chatbot, ['Do you rent out audio guides?', 'Is there a café?'])
  await askAsVisitor(owner, chatbot, 'Do children pay?')

  const row = await db
    .selectFrom('sources')
    .selectAll()
    .where('id', '=', source)
    .executeTakeFirstOrThrow()
  const { claim_id: _, ...template } = row
  const failed = { error: 'The page does not exist (404).' }
  await db
    .insertInto('sources')
    .values([
      ...Array.from({ length: 200 }, (_unused, i) => ({
        ...template,
        chatbot_id: large,
        id: `0${String(i).padStart(31, '0')}`,
        type: 'qa' as const,
        title: `Which lamps hang in room ${i}?`,
        file_name: '',
        file_size: 0,
        meta: JSON.stringify({ question: `Which lamps hang in room ${i}?`, answer: 'Oil lamps.' }),
      })),
      {
        ...template,
        id: 'f'.repeat(32),
        type: 'link' as const,
        title:
          'https://museum.example/visit/a-very-long-address-that-goes-on-and-on/with/many/parts/in/it?and=more',
        status: 'error:not found' as const,
        file_size: 0,
        tokens: 0,
        meta: JSON.stringify({ url: 'https://museum.example/visit', ...failed }),
      },
    ])
    .execute()

  const day = 86_400_000
  const asked = Array.from({ length: 29 }, (_unused, i) => i + 1).flatMap((daysAgo) =>
    Array.from({ length: 6 + ((daysAgo * 5) % 9) }, (_each, i) => ({ daysAgo, i })),
  )
  const past = await owner.createSession(chatbot)
  await db
    .insertInto('messages')
    .values(
      asked.map(({ daysAgo, i }) => ({
        id: `1${String(daysAgo * 100 + i).padStart(31, '0')}`,
        session_id: past,
        query: 'Where is the museum?',
        response: 'At the harbour.',
        finish_reason: i % 6 === 5 ? ('error' as const) : ('stop' as const),
        meta: JSON.stringify({
          model_used: 'docent-quote',
          actual_token_distribution: { total_tokens: 300 + ((i * 37 + daysAgo * 11) % 200) },
          timings_ms: { first_text: 8 + ((i * 13 + daysAgo * 7) % 14), total: 40 },
        }),
        feedback: i === 2 ? '{"rating":"up"}' : null,
        created_at: Date.now() - daysAgo * day,
        modified_at: Date.now() - daysAgo * day,
      })),
    )
    .execute()
  const webhook = await stageWebhook({ owner, db, chatbot, source })
  const receipts = Object.values(JSON.parse(message.meta_json).receipts) as Record<string, string>[]
  const [{ revision, start, end }] = receipts as [Record<string, string>]
  const cited = `revision=${revision}&start=${start}&end=${end}`
  return { chatbot, session, source, cited, empty, large, webhook }
}

/** Creates a webhook with a successful, a pending and a failed delivery. */
async function stageWebhook(given: {
  owner: Client
  db: TestServer['services']['db']
  chatbot: string
  source: string
}): Promise<string> {
  const { owner, db, chatbot, source } = given
  const { body } = await owner.json('POST', `/chatbot/${chatbot}/webhook/create`, {
    url: 'https://museum.example/hooks/docent',
    events: ['source.finished', 'source.failed'],
  })
  const now = Date.now()
  const hour = 3_600_000
  const told = (minutesAgo: number, ending: object) => ({
    id: `0${String(100 - minutesAgo).padStart(31, '0')}`,
    webhook_id: body.uuid,
    event: 'source.finished' as const,
    subject_id: source,
    response_status: 200,
    error: '',
    due_at: null,
    created_at: now - minutesAgo * 60_000,
    modified_at: now,
    ...ending,
  })
  const busy = { response_status: 503, error: 'The webhook responded with status 503.' }
  await db
    .insertInto('webhook_deliveries')
    .values([
      told(50, { status: 'failed', attempts: 8, ...busy }),
      told(20, { status: 'delivered', attempts: 1 }),
      told(5, { status: 'pending', attempts: 3, due_at: now + hour, ...busy }),
    ])
    .execute()
  return body.uuid
}
