import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { Client, temporaryFolder, until } from '../../../test/harness.ts'
import {
  DIMENSIONS,
  type LocalEmbeddings,
  startEmbeddings,
} from '../../../test/local-embeddings.ts'
import { makeDatabase } from '../../../test/test-database.ts'
import { readConfig } from '../../config.ts'
import { isPostgres } from '../../database/dialect.ts'
import { type RunningServer, startServer } from '../../main.ts'
import { BUILT_IN_NAME } from './built-in-constants.ts'

interface Started extends RunningServer {
  client: Client
  /** Returns the texts found, best first. */
  search(query: string): Promise<string[]>
  upload(text: string): Promise<void>
  /** The number of embedders with a table for their signs, and the number of vectors of each embedder. */
  stored(): Promise<{ tables: number; vectors: Record<string, number> }>
  isRefilled(): Promise<unknown>
}

const REFILL_BATCH = 64

/** Starts servers in sequence on the same data folder, with one chatbot. */
function onOneFolder(t: TestContext) {
  const DATA_DIR = temporaryFolder(t)
  let database: Promise<{ DATABASE_URL?: string }> | undefined
  let token = ''
  let chatbot = ''
  return async (environment: NodeJS.ProcessEnv = {}): Promise<Started> => {
    database ??= makeDatabase(t)
    const settings = { DATA_DIR, PORT: '0', LOG_LEVEL: 'silent', ...(await database) }
    const config = readConfig({ ...settings, ...environment })
    const server = await startServer(config)
    t.after(() => server.stop(0))
    token ||= server.firstToken!
    const client = new Client(server.address, token)
    chatbot ||= await client.createChatbot()
    const { db, embeddings } = server.services
    return {
      ...server,
      client,
      async search(query) {
        const { body } = await client.json('POST', `/chatbot/${chatbot}/search`, { query })
        return body.map(({ text }: { text: string }) => text)
      },
      async upload(text) {
        const response = await client.upload(chatbot, `${text.slice(0, 5)}.txt`, text)
        const { uuid } = (await response.json()) as { uuid: string }
        assert.equal((await client.settled(uuid)).status, 'success')
      },
      async stored() {
        // SQLite has a table of signs for each embedder.
        const tables = isPostgres(db)
          ? await sql`SELECT 1 FROM embedders`.execute(db)
          : await sql`SELECT 1 FROM sqlite_schema WHERE name GLOB 'passage_signs_[0-9]'`.execute(db)
        const { rows } = await sql<{ name: string; vectors: number }>`
          SELECT name, count(passage_id) AS vectors FROM embedders
          LEFT JOIN passage_vectors ON embedder_id = embedders.id GROUP BY name`.execute(db)
        const vectors = Object.fromEntries(rows.map(({ name, vectors }) => [name, vectors]))
        return { tables: tables.rows.length, vectors }
      },
      isRefilled: () => until(() => (embeddings.isRefilling ? undefined : true)),
    }
  }
}

function endpoint({ url }: LocalEmbeddings, dimensions = DIMENSIONS) {
  const EMBEDDINGS_DIMENSIONS = String(dimensions)
  return { EMBEDDER: 'endpoint:test', EMBEDDINGS_URL: url, EMBEDDINGS_DIMENSIONS }
}

const nameOf = ({ url }: LocalEmbeddings) => `test at ${new URL(url).host}`
const PRICE = 'Admission is 12 euros for adults.'
const PETS = 'Pets have to wait outside.'
const SOUP = 'Our soup is made of pumpkins.'

test('the old embedder serves until the new one has embedded everything, and is then gone', async (t) => {
  const start = onOneFolder(t)
  const before = await start()
  await before.upload(PRICE)
  await before.upload(PETS)
  await before.stop(0)

  const local = await startEmbeddings(t)
  // Hang while questions are asked, so that the old embedder answers them.
  local.state = () => 'hanging'
  const during = await start(endpoint(local))
  assert.equal(during.services.embeddings.isRefilling, true)
  assert.equal((await during.search('How expensive is it to get in?'))[0], PRICE)
  assert.equal((await during.search('Can I bring my dog?'))[0], PETS)
  assert.deepEqual((await during.stored()).vectors, { [BUILT_IN_NAME]: 2, [nameOf(local)]: 0 })
  await during.stop(0)

  local.state = () => 'up'
  const afterwards = await start(endpoint(local))
  await afterwards.isRefilled()
  assert.deepEqual(await afterwards.stored(), { tables: 1, vectors: { [nameOf(local)]: 2 } })
  const asked = local.requests.length
  assert.equal((await afterwards.search('What does a ticket cost?'))[0], PRICE)
  assert.equal((await afterwards.search('Are dogs welcome?'))[0], PETS)
  assert.equal(local.requests.length, asked + 2)
})

test('a server that is stopped in the middle goes on where it was', async (t) => {
  const start = onOneFolder(t)
  const before = await start()
  const paragraphs = Array.from({ length: 80 }, (_, i) => `Rule ${i} of the house. `.repeat(20))
  await before.upload(`${PRICE}\n\n${paragraphs.join('\n\n')}`)
  const { vectors } = await before.stored()
  const passages = vectors[BUILT_IN_NAME]!
  assert.ok(passages > REFILL_BATCH && passages < 2 * REFILL_BATCH)
  await before.stop(0)

  const local = await startEmbeddings(t)
  const embedded = () => local.requests.reduce((sum, { body }) => sum + body.input.length, 0)
  local.state = () => (embedded() < REFILL_BATCH ? 'up' : 'hanging')
  const killed = await start(endpoint(local))
  await until(() => (embedded() > REFILL_BATCH ? true : undefined))
  assert.equal(killed.services.embeddings.isRefilling, true)
  assert.equal((await killed.stored()).vectors[nameOf(local)], REFILL_BATCH)
  await killed.stop(0)

  local.requests.length = 0
  local.state = () => 'up'
  const again = await start(endpoint(local))
  await again.isRefilled()
  assert.equal(embedded(), passages - REFILL_BATCH)
  assert.deepEqual(await again.stored(), { tables: 1, vectors: { [nameOf(local)]: passages } })
  assert.match((await again.search('What does a ticket cost?'))[0]!, /Admission/)
})

test('passages that came while another embedder was tried are embedded on the way back', async (t) => {
  const start = onOneFolder(t)
  const before = await start()
  await before.upload(PRICE)
  await before.stop(0)

  const local = await startEmbeddings(t)
  // The new embedder accepts new texts, but never finishes the old ones.
  local.state = ({ body }) => (body.input.some((text) => text.includes(PRICE)) ? 'hanging' : 'up')
  const tried = await start(endpoint(local))
  await tried.upload(SOUP)
  assert.equal(tried.services.embeddings.isRefilling, true)
  await tried.stop(0)

  const back = await start()
  await back.isRefilled()
  assert.deepEqual(await back.stored(), { tables: 1, vectors: { [BUILT_IN_NAME]: 2 } })
  assert.equal((await back.search('What is for lunch?'))[0], SOUP)
})

test('an embedder whose dimensions were changed embeds everything anew', async (t) => {
  const start = onOneFolder(t)
  const local = await startEmbeddings(t)
  const before = await start(endpoint(local))
  await before.upload(PRICE)
  await before.upload(PETS)
  await before.stop(0)

  local.dimensions = 2 * DIMENSIONS
  const again = await start(endpoint(local, local.dimensions))
  await again.isRefilled()
  assert.deepEqual(await again.stored(), { tables: 1, vectors: { [nameOf(local)]: 2 } })
  assert.equal((await again.search('What does a ticket cost?'))[0], PRICE)
  assert.equal((await again.search('Are dogs welcome?'))[0], PETS)
})

test('vectors of a built-in encoder that no longer comes along are made anew', async (t) => {
  const start = onOneFolder(t)
  const local = await startEmbeddings(t)
  const before = await start(endpoint(local))
  await before.upload(PRICE)
  await before.upload(PETS)
  await sql`UPDATE embedders SET name = 'docent-meaning-en-1'`.execute(before.services.db)
  await before.stop(0)

  const updated = await start()
  assert.equal((await updated.search('How much is admission for adults?'))[0], PRICE)
  await updated.isRefilled()
  assert.deepEqual(await updated.stored(), { tables: 1, vectors: { [BUILT_IN_NAME]: 2 } })
  assert.equal((await updated.search('Are dogs welcome?'))[0], PETS)
})
