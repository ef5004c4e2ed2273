import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import nodeTest, { suite, test } from 'node:test'
import { changeSealed, flipBit } from '../../../test/files/change-sealed.ts'
import { startTestServer, temporaryFolder } from '../../../test/harness.ts'
import { docentOn, runForJson } from '../../../test/run-docent.ts'

const PRICE = 'Admission is 12 euros for adults.'

const server = await startTestServer(nodeTest)
const file = join(temporaryFolder(nodeTest), 'bot.gz')
const good = await exportSmallChatbot()

/** Deletes the chatbot after the export, so that an import cannot find its data on the server. */
async function exportSmallChatbot(): Promise<Buffer> {
  const { owner } = server
  const chatbot = await owner.createChatbot({ name: 'Guide' })
  await owner.createPair(chatbot, 'What is the admission?', PRICE)
  const upload = await owner.upload(chatbot, 'prices.txt', PRICE)
  await owner.settled(((await upload.json()) as { uuid: string }).uuid)
  await runForJson(server, ['export', chatbot, file])
  await owner.json('DELETE', `/chatbot/${chatbot}/delete`)
  return readFileSync(file)
}

suite('a chatbot’s file that is not as it was written', () => {
  const sealed = (from: string | RegExp, to: string) => () =>
    changeSealed(
      good,
      (text) => {
        assert.notEqual(text.replace(from, to), text)
        return text.replace(from, to)
      },
      { seals: true },
    )
  const unsealed = (from: string | RegExp, to: string) => () =>
    changeSealed(good, (text) => text.replace(from, to))
  const line = (kind: string) => new RegExp(`\\{"${kind}":.*\\n`)
  const DAMAGED = /is damaged or incomplete/
  const REFUSED = /has values that this server does not accept. Nothing was imported/

  for (const [what, bytes, message] of [
    ['was cut', () => good.subarray(0, good.length / 2), DAMAGED],
    ['has a bit changed', () => flipBit(good, 0.5), DAMAGED],
    ['was edited', unsealed('12 euros', '11 euros'), DAMAGED],
    ['has a text that is not the one of its hash', sealed(/("revision":.*)12/, '$1 9'), DAMAGED],
    ['has a passage beyond its text', sealed(/"list":\[\[\d+,\d+/, '"list":[[0,9999'), DAMAGED],
    ['has a passage before its beginning', sealed(/"list":\[\[\d+,/, '"list":[[-1,'), REFUSED],
    ['has a passage at the wrong place', sealed('"position":0', '"position":1'), DAMAGED],
    ['has a vector of another length', sealed(/"[\w+/=]{500,}"\]/, '"AAAA"]'), DAMAGED],
    ['lacks the chatbot', sealed(line('chatbot'), ''), DAMAGED],
    ['has two chatbots', sealed(/(\{"chatbot":.*\n)/, '$1$1'), DAMAGED],
    ['lacks a source', sealed(line('source'), ''), DAMAGED],
    ['lacks a file', sealed(line('file'), ''), DAMAGED],
    ['has a revision twice', sealed(/(\{"revision":.*\n)/, '$1$1'), DAMAGED],
    ['has a setting out of bounds', sealed('"temperature":0', '"temperature":9'), REFUSED],
    ['has a setting that there is not', sealed('"prompt"', '"x":1,"prompt"'), REFUSED],
    ['has a line of another kind', sealed(/\n\{"source"/, '\n{"user":{}}\n{"source"'), DAMAGED],
    ['has a status that there is not', sealed('"status":"success"', '"status":"done"'), REFUSED],
    ['names ids', sealed('"source":{', '"source":{"id":"x",'), REFUSED],
    ['is of a format to come', sealed('"format":1', '"format":2'), /newer version of Docent/],
    ['is a backup', sealed('"chatbot"', '"backup"'), /Use "docent restore"/],
  ] as const) {
    test(`is refused when it ${what}, and nothing is imported`, async () => {
      writeFileSync(file, bytes())
      const { code, stderr } = await docentOn(server, ['import', file])
      assert.equal(code, message === REFUSED ? 2 : 1)
      assert.match(stderr, message)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
      assert.deepEqual((await server.owner.json('GET', '/chatbots')).body, [])
    })
  }

  test('is imported as long as it is', async () => {
    writeFileSync(file, good)
    assert.equal((await runForJson(server, ['import', file])).sources, 2)
  })
})
