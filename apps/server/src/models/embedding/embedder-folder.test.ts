import assert from 'node:assert/strict'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { startTestServer, temporaryFolder } from '../../../test/harness.ts'
import { startCli } from '../../../test/run-docent.ts'
import { OnnxFolderModel } from './folder-encoder.ts'

const TINY = join(import.meta.dirname, '../../../test/files/tiny-encoder')

function copyOfTiny(t: Parameters<typeof temporaryFolder>[0]): string {
  const folder = temporaryFolder(t)
  cpSync(TINY, folder, { recursive: true })
  return folder
}

function isNear(given: Float32Array, wanted: number[]): void {
  const length = Math.hypot(...wanted)
  assert.equal(given.length, wanted.length)
  for (const [i, value] of wanted.entries()) {
    assert.ok(Math.abs(given[i]! - value / length) < 1e-6, `${[...given]} is not ${wanted}`)
  }
}

// The fixture's vectors. make.py assigns a topic to each word.
const CLS = [0.02, 0, 0, 0, 0, 1, 0, 0]
const SEP = [0.03, 0, 0, 0, 0, 1, 0, 0]
const TICKET = [0.09, 0, 0, 1, 0, 0, 0, 0]
const QUERY = [0.04, 0, 0, 0, 0, 1, 0, 0]
const COLON = [0.05, 0, 0, 0, 0, 1, 0, 0]
const sum = (...vectors: number[][]) =>
  vectors[0]!.map((_, i) => vectors.reduce((all, vector) => all + vector[i]!, 0))

suite('a model in a folder', () => {
  test('gives the mean of its tokens, and a question has its prompt before it', async () => {
    const model = await OnnxFolderModel.load(TINY)
    isNear(await model.embed('Ticket', false), sum(CLS, TICKET, SEP))
    isNear(await model.embed('Ticket', true), sum(CLS, QUERY, COLON, TICKET, SEP))
  })

  test('gives its first token where its pooling says so', async (t) => {
    const folder = copyOfTiny(t)
    mkdirSync(join(folder, '1_Pooling'))
    writeFileSync(join(folder, '1_Pooling/config.json'), '{"pooling_mode_cls_token": true}')
    isNear(await (await OnnxFolderModel.load(folder)).embed('Ticket', false), CLS)
  })

  test('reads no more tokens than it can', async () => {
    const model = await OnnxFolderModel.load(TINY)
    const tickets = Array<number[]>(15).fill(TICKET)
    isNear(await model.embed('ticket '.repeat(1000), false), sum(CLS, ...tickets))
  })

  test('is what a server searches with', async (t) => {
    const { owner, services } = await startTestServer(t, {
      environment: { EMBEDDER: `folder:${TINY}` },
    })
    const chatbot = await owner.createChatbot()
    for (const text of ['Soup and café', 'Price: 12 euros', 'Hours of the museum']) {
      const upload = await owner.upload(chatbot, `${text.slice(0, 4)}.txt`, text)
      const { uuid } = (await upload.json()) as { uuid: string }
      assert.equal((await owner.settled(uuid)).status, 'success')
    }
    const query = { query: 'ticket cost' }
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/search`, query)
    assert.equal(body[0].text, 'Price: 12 euros')
    assert.equal(services.embeddings.registered.dimensions, 8)
  })
})

suite('a server whose model folder', () => {
  for (const [what, spoil, message] of [
    [
      'is not there says all that is missing',
      (folder: string) => rmSync(folder, { recursive: true }),
      /lacks config\.json, tokenizer\.json, onnx\/model\.onnx\.$/,
    ],
    [
      'has no model says so',
      (folder: string) => rmSync(join(folder, 'onnx'), { recursive: true }),
      /lacks onnx\/model\.onnx\.$/,
    ],
    [
      'has a config that says nothing of its size names the file',
      (folder: string) => writeFileSync(join(folder, 'config.json'), '{}'),
      /config\.json is not valid: hidden_size: .*\.$/,
    ],
    [
      'has a config that is no JSON names the file',
      (folder: string) => writeFileSync(join(folder, 'config.json'), 'hidden_size: 8'),
      /config\.json is not valid: .*\.$/,
    ],
  ] as const) {
    test(`${what}, and does not start`, async (t) => {
      const folder = copyOfTiny(t)
      spoil(folder)
      const started = startCli(t, { EMBEDDER: `folder:${folder}` })
      await assert.rejects(started, ({ message: said }: Error) => {
        const [, ...lines] = said.trim().split('\n')
        assert.equal(lines.length, 1, said)
        assert.match(lines[0]!, message)
        assert.ok(lines[0]!.includes(folder))
        return true
      })
    })
  }
})
