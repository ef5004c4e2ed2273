import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { BUILT_IN_DIMENSIONS } from '../src/models/embedding/built-in.ts'
import { Inference } from '../src/models/inference.ts'
import { childrenRunning, isRunning } from './child-processes.ts'
import { temporaryFolder, until } from './harness.ts'
import { startCli } from './run-docent.ts'

const PROGRAM = 'inference-process'

suite('the process in which models run', () => {
  test('keeps no record for the makers of its library', async (t) => {
    const home = temporaryFolder(t)
    const script = join(import.meta.dirname, 'embed-once.ts')
    const args = ['--disable-warning=ExperimentalWarning', script]
    // Nothing else, so that it does not know of a continuous integration, where it is quiet anyhow.
    const env = { HOME: home }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    assert.equal(stdout, `${BUILT_IN_DIMENSIONS}\n`)
    assert.deepEqual(readdirSync(home), [])
  })

  test('starts when it is needed, and another when it was killed', async (t) => {
    const { client, child } = await startCli(t)
    const processes = () => childrenRunning(child.process.pid!, PROGRAM)
    const chatbot = await client.createChatbot()
    assert.deepEqual(processes(), [])
    const first = await client.upload(chatbot, 'hours.txt', 'The museum is open daily until five.')
    await client.settled(((await first.json()) as { uuid: string }).uuid)
    const [killed] = processes()
    const session = await client.createSession(chatbot)
    // What stops a service sends this to every process of it, and the server is the one to end them.
    process.kill(killed!, 'SIGTERM')
    await (await client.ask(session, 'When does the museum open?')).text()
    assert.deepEqual(processes(), [killed])

    process.kill(killed!, 'SIGKILL')
    await until(async () => !processes().includes(killed!))
    const answer = await client.ask(session, 'Until when is the museum open?')
    assert.match(await answer.text(), /open daily until five/)
    assert.equal(processes().length, 1)
  })

  test('is ended when it hangs, and another takes over', async (t) => {
    const inference = new Inference(undefined, 3_000)
    t.after(() => inference.close())
    const task = { kind: 'embed' as const, texts: ['Open daily until five.'], isQuestion: false }
    await inference.run(task)
    const [hanging] = childrenRunning(process.pid, PROGRAM)
    process.kill(hanging!, 'SIGSTOP')
    await assert.rejects(inference.run(task), /process of the models ended/)
    assert.equal((await inference.run(task)).length, 1)
    assert.notDeepEqual(childrenRunning(process.pid, PROGRAM), [hanging])
  })

  test('does not take a source with it', async (t) => {
    const { client, child } = await startCli(t)
    const chatbot = await client.createChatbot()
    const text = Array.from({ length: 2_000 }, (_, i) => `Hall ${i} is open until five.`).join(
      '\n\n',
    )
    const upload = await client.upload(chatbot, 'halls.txt', text)
    const { uuid } = (await upload.json()) as { uuid: string }
    const [busy] = await until(async () => {
      const found = childrenRunning(child.process.pid!, PROGRAM)
      const { body } = await client.json('GET', `/data-source/${uuid}`)
      return found.length > 0 && body.status === 'embedding' ? found : undefined
    })
    process.kill(busy!, 'SIGKILL')
    assert.equal((await client.settled(uuid)).status, 'success')
  })

  test('ends with the server, however that ends', async (t) => {
    const { client, child } = await startCli(t)
    const chatbot = await client.createChatbot()
    await client.json('POST', `/chatbot/${chatbot}/search`, { query: 'opening hours' })
    await client.createPair(chatbot, 'What does it cost?', 'Twelve euros.')
    const [left] = await until(async () => {
      const found = childrenRunning(child.process.pid!, PROGRAM)
      return found.length > 0 ? found : undefined
    })
    child.process.kill('SIGKILL')
    await until(async () => !isRunning(left!))
  })
})
