import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import {
  ConnectionError,
  Docent,
  NotFoundError,
  SourceFailedError,
  TimeoutError,
  TooLargeError,
  UnsupportedTypeError,
  type UploadProgress,
} from '@docent/client'
import { openFile } from '@docent/client/node'
import { startTestServer, temporaryFolder } from '@docent/server/test/harness.ts'
import { startCuttingProxy } from '../e2e/stage/cutting-proxy.ts'

const TEXT = 'A ticket costs 12 euros. Children under six enter free.\n'

suite('uploading', async () => {
  const server = await startTestServer({ after }, { environment: { MAX_UPLOAD_MB: '1' } })
  const client = new Docent({ baseUrl: server.address, token: server.owner.token })
  const chatbot = await client.chatbots.create({ name: 'Guide' })

  function streamOf(pieces: string[]): ReadableStream<Uint8Array> {
    const bytes = pieces.map((piece) => new TextEncoder().encode(piece))
    return new ReadableStream({
      pull(controller) {
        const next = bytes.shift()
        if (next) controller.enqueue(next)
        else controller.close()
      },
    })
  }

  test('takes a path, a Blob, a File and a stream, and all become the same', async (t) => {
    const path = join(temporaryFolder(t), 'tickets.txt')
    writeFileSync(path, TEXT)
    const sources = [
      await client.sources.upload(chatbot, await openFile(path)),
      await client.sources.upload(chatbot, new Blob([TEXT]), { name: 'tickets.txt' }),
      await client.sources.upload(chatbot, new File([TEXT], 'tickets.txt')),
      await client.sources.upload(chatbot, streamOf([TEXT.slice(0, 9), TEXT.slice(9)]), {
        name: 'tickets.txt',
      }),
    ]
    for (const source of sources) {
      const ready = await client.sources.waitUntilReady(source)
      assert.deepEqual([ready.file_name, ready.file_size], ['tickets.txt', TEXT.length])
      assert.equal((await client.sources.passages(ready))[0]!.text.trim(), TEXT.trim())
    }
  })

  test('keeps names with any characters, and the link for citations', async () => {
    for (const name of [
      'Öffnung "neu".txt',
      'line\nbreak.txt',
      '窓 😀.txt',
      "it's; name=x (1)!.txt",
      '100%20.txt',
    ]) {
      const source = await client.sources.upload(chatbot, new Blob([TEXT]), {
        name,
        referenceSourceLink: 'https://example.org/tickets',
      })
      assert.match(source.meta_json, /"reference_source_link":"https:\/\/example.org\/tickets"/)
      assert.equal(source.file_name, name)
    }
  })

  test('tells how far it is, up to the end', async (t) => {
    const path = join(temporaryFolder(t), 'long.txt')
    writeFileSync(path, TEXT.repeat(10_000))
    const steps: UploadProgress[] = []
    const onProgress = (step: UploadProgress) => steps.push(step)
    await client.sources.upload(chatbot, await openFile(path), { onProgress })
    assert.ok(steps.length > 3)
    assert.deepEqual(
      steps.map(({ sent }) => sent),
      steps.map(({ sent }) => sent).toSorted((a, b) => a - b),
    )
    assert.equal(steps.at(-1)!.sent, steps.at(-1)!.total)
    steps.length = 0
    await client.sources.upload(chatbot, streamOf([TEXT]), { name: 'x.txt', onProgress })
    assert.equal(steps.at(-1)!.total, undefined)
  })

  test('throws what the server refuses', async () => {
    const large = new Blob([TEXT.repeat(20_000)])
    await assert.rejects(client.sources.upload(chatbot, large, { name: 'a.txt' }), TooLargeError)
    const program = new Blob([new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3])])
    const binary = client.sources.upload(chatbot, program, { name: 'a.bin' })
    await assert.rejects(binary, UnsupportedTypeError)
    const nowhere = client.sources.upload('0'.repeat(32), new Blob([TEXT]), { name: 'a.txt' })
    await assert.rejects(nowhere, NotFoundError)
    await assert.rejects(client.sources.upload(chatbot, new Blob([TEXT])), TypeError)
    await assert.rejects(openFile('/nowhere/at/all.txt'), { code: 'ENOENT' })
  })

  test('that is cut or aborted half way leaves nothing behind', async (t) => {
    const before = (await client.sources.list(chatbot)).length
    const proxy = await startCuttingProxy(t, server.address)
    const far = new Docent({ baseUrl: proxy.address, token: server.owner.token })
    const half = (then: () => void): ReadableStream<Uint8Array> => {
      let pulls = 0
      return new ReadableStream({
        pull(controller) {
          pulls += 1
          if (pulls < 5) controller.enqueue(new TextEncoder().encode(TEXT.repeat(100)))
          else then()
        },
      })
    }
    const cut = far.sources.upload(chatbot, half(proxy.cut), { name: 'half.txt' })
    await assert.rejects(cut, ConnectionError)
    const abort = new AbortController()
    const why = new Error('Never mind')
    const aborted = client.sources.upload(
      chatbot,
      half(() => abort.abort(why)),
      {
        name: 'half.txt',
        signal: abort.signal,
      },
    )
    await assert.rejects(aborted, why)
    const late = client.sources.upload(
      chatbot,
      half(() => {}),
      { name: 'half.txt', timeout: 300 },
    )
    await assert.rejects(late, TimeoutError)
    const broken = half(() => {
      throw new Error('The disk is gone')
    })
    await assert.rejects(
      client.sources.upload(chatbot, broken, { name: 'half.txt' }),
      ConnectionError,
    )
    assert.equal((await client.sources.list(chatbot)).length, before)
  })

  test('waiting for it tells what happens, and what has failed', async () => {
    const statuses: string[] = []
    const source = await client.sources.addQa(chatbot, 'Is there a café?', 'Yes.')
    const ready = await client.sources.waitUntilReady(source, {
      onProgress: ({ status }) => statuses.push(status),
    })
    assert.equal(ready.status, 'success')
    assert.equal(statuses.at(-1), 'success')

    const empty = await client.sources.upload(chatbot, new Blob(['   \n']), { name: 'empty.txt' })
    await assert.rejects(client.sources.waitUntilReady(empty), (error: SourceFailedError) => {
      assert.ok(error instanceof SourceFailedError)
      assert.deepEqual([error.uuid, error.status], [empty.uuid, 'error:no text'])
      assert.deepEqual([error.code, error.params], ['no_text', {}])
      return true
    })
    await assert.rejects(client.sources.waitUntilReady('0'.repeat(32)), NotFoundError)
    const another = await client.sources.addQa(chatbot, 'Is there a shop?', 'Yes.')
    await assert.rejects(client.sources.waitUntilReady(another, { giveUpAfter: -1 }), TimeoutError)
  })
})
