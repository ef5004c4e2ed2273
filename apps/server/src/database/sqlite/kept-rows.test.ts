import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client, type Ends, startTestServer } from '../../../test/harness.ts'
import { ONLY_SQLITE } from '../../../test/test-database.ts'
import { databaseFile } from '../data-folder.ts'
import { CONVERSATION_TABLES } from './conversation-tables.ts'

/** The server may take a little less than this to notice the writes of another process. */
const SEEN_MS = 40

suite('rows that are kept between writes', ONLY_SQLITE, () => {
  test('are read anew when another process changes them while people chat', async (t) => {
    const { config, owner, tokenFor } = await startTestServer(t)
    const chatbot = await owner.createChatbot({ rate_limit: [1000, 1] })
    const other = new DatabaseSync(databaseFile(config.dataDir), { timeout: 5000 })
    t.after(() => other.close())
    const chats = await keepChatting(t, owner, chatbot)
    for (let i = 0; i < 10; i++) {
      const { token, id } = await tokenFor('owner')
      const client = new Client(owner.base.replace('/api/v1', ''), token)
      assert.equal((await client.json('GET', `/chatbot/${chatbot}`)).status, 200)
      other.prepare('UPDATE chatbots SET name = ? WHERE id = ?').run(`Name ${i}`, chatbot)
      other.prepare('UPDATE tokens SET revoked_at = 1 WHERE id = ?').run(id)
      await sleep(SEEN_MS)
      assert.equal((await owner.json('GET', `/chatbot/${chatbot}`)).body.name, `Name ${i}`)
      assert.equal((await client.json('GET', `/chatbot/${chatbot}`)).status, 401)
    }
    assert.ok(chats.asked > 20, `${chats.asked} questions were asked meanwhile`)
  })

  test('are read anew when it was quiet ever since', async (t) => {
    const { config, owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot({ rate_limit: [1000, 1] })
    const session = await owner.createSession(chatbot)
    const other = new DatabaseSync(databaseFile(config.dataDir), { timeout: 5000 })
    t.after(() => other.close())
    for (let i = 0; i < 20; i++) {
      const asked = owner.ask(session, 'hello')
      await sleep(i % 5)
      other.prepare('UPDATE chatbots SET name = ? WHERE id = ?').run(`Name ${i}`, chatbot)
      await (await asked).text()
      await sleep(SEEN_MS)
      assert.equal((await owner.json('GET', `/chatbot/${chatbot}`)).body.name, `Name ${i}`)
    }
  })

  test('are read anew at once by whoever has changed them', async (t) => {
    const { owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot({ rate_limit: [1000, 1] })
    const chats = await keepChatting(t, owner, chatbot)
    for (let i = 0; i < 60; i++) {
      await owner.json('POST', `/chatbot/${chatbot}/update`, { name: `Name ${i}` })
      assert.equal((await owner.json('GET', `/chatbot/${chatbot}`)).body.name, `Name ${i}`)
    }
    assert.ok(chats.asked > 5, `${chats.asked} questions were asked meanwhile`)
  })

  test('of other tables are not changed by a conversation', async (t) => {
    const { services } = await startTestServer(t)
    const { rows: tables } = await sql<{
      name: string
      tbl_name: string
      type: string
      sql: string
    }>`
      SELECT name, tbl_name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL`.execute(
      services.db,
    )
    const named = (text: string, before: string) =>
      [...text.matchAll(new RegExp(`\\b${before}\\s+"?(\\w+)`, 'gi'))].map(([, name]) => name!)
    let told = 0
    for (const { name, tbl_name, type, sql: text } of tables) {
      if (type === 'trigger' && CONVERSATION_TABLES.includes(tbl_name)) {
        const written = ['insert into', 'insert or ignore into', 'delete from'].flatMap((before) =>
          named(text, before),
        )
        assert.deepEqual(
          written.filter((one) => !CONVERSATION_TABLES.includes(one)),
          [],
          name,
        )
        told += written.length
      }
      if (
        type === 'table' &&
        named(text, 'references').some((one) => CONVERSATION_TABLES.includes(one))
      ) {
        assert.ok(CONVERSATION_TABLES.includes(name), `${name} is deleted with a conversation`)
        told += 1
      }
    }
    assert.ok(told >= 4, `${told} things were looked at`)
  })
})

/** Four sessions that ask questions in sequence until the test is over. */
async function keepChatting(t: Ends, owner: Client, chatbot: string) {
  const chats = { asked: 0, goOn: true }
  for (const session of await Promise.all([1, 2, 3, 4].map(() => owner.createSession(chatbot)))) {
    const askNext = async () => {
      await (await owner.ask(session, 'hello')).text()
      chats.asked += 1
      if (chats.goOn) void askNext().catch(() => {})
    }
    void askNext()
  }
  t.after(() => {
    chats.goOn = false
  })
  await sleep(100)
  return chats
}
