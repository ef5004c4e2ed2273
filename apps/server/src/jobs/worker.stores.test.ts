import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { temporaryFolder } from '../../test/harness.ts'
import { startDocent } from '../../test/remote-docent.ts'
import { makeDatabase, ONLY_POSTGRES, TEST_SERVER } from '../../test/test-database.ts'
import { openDatabase } from '../database/open-database.ts'
import { createUser } from '../features/accounts/users.store.ts'
import { createChatbot } from '../features/chatbots/chatbots.store.ts'
import { createSource } from '../features/sources/sources.store.ts'

suite('docent worker', ONLY_POSTGRES, () => {
  test('takes in sources without listening anywhere; when one is killed, another goes on', async (t) => {
    const settings = await makeDatabase(t)
    const databaseUrl = settings.DATABASE_URL
    const folder = temporaryFolder(t)
    const { db, close } = await openDatabase({
      dataDir: folder,
      databaseUrl,
      databaseConnections: 6,
    })
    t.after(close)
    const owner = await createUser(db, 'owner')
    const chatbot = await createChatbot(db, owner.id, { name: 'Guide', settings: {} })
    const add = async (question: string) => {
      const meta = { question, answer: 'Daily from 9 to 17.' }
      const source = await createSource(db, chatbot, { type: 'qa', title: question, meta })
      return source.id
    }
    const isTakenIn = async (id: string) => {
      const row = db.selectFrom('sources').select('status').where('id', '=', id)
      return (await row.executeTakeFirstOrThrow()).status === 'success'
    }
    const start = (name: string) => {
      // Not an address of this machine: a worker does not listen on it.
      const environment = { ...settings, DATA_DIR: `${folder}/${name}`, HOST: '203.0.113.7' }
      return startDocent(t, ['worker'], environment, folder)
    }

    const first = await add('When are you open?')
    const one = start('one')
    await one.says(/The Docent worker is running/)
    assert.ok(!one.output().includes(new URL(TEST_SERVER!).password || 'no password'))
    while (!(await isTakenIn(first))) assert.equal(one.process.exitCode, null, one.output())
    one.process.kill('SIGKILL')
    await one.ended

    const second = await add('When are you closed?')
    const two = start('two')
    while (!(await isTakenIn(second))) assert.equal(two.process.exitCode, null, two.output())
    two.process.kill('SIGTERM')
    assert.equal((await two.ended).code, 0)
    assert.doesNotMatch(two.output(), /Token: /)
  })
})
