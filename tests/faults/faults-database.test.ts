import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  closeSync,
  cpSync,
  existsSync,
  openSync,
  readFileSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, suite, type TestContext, test } from 'node:test'
import { readConfig } from '@docent/server/src/config.ts'
import { startServer } from '@docent/server/src/main.ts'
import { Client, temporaryFolder } from '@docent/server/test/harness.ts'
import { docent, serve } from '@docent/server/test/run-docent.ts'
import { createEmptyDatabase, ONLY_SQLITE, TEST_SERVER } from '@docent/server/test/test-database.ts'

const original = temporaryFolder({ after })
const token = await fill(original)

/** Writes enough rows for many database pages. */
async function fill(folder: string): Promise<string> {
  const child = await serve(folder)
  const client = new Client(child.address, child.token!)
  for (let i = 0; i < 20; i++)
    await client.createChatbot({ name: `bot ${i}`, prompt: 'x'.repeat(20_000) })
  assert.equal(await child.end('SIGTERM'), 0)
  return client.token
}

/** Copies the data folder of a stopped server. */
function makeFolder(t: TestContext) {
  const folder = temporaryFolder(t)
  cpSync(original, folder, { recursive: true })
  return { folder, file: join(folder, 'docent.db') }
}

function overwrite(file: string, at: number, bytes: Uint8Array) {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

suite('a database that is damaged', ONLY_SQLITE, () => {
  for (const [what, damage] of [
    ['is no database', (file: string) => overwrite(file, 0, Buffer.from('not a database at all'))],
    ['was cut', (file: string) => truncateSync(file, 40_960)],
    ['was cut within its first page', (file: string) => truncateSync(file, 1_000)],
    ['lost its schema', (file: string) => overwrite(file, 100, Buffer.alloc(3_000, 0xa5))],
  ] as const) {
    test(`and ${what} is refused in one sentence, and left as it is`, async (t) => {
      const { folder, file } = makeFolder(t)
      damage(file)
      const then = hashOf(file)
      const refuses = async (args: string[]) => {
        const { code, stderr } = await docent(folder, args, { PORT: '0' })
        assert.equal(code, 1, args[0])
        assert.match(
          stderr,
          /is damaged.*(docent restore FILE --force|Restore the last good backup)/,
        )
        assert.equal(stderr.trim().split('\n').length, 1, stderr)
      }
      const diagnoses = async () => {
        const { code, stdout } = await docent(folder, ['doctor'])
        assert.equal(code, 1)
        assert.match(stdout, /WRONG data folder .*damaged.*docent restore/)
      }
      await Promise.all([refuses(['serve']), refuses(['backup', join(folder, 'x.gz')])])
      await Promise.all([refuses(['token', 'list']), diagnoses()])
      assert.equal(hashOf(file), then)
    })
  }

  test('in one place serves the rest, and a backup in its place serves all', async (t) => {
    const { folder, file } = makeFolder(t)
    const backup = join(temporaryFolder(t), 'all.gz')
    assert.equal((await docent(folder, ['backup', backup])).code, 0)
    const database = new DatabaseSync(file)
    const { rootpage } = database
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'chatbots'")
      .get() as { rootpage: number }
    database.close()
    overwrite(file, (rootpage - 1) * 4096, Buffer.alloc(4096, 0xa5))

    const child = await serve(folder)
    t.after(() => child.process.kill('SIGKILL'))
    const client = new Client(child.address, token)
    const { status, body } = await client.json('GET', '/chatbots')
    assert.equal(status, 503)
    assert.match(body.error, /server’s database is damaged/)
    assert.equal((await client.json('GET', '/user')).status, 200)
    await child.end('SIGTERM')

    assert.match((await docent(folder, ['doctor'])).stdout, /WRONG data folder .*damaged/)
    const refused = await docent(folder, ['backup', join(folder, 'x.gz')])
    assert.match(refused.stderr, /is damaged/)
    assert.equal((await docent(folder, ['restore', backup, '--force'])).code, 0)
    const again = await serve(folder)
    t.after(() => again.process.kill('SIGKILL'))
    const restored = await new Client(again.address, token).json('GET', '/chatbots')
    assert.equal(restored.body.length, 20)
  })
})

suite('a start that fails', ONLY_SQLITE, () => {
  test('lets go of the data folder, whatever it failed at', async (t) => {
    const { folder, file } = makeFolder(t)
    const settings = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' }
    const without = { ...settings, EMBEDDER: `folder:${temporaryFolder(t)}` }
    await assert.rejects(startServer(readConfig(without)), /config\.json/)

    const change = (sql: string) => {
      const database = new DatabaseSync(file)
      database.exec(sql)
      database.close()
    }
    change("INSERT INTO kysely_migration VALUES ('9999-from-the-future', '2030-01-01')")
    // Start twice: if the first attempt kept the folder's lock, the second would report another server.
    for (let i = 0; i < 2; i++)
      await assert.rejects(startServer(readConfig(settings)), /newer version of Docent/)
    const looked = await docent(folder, ['doctor'])
    assert.equal(looked.code, 1)
    assert.match(looked.stdout, /^WRONG data folder .*newer version of Docent/m)
    const backup = join(temporaryFolder(t), 'backup')
    const kept = await docent(folder, ['backup', backup])
    assert.notEqual(kept.code, 0)
    assert.match(kept.stderr, /newer version of Docent/)
    assert.equal(existsSync(backup), false, 'nothing that this version could not restore')
    change("DELETE FROM kysely_migration WHERE name LIKE '9999%'")

    const server = await startServer(readConfig(settings))
    await server.stop(0)
  })

  test('a command beside a running server is served, a second server is not', async (t) => {
    const { folder } = makeFolder(t)
    const child = await serve(folder)
    t.after(() => child.process.kill('SIGKILL'))
    const { code, stderr } = await docent(folder, ['serve'], { PORT: '0' })
    assert.equal(code, 1)
    assert.match(stderr, /^Another Docent server is using the data folder .* another DATA_DIR\.\n$/)
    assert.equal((await docent(folder, ['user', 'list'])).code, 0)
    assert.equal((await fetch(`${child.address}/readyz`)).status, 200)
  })
})

suite('the data of the first version', () => {
  test('is brought up to date, and answers as it did', async (t) => {
    const folder = temporaryFolder(t)
    const file = join(import.meta.dirname, '../../apps/server/test/files/data-of-0001.gz')
    const store = TEST_SERVER ? { DATABASE_URL: await createEmptyDatabase(t) } : {}
    const restored = await docent(folder, ['restore', file], store)
    assert.equal(restored.code, 0, restored.stderr)
    const child = await serve(folder, store)
    t.after(() => child.process.kill('SIGKILL'))
    const making = ['token', 'create', '--name', 'test', '--json']
    const { token } = (await docent(folder, making, store)).json()
    const client = new Client(child.address, token)
    const [chatbot] = (await client.json('GET', '/chatbots')).body
    assert.equal(chatbot.name, 'Museum guide')
    const answering = (await client.json('GET', `/chatbot/${chatbot.uuid}/answering`)).body
    assert.deepEqual(answering, { pairs_override: false, model_used: 'docent-quote' })
    const sources = (await client.json('GET', `/chatbot/${chatbot.uuid}/data-sources`)).body
    assert.deepEqual(
      sources.map(({ type, status }: { type: string; status: string }) => ({ type, status })),
      [
        { type: 'qa', status: 'success' },
        { type: 'upload', status: 'success' },
      ],
    )
    const [session] = (await client.json('GET', `/chatbot/${chatbot.uuid}/sessions`)).body
    const [message] = await client.messages(session.uuid)
    assert.equal(message.response, 'Daily from 9 to 17. [1.1]')
    const verify = `/message/${message.uuid}/citations/verify`
    assert.equal((await client.json('GET', verify)).body.verified, true)
    const answer = await client.ask(session.uuid, 'What is the admission for adults?')
    assert.match(await answer.text(), /^Admission is 12 euros for adults\. \[1\.1\]/)
  })
})
