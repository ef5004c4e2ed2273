import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { childrenRunning, isRunning } from '../../../test/child-processes.ts'
import { temporaryFolder, until } from '../../../test/harness.ts'
import { startCli } from '../../../test/run-docent.ts'
import { BUILT_IN_DIMENSIONS } from '../embedding/built-in-constants.ts'
import { Inference } from './inference.ts'

const PROGRAM = 'inference-worker'

function embed(text: string, isQuestion: boolean) {
  return { kind: 'embed' as const, texts: [text], isQuestion }
}

suite('the process in which models run', () => {
  test('keeps no record for the makers of its library', async (t) => {
    const home = temporaryFolder(t)
    const script = join(import.meta.dirname, '../../../test/embed-once.ts')
    const args = ['--disable-warning=ExperimentalWarning', script]
    // Nothing else: the library keeps no records when it detects CI.
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
    // Service managers send this signal to all processes, but only the server may end this one.
    process.kill(killed!, 'SIGTERM')
    await (await client.ask(session, 'When does the museum open?')).text()
    assert.deepEqual(processes(), [killed])

    process.kill(killed!, 'SIGKILL')
    await until(async () => !processes().includes(killed!))
    const answer = await client.ask(session, 'Until when is the museum open?')
    assert.match(await answer.text(), /open daily until five/)
    assert.equal(processes().length, 1)
  })

  test('is ended when it hangs: a question goes on without it, and another is given the passages', async (t) => {
    const inference = new Inference()
    t.after(() => inference.close())
    const question = embed('When are you open?', true)
    const passage = embed('Open daily until five.', false)
    await inference.run(question, 'somebody')
    const [hanging] = childrenRunning(process.pid, PROGRAM)
    process.kill(hanging!, 'SIGSTOP')
    const order: string[] = []
    const passages = inference.run(passage, 'somebody').then((vectors) => {
      order.push('passages')
      return vectors
    })
    await assert.rejects(inference.run(question, 'somebody'), /does not respond/)
    // Questions fail immediately while the process is known to hang.
    await assert.rejects(inference.run(question, 'another'), /does not respond/)
    order.push('questions')
    assert.equal((await passages).length, 1)
    assert.deepEqual(order, ['questions', 'passages'])
    assert.equal((await inference.run(question, 'somebody')).length, 1)
    assert.ok(!childrenRunning(process.pid, PROGRAM).includes(hanging!))
  })

  test('does not keep a question waiting while it hangs', async (t) => {
    const { client, child } = await startCli(t)
    const processes = () => childrenRunning(child.process.pid!, PROGRAM)
    const chatbot = await client.createChatbot()
    const upload = await client.upload(chatbot, 'hours.txt', 'The museum is open daily until five.')
    await client.settled(((await upload.json()) as { uuid: string }).uuid)
    const [hanging] = processes()
    process.kill(hanging!, 'SIGSTOP')
    const session = await client.createSession(chatbot)
    const answer = await client.ask(session, 'Until when is the museum open?')
    assert.match(await answer.text(), /open daily until five/)
    await until(async () => !isRunning(hanging!) || undefined)
    const again = await client.ask(session, 'And on which days is the museum open?')
    assert.match(await again.text(), /open daily until five/)
  })

  test('serves owners in turns, and questions before the passages of documents', async (t) => {
    const inference = new Inference()
    t.after(() => inference.close())
    let questions = 0
    let batches = 0
    const greedy = Array.from({ length: 200 }, async (_, i) => {
      await inference.run(embed(`What is number ${i}?`, true), 'greedy')
      questions += 1
    })
    const documents = Array.from({ length: 50 }, async (_, i) => {
      await inference.run(embed(`Number ${i} is open until five.`, false), 'greedy')
      batches += 1
    })
    await inference.run(embed('When are you open?', true), 'another')
    assert.ok(questions <= 8, `${questions} questions were served before it`)
    assert.ok(batches <= 8, `${batches} batches were served before it`)
    await Promise.all([...greedy, ...documents])
    assert.equal(inference.waiting, 0)
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
