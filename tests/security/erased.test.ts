import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseFile } from '@docent/server/src/database/data-folder.ts'
import { Client, startTestServer, temporaryFolder, until } from '@docent/server/test/harness.ts'
import { startProvider } from '@docent/server/test/local-provider.ts'
import { docentOn, runForJson, startCli } from '@docent/server/test/run-docent.ts'
import { ONLY_SQLITE } from '@docent/server/test/test-database.ts'

// Searches every byte of the data folder for a unique word, which must be there before erasing and gone afterwards.

const CONSONANTS = 'bcdfghjkmnpqvwxz'

/** A word that no text analysis splits, and that is part of no other word. */
function secretWord(): string {
  return `zq${[...randomBytes(12)].map((byte) => CONSONANTS[byte % 16]).join('')}`
}

/** The files that contain the word, in either case. The index stores its first eight letters, and prefixes apart. */
function filesWith(folder: string, word: string): string[] {
  const kept = word.slice(2, 8)
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => readFileSync(file).toString('latin1').toLowerCase().includes(kept))
}

/** The server erases some seconds after it deletes. */
async function waitUntilErased(folder: string, what: string, word: string): Promise<void> {
  const until = Date.now() + 120_000
  while (filesWith(folder, word).length > 0 && Date.now() < until) await sleep(250)
  assert.deepEqual(filesWith(folder, word), [], what)
}

async function fill(client: Client): Promise<string> {
  const chatbot = await client.createChatbot()
  const text = Array.from({ length: 300 }, (_, i) => `Room ${i} has ${i * 7} vases and a lamp.`)
  const upload = await client.upload(chatbot, 'rooms.txt', text.join('\n\n'))
  await client.settled(((await upload.json()) as { uuid: string }).uuid)
  return chatbot
}

const KINDS: Record<string, (client: Client, chatbot: string, word: string) => Promise<string>> = {
  async 'a file'(client, chatbot, word) {
    const text = `The guard’s name is ${word}. `.repeat(400)
    const upload = await client.upload(chatbot, `${word}.txt`, text)
    const { uuid } = (await upload.json()) as { uuid: string }
    assert.equal((await client.settled(uuid)).status, 'success')
    return `POST /data-source/${uuid}/delete`
  },
  async 'a pair'(client, chatbot, word) {
    const uuid = await client.createPair(chatbot, `Who is ${word}?`, `${word} is the guard.`)
    return `POST /data-source/${uuid}/delete`
  },
  async 'a session with its messages'(client, chatbot, word) {
    const session = await client.createSession(chatbot)
    for (let i = 0; i < 3; i++) await (await client.ask(session, `Where is ${word} ${i}?`)).text()
    return `POST /session/${session}/delete`
  },
  async 'a message'(client, chatbot, word) {
    const session = await client.createSession(chatbot)
    await (await client.ask(session, `Where is ${word}?`)).text()
    const [message] = await client.messages(session)
    return `POST /message/${message.uuid}/delete`
  },
  async 'a chatbot with everything in it'(client, _, word) {
    const chatbot = await client.createChatbot({ name: word, prompt: `You are ${word}.` })
    await client.createPair(chatbot, `Who is ${word}?`, `${word} is the guard.`)
    const session = await client.createSession(chatbot)
    await (await client.ask(session, `Who is ${word}?`)).text()
    await client.json('POST', `/chatbot/${chatbot}/widget/update`, { greeting: word })
    return `DELETE /chatbot/${chatbot}/delete`
  },
}

test(
  'what is deleted leaves no byte behind, nor in a copy that is made of the database',
  ONLY_SQLITE,
  async (t) => {
    const { owner, config } = await startTestServer(t)
    const chatbot = await fill(owner)
    const kept = secretWord()
    await owner.createPair(chatbot, `Who is ${kept}?`, 'The guard.')
    const words = new Map<string, string>()
    for (const [what, make] of Object.entries(KINDS)) {
      const word = secretWord()
      const [method, path] = (await make(owner, chatbot, word)).split(' ')
      assert.notDeepEqual(filesWith(config.dataDir, word), [], `${what} is there before`)
      assert.equal((await owner.json(method!, path!)).status, 200)
      words.set(what, word)
    }
    for (const [what, word] of words) await waitUntilErased(config.dataDir, what, word)

    const folder = temporaryFolder(t)
    const database = new DatabaseSync(databaseFile(config.dataDir), { readOnly: true })
    database.exec(`VACUUM INTO '${join(folder, 'copy.db')}'`)
    database.close()
    assert.notDeepEqual(filesWith(folder, kept), [], 'a word is found where it is')
    for (const [what, word] of words) assert.deepEqual(filesWith(folder, word), [], what)

    const query = 'How many vases has room 250?'
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/search`, { query })
    assert.match(body[0].text, /Room 250 has 1750 vases/, 'everything else is as it was')
  },
)

test(
  'a user who is removed leaves no byte behind when the command has ended, whether a server runs or not',
  ONLY_SQLITE,
  async (t) => {
    const server = await startTestServer(t)
    await fill(server.owner)
    const words = [secretWord(), secretWord()]
    for (const word of words) {
      await docentOn(server, ['user', 'create', word])
      const making = ['token', 'create', '--name', word, '--user', word]
      const client = new Client(server.address, (await runForJson(server, making)).token)
      for (const make of Object.values(KINDS)) await make(client, await fill(client), word)
    }
    for (const word of words) {
      assert.notDeepEqual(filesWith(server.config.dataDir, word), [])
      const { code, stderr } = await docentOn(server, ['user', 'remove', word, '--yes'])
      assert.deepEqual([code, stderr], [0, ''])
      assert.deepEqual(filesWith(server.config.dataDir, word), [])
      await server.stop()
    }
  },
)

test('turns that the server keeps in mind for the next question go with what is deleted', async (t) => {
  const provider = await startProvider(t)
  const folder = temporaryFolder(t)
  const { client, child } = await startCli(t, {
    OPENAI_API_KEY: provider.key,
    OPENAI_BASE_URL: `${provider.address}/v1`,
    OPENAI_MODELS: 'local-test=16000',
    NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${folder}`,
  })
  const chatbot = await client.createChatbot({ rate_limit: [1000, 1] })
  const say = async (session: string) => {
    const [asked, answered] = [secretWord(), secretWord()]
    provider.replies = [{ words: [`${answered} is`, ' here.'] }]
    await (await client.ask(session, `Where is ${asked}?`)).text()
    return [asked, answered]
  }
  const other = await client.createChatbot()
  const sessions: string[] = []
  for (const bot of [chatbot, chatbot, chatbot, other])
    sessions.push(await client.createSession(bot))
  const [kept, cleared, gone, along] = sessions as [string, string, string, string]
  const words = [...(await say(cleared)), ...(await say(gone)), ...(await say(along))]
  const uuids = [(await client.messages(cleared))[0].uuid]
  await client.json('POST', '/messages/delete', { uuids })
  await client.json('POST', `/session/${gone}/delete`)
  await client.json('DELETE', `/chatbot/${other}/delete`)
  // A connection may keep its last data in memory until it receives other data.
  for (let i = 0; i < 5; i++) await say(kept)

  child.process.kill('SIGUSR2')
  const snapshot = await until(async () => {
    const [file] = globSync(join(folder, '*.heapsnapshot'))
    const text = file === undefined ? '' : readFileSync(file, 'latin1')
    return text.trimEnd().endsWith('}') ? text : undefined
  })
  assert.ok(snapshot.includes('local-test'), 'what is in memory is in the file')
  for (const word of words) assert.ok(!snapshot.includes(word), `${words.indexOf(word)} is there`)
})
