import assert from 'node:assert/strict'
import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { suite, type TestContext, test } from 'node:test'
import { childrenRunning, workOf } from '@docent/server/test/child-processes.ts'
import { type Client, startSite, startTestServer, until } from '@docent/server/test/harness.ts'
import { openai } from '@docent/server/test/provider-protocols.ts'

/** Makes a provider that can stop and start again at the same address. */
async function makeProvider(t: TestContext) {
  const listener: RequestListener = (request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const events = [...openai.begin('local-test'), openai.say('I am back.')]
    const tokens = { prompt: 1, completion: 1 }
    response.end([...events, ...openai.finish('stop', tokens)].join(''))
  }
  let server = createServer()
  const start = async (port: number) => {
    server = createServer(listener).listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const stop = async () => {
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  const port = await start(0)
  t.after(stop)
  return { url: `http://127.0.0.1:${port}/v1`, stop, comeBack: () => start(port) }
}

async function makeGuide(owner: Client) {
  const chatbot = await owner.createChatbot({ rate_limit: [1000, 1] })
  await owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')
  return owner.createSession(chatbot)
}

suite('a provider that is down', () => {
  test('fails every question with a reason, and the first one after it is back is answered', async (t) => {
    const provider = await makeProvider(t)
    const { owner, services } = await startTestServer(t, {
      environment: {
        OPENAI_BASE_URL: provider.url,
        OPENAI_MODELS: 'local-test=16000',
        DEFAULT_MODEL: 'local-test',
      },
    })
    const session = await makeGuide(owner)
    await provider.stop()
    const asked = Array.from({ length: 20 }, async (_, i) => {
      const { status, body } = await owner.json('POST', `/session/${session}/message/non-stream`, {
        query: `Question ${i}`,
      })
      return `${status} ${body.error}`
    })
    const said = new Set(await Promise.all(asked))
    assert.equal(said.size, 1)
    assert.match([...said][0]!, /^502 The language model failed: .* could not be reached\.$/)
    assert.equal(services.places.taken, 0, 'nobody is kept')

    await provider.comeBack()
    assert.equal(await (await owner.ask(session, 'Are you there?')).text(), 'I am back.')
    const messages = await owner.messages(session)
    assert.equal(messages.length, 21)
    for (const { finish_reason, error_message } of messages.slice(0, 20)) {
      assert.equal(finish_reason, 'error')
      assert.match(error_message, /could not be reached/)
    }
    assert.equal(messages[20].response, 'I am back.')
  })

  test('is stood in for, for as long as it is down and no longer', async (t) => {
    const provider = await makeProvider(t)
    const { owner } = await startTestServer(t, {
      environment: {
        OPENAI_BASE_URL: provider.url,
        OPENAI_MODELS: 'local-test=16000',
        DEFAULT_MODEL: 'local-test',
        MODEL_FALLBACKS: 'docent-quote',
      },
    })
    const session = await makeGuide(owner)
    const ask = async () => (await owner.ask(session, 'When are you open?')).text()
    await provider.stop()
    for (let i = 0; i < 3; i++) assert.equal(await ask(), 'Daily from 9 to 17.')
    await provider.comeBack()
    assert.equal(await ask(), 'I am back.')
    const used = (await owner.messages(session)).map(({ meta_json }) => JSON.parse(meta_json))
    assert.deepEqual(
      used.map(({ model_used }) => model_used),
      ['docent-quote', 'docent-quote', 'docent-quote', 'local-test'],
    )
  })
})

/** Makes DNS fail. `bringBack` then resolves every name to this machine. */
function takeDnsAway(t: TestContext): { bringBack(): void } {
  const { lookup, promises } = dns
  const lookUpWell = promises.lookup
  const again = () => Object.assign(new Error('getaddrinfo EAI_AGAIN'), { code: 'EAI_AGAIN' })
  const restore = () => {
    dns.lookup = lookup
    promises.lookup = lookUpWell
    syncBuiltinESMExports()
  }
  t.after(restore)
  dns.lookup = ((_host: string, _options: object, done: (error: Error) => void) =>
    setImmediate(done, again())) as unknown as typeof dns.lookup
  promises.lookup = (async () => {
    throw again()
  }) as unknown as typeof promises.lookup
  syncBuiltinESMExports()
  return {
    bringBack() {
      promises.lookup = (async () => [
        { address: '127.0.0.1', family: 4 },
      ]) as unknown as typeof promises.lookup
      syncBuiltinESMExports()
    },
  }
}

suite('a DNS that is down', () => {
  test('is named to whoever adds a page, which is read when it is back, and to whoever asks', async (t) => {
    const site = await startSite(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end('<title>Museum</title><p>The museum shows lamps of the Romans.</p>')
    })
    const { port } = new URL(site)
    const { owner } = await startTestServer(t, {
      environment: {
        ALLOW_PRIVATE_HOSTS: 'museum.example',
        OPENAI_BASE_URL: 'http://models.example/v1',
        OPENAI_MODELS: 'local-test=16000',
        DEFAULT_MODEL: 'local-test',
      },
    })
    const chatbot = await owner.createChatbot()
    const session = await owner.createSession(chatbot)
    const resolver = takeDnsAway(t)
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
      url: `http://museum.example:${port}/`,
    })
    const waiting = await until(async () => {
      const source = (await owner.json('GET', `/data-source/${body.uuid}`)).body
      return JSON.parse(source.meta_json).waiting as string | undefined
    })
    assert.match(waiting, /museum\.example could not be looked up because no DNS server responds/)
    const refused = await owner.ask(session, 'Which lamps are shown?')
    assert.equal(refused.status, 502)
    assert.match(await refused.text(), /could not be reached/)

    resolver.bringBack()
    const source = await owner.settled(body.uuid)
    assert.equal(source.status, 'success', source.meta_json)
    assert.equal(source.title, 'Museum')
  })
})

suite('a process that reads documents and is killed for its memory', () => {
  test('fails its source with a sentence, and the next one is read', async (t) => {
    const { owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot()
    await owner.createPair(chatbot, 'When are you open?', 'Daily from 9 to 17.')
    const readers = () => childrenRunning(process.pid, 'document-worker')
    const [reader] = readers() as [number]
    const before = workOf(reader)
    // This file takes longer to parse than the test lasts. The idle process reads it.
    const upload = await owner.upload(chatbot, 'deep.html', '<b>'.repeat(1_000_000))
    const { uuid } = (await upload.json()) as { uuid: string }
    await until(() => (workOf(reader) > before + 30 ? true : undefined))
    process.kill(reader, 'SIGKILL')
    const source = await owner.settled(uuid)
    assert.equal(source.status, 'fail')
    assert.equal(
      JSON.parse(source.meta_json).error,
      'Reading this needs too much memory. Split it into smaller parts.',
    )
    const next = await owner.upload(chatbot, 'short.txt', 'The museum has a garden.')
    const { uuid: second } = (await next.json()) as { uuid: string }
    assert.equal((await owner.settled(second)).status, 'success')
  })
})
