import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { Client, temporaryFolder } from '../../../test/harness.ts'
import { startProvider } from '../../../test/local-provider.ts'
import { createDatabase } from '../../../test/test-database.ts'
import { readConfig } from '../../config.ts'
import { type RunningServer, startServer } from '../../main.ts'
import { listUsers } from '../accounts/users.store.ts'
import { createToken } from '../tokens/tokens.store.ts'

suite('a chatbot keeps its model', async () => {
  const provider = await startProvider({ after })
  const database = await createDatabase()
  const DATA_DIR = temporaryFolder({ after })
  const usual = { DATA_DIR, PORT: '0', LOG_LEVEL: 'silent', ...database.settings }
  const withModels = (OPENAI_MODELS: string, DEFAULT_MODEL: string) => ({
    OPENAI_API_KEY: provider.key,
    OPENAI_BASE_URL: `${provider.address}/v1`,
    OPENAI_MODELS,
    DEFAULT_MODEL,
  })
  let running: RunningServer | undefined
  after(async () => {
    await running?.stop(0)
    await database.drop()
  })

  async function startWith(environment: NodeJS.ProcessEnv = {}, options?: { listens: boolean }) {
    await running?.stop(0)
    running = await startServer(readConfig({ ...usual, ...environment }), [], options)
    const { db } = running.services
    const [owner] = await listUsers(db)
    const { token } = await createToken(db, { userId: owner!.id, name: 'test' })
    return { client: new Client(running.address, token), db }
  }

  async function answeredBy(client: Client, chatbot: string): Promise<string> {
    const session = await client.createSession(chatbot)
    await (await client.ask(session, 'Where is the tower?')).text()
    const meta = JSON.parse((await client.messages(session))[0].meta_json)
    return `${meta.model_asked} → ${meta.model_used}`
  }

  const modelOf = async (client: Client, chatbot: string) =>
    (await client.json('GET', `/chatbot/${chatbot}`)).body.meta.model
  const madeBefore: string[] = []
  let family = ''
  let made = ''

  test('that an earlier version left to the server’s default: the one that answers now', async () => {
    const { client, db } = await startWith()
    for (let i = 0; i < 3; i++) madeBefore.push(await client.createChatbot())
    family = await client.createChatbot({ model: 'gpt-4o-8k' })
    await db.updateTable('chatbots').set({ model: null }).where('id', 'in', madeBefore).execute()

    await startWith({}, { listens: false })
    assert.equal(await countWithout(running!), 3)
    const again = await startWith()
    assert.equal(await countWithout(running!), 0)
    for (const chatbot of madeBefore)
      assert.equal(await modelOf(again.client, chatbot), 'docent-quote')
    assert.equal(await modelOf(again.client, family), 'gpt-4o-8k')
  })

  test('when a provider comes: the default is for new ones', async () => {
    const { client } = await startWith(withModels('local-test=16000,other-test', 'local-test'))
    assert.equal(await answeredBy(client, madeBefore[0]!), 'docent-quote → docent-quote')
    assert.equal(await answeredBy(client, family), 'gpt-4o-8k → local-test')
    made = await client.createChatbot()
    assert.equal(await modelOf(client, made), 'local-test')
    assert.equal(await answeredBy(client, made), 'local-test → local-test')
  })

  test('when the default changes, whatever is changed beside it', async () => {
    const { client } = await startWith(withModels('local-test=16000,other-test', 'other-test'))
    await client.json('POST', `/chatbot/${made}/update`, { name: 'Other' })
    assert.equal(await answeredBy(client, made), 'local-test → local-test')
    assert.equal(await answeredBy(client, family), 'gpt-4o-8k → other-test')
    const { body } = await client.json('GET', `/chatbot/${made}/answering`)
    assert.equal(body.model_used, 'local-test')
  })

  test('when it is there no more: the default answers meanwhile, and both are named', async () => {
    const { client } = await startWith(withModels('other-test', 'other-test'))
    assert.equal(await modelOf(client, made), 'local-test')
    assert.equal(await answeredBy(client, made), 'local-test → other-test')
    const { body } = await client.json('GET', `/chatbot/${made}/answering`)
    assert.equal(body.model_used, 'other-test')
    const record = (await client.json('GET', `/chatbot/${made}`)).body
    const sentBack = await client.json('POST', `/chatbot/${made}/update`, record)
    assert.equal(sentBack.status, 200)
    assert.equal((await client.json('POST', '/chatbot/create', { ...record })).status, 422)

    const back = await startWith(withModels('local-test,other-test', 'other-test'))
    assert.equal(await answeredBy(back.client, made), 'local-test → local-test')
  })

  async function countWithout({ services }: RunningServer): Promise<number> {
    const { db } = services
    return (await db.selectFrom('chatbots').select('id').where('model', 'is', null).execute())
      .length
  }
})
