import assert from 'node:assert/strict'
import { closeSync, existsSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import {
  Client,
  readUntil,
  scriptedModel,
  startTestServer,
  temporaryFolder,
  until,
} from '@docent/server/test/harness.ts'
import { makeSmallDisk, needsMounting } from '@docent/server/test/machine/small-disk.ts'
import { docent, serve } from '@docent/server/test/run-docent.ts'
import { ONLY_SQLITE, TEST_SERVER } from '@docent/server/test/test-database.ts'

const TEXT = 'A museum shows things that people made long ago. '

async function startOn(t: TestContext, folder: string, token?: string) {
  const child = await serve(folder)
  t.after(() => child.process.kill('SIGKILL'))
  return { child, client: new Client(child.address, token ?? child.token!) }
}

function isOneSentence(stderr: string, pattern: RegExp) {
  assert.match(stderr, pattern)
  assert.equal(stderr.trim().split('\n').length, 1, stderr)
}

const CONDITIONS = TEST_SERVER ? ONLY_SQLITE : needsMounting()

suite('a disk that is full', CONDITIONS, () => {
  test('costs nothing that was acknowledged, and what comes meanwhile is told why', async (t) => {
    const disk = makeSmallDisk(t, 24)
    const folder = join(disk.folder, 'data')
    const { child, client } = await startOn(t, folder)
    const chatbot = await client.createChatbot({ name: 'Before' })
    await client.createPair(chatbot, 'When is the museum open?', 'Daily from 9 to 17.')
    disk.fill(200_000)

    const acknowledged: string[] = []
    const refused: { status: number; body: { error: string; code: string } }[] = []
    for (let i = 0; i < 200 && refused.length < 3; i++) {
      const name = `bot ${i}`
      const { status, body } = await client.json('POST', '/chatbot/create', {
        name,
        prompt: TEXT.repeat(100),
      })
      if (status === 200) acknowledged.push(name)
      else refused.push({ status, body })
    }
    for (const { status, body } of refused) {
      assert.equal(status, 503)
      assert.equal(body.code, 'disk_full')
      assert.match(body.error, /server’s disk is full/)
    }
    assert.equal(refused.length, 3)
    const names = async (client: Client) =>
      (await client.json('GET', '/chatbots')).body.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names(client), ['Before', ...acknowledged], 'it still reads')
    const ready = () => fetch(`${child.address}/readyz`)
    const told = await ready()
    assert.equal(told.status, 503)
    assert.match(((await told.json()) as { error: string }).error, /server’s disk is full/)
    assert.equal((await fetch(`${child.address}/healthz`)).status, 200)

    disk.createVectorTables()
    await client.createChatbot({ name: 'After' })
    await until(async () => (await ready()).status === 200 || undefined)
    const session = await client.createSession(chatbot)
    assert.equal(
      await (await client.ask(session, 'When is the museum open?')).text(),
      'Daily from 9 to 17.',
    )
    await child.end('SIGKILL')
    const again = await startOn(t, folder, client.token)
    assert.deepEqual(await names(again.client), ['Before', ...acknowledged, 'After'])
  })

  test('leaves no answer that seems to run for ever', async (t) => {
    const disk = makeSmallDisk(t, 24)
    const script = scriptedModel()
    const environment = { DATA_DIR: join(disk.folder, 'data') }
    const { owner } = await startTestServer(t, { models: [script.model], environment })
    const session = await owner.createSession(await owner.createChatbot())
    const asked = owner.ask(session, 'Go on')
    script.say('It begins. ')
    const reader = (await asked).body!.getReader()
    await readUntil(reader, 'begins')
    disk.fill(0)
    script.say(TEXT.repeat(20_000))
    script.finish()
    await assert.rejects(readUntil(reader, 'There is no such text'))
    assert.equal((await owner.messages(session))[0].finish_reason, '')

    disk.createVectorTables()
    const message = await until(async () => {
      const [message] = await owner.messages(session)
      return message.finish_reason === '' ? undefined : message
    })
    assert.equal(message.finish_reason, 'error')
    assert.equal(message.error_message, 'The answer could not be stored.')
    assert.ok(message.response.startsWith('It begins. A museum'))
  })

  test('that only the log is on stops nothing', async (t) => {
    const disk = makeSmallDisk(t, 1)
    const folder = temporaryFolder(t)
    const log = openSync(join(disk.folder, 'log'), 'a')
    disk.fill(0)
    const child = await serve(folder, { LOG_LEVEL: 'debug' }, log)
    t.after(() => child.process.kill('SIGKILL'))
    closeSync(log)
    const client = new Client(child.address, child.token!)
    for (let i = 0; i < 150; i++) {
      assert.equal((await client.json('GET', '/chatbots')).status, 200)
    }
    assert.equal(await child.end('SIGTERM'), 0)
  })

  test('does not keep a server from stopping, and the next start finds everything', async (t) => {
    const disk = makeSmallDisk(t, 24)
    const folder = join(disk.folder, 'data')
    const { child, client } = await startOn(t, folder)
    await client.createChatbot({ name: 'Kept', prompt: TEXT.repeat(500) })
    disk.fill(0)
    assert.equal(await child.end('SIGTERM'), 0, child.output())
    disk.createVectorTables()
    const again = await startOn(t, folder, client.token)
    assert.equal((await again.client.json('GET', '/chatbots')).body[0].name, 'Kept')

    assert.equal(await again.child.end('SIGTERM'), 0)
    disk.fill(0)
    const { code, stderr } = await docent(folder, ['serve'], { PORT: '0' })
    assert.equal(code, 1)
    isOneSentence(stderr, /disk is full.*try again/)
  })

  test('keeps a backup from appearing half, and the old one stays', async (t) => {
    const folder = temporaryFolder(t)
    const { child, client } = await startOn(t, folder)
    await client.createChatbot({ name: 'Kept' })
    const disk = makeSmallDisk(t, 12)
    const file = join(disk.folder, 'all.gz')
    assert.equal((await docent(folder, ['backup', file])).code, 0)
    disk.fill(100_000)
    const { code, stderr } = await docent(folder, ['backup', file, '--force'])
    assert.equal(code, 1)
    isOneSentence(stderr, /disk is full/)
    assert.deepEqual(readdirSync(disk.folder).sort(), ['all.gz', 'filler'])
    await child.end('SIGTERM')

    const target = join(disk.folder, 'data')
    const full = await docent(folder, ['restore', file], { DATA_DIR: target })
    assert.equal(full.code, 1)
    isOneSentence(full.stderr, /disk is full/)
    assert.equal(existsSync(join(target, 'docent.db')), false)
    disk.createVectorTables()
    assert.equal((await docent(folder, ['restore', file], { DATA_DIR: target })).code, 0)
  })

  test('half way through a restore leaves the old state in charge', async (t) => {
    const disk = makeSmallDisk(t, 24)
    const folder = join(disk.folder, 'data')
    const { child, client } = await startOn(t, folder)
    await client.createChatbot({ name: 'Old' })
    const file = join(temporaryFolder(t), 'all.gz')
    assert.equal((await docent(folder, ['backup', file])).code, 0)
    await client.createChatbot({ name: 'New' })
    await child.end('SIGTERM')
    disk.fill(150_000)
    const { code, stderr } = await docent(folder, ['restore', file, '--force'])
    assert.equal(code, 1)
    isOneSentence(stderr, /disk is full/)
    assert.deepEqual(readdirSync(folder).sort(), [
      'docent.db',
      'server.lock',
      'server.lock.commands',
    ])
    disk.createVectorTables()
    const again = await startOn(t, folder, client.token)
    const { body } = await again.client.json('GET', '/chatbots')
    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      ['Old', 'New'],
    )
  })

  test('undoes an import', async (t) => {
    const disk = makeSmallDisk(t, 24)
    const folder = join(disk.folder, 'data')
    const { client } = await startOn(t, folder)
    const chatbot = await client.createChatbot({ name: 'Guide' })
    const upload = await client.upload(chatbot, 'long.txt', TEXT.repeat(3_000))
    await client.settled(((await upload.json()) as { uuid: string }).uuid)
    const file = join(temporaryFolder(t), 'bot.gz')
    assert.equal((await docent(folder, ['export', chatbot, file])).code, 0)
    disk.fill(100_000)
    const { code, stderr } = await docent(folder, ['import', file])
    assert.equal(code, 1)
    isOneSentence(stderr, /disk is full/)
    assert.equal((await client.json('GET', '/chatbots')).body.length, 1)
  })
})

suite('a disk that has become read-only', CONDITIONS, () => {
  test('still gives a backup, and a start says what is wrong', async (t) => {
    const disk = makeSmallDisk(t, 24)
    const folder = join(disk.folder, 'data')
    const { child, client } = await startOn(t, folder)
    await client.createChatbot({ name: 'Kept' })
    await child.end('SIGTERM')
    disk.makeReadOnly()
    const { code, stderr } = await docent(temporaryFolder(t), ['serve'], { DATA_DIR: folder })
    assert.equal(code, 1)
    isOneSentence(stderr, /is not writable for this user\. Set DATA_DIR to another one/)

    const file = join(temporaryFolder(t), 'all.gz')
    const made = await docent(temporaryFolder(t), ['backup', file], { DATA_DIR: folder })
    assert.equal(made.code, 0, made.stderr)
    const target = temporaryFolder(t)
    assert.equal((await docent(target, ['restore', file])).code, 0)
    const again = await startOn(t, target, client.token)
    assert.equal((await again.client.json('GET', '/chatbots')).body[0].name, 'Kept')
  })
})
