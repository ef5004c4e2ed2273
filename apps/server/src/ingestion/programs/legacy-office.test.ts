import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { makeCompoundFile } from '../../../test/files/make-compound-file.ts'
import { assertEndsWithSource, standIn } from '../../../test/files/stand-in-program.ts'
import { zipFile } from '../../../test/files/zip-file.ts'
import { startSite, startTestServer } from '../../../test/harness.ts'
import { startCli } from '../../../test/run-docent.ts'

const DOC = makeCompoundFile({ WordDocument: Buffer.alloc(64) })
const PPT = makeCompoundFile({ 'PowerPoint Document': Buffer.alloc(64) })
const PPTX = zipFile({
  'ppt/presentation.xml':
    '<p:presentation><p:sldIdLst><p:sldId id="1" r:id="r1"/></p:sldIdLst></p:presentation>',
  'ppt/_rels/presentation.xml.rels':
    '<Relationships><Relationship Id="r1" Type="http://x/slide" Target="slides/slide1.xml"/></Relationships>',
  'ppt/slides/slide1.xml':
    '<p:sld><p:sp><p:txBody><a:p><a:r><a:t>The gazebo opens at nine.</a:t></a:r></a:p></p:txBody></p:sp></p:sld>',
})

/** A server that looks for programs in `searchPath` only. `send` uploads a file and returns the outcome. */
async function startWith(t: TestContext, searchPath: string) {
  const server = await startTestServer(t, { environment: { PATH: searchPath, SECRET: 'x' } })
  const { owner } = server
  const chatbot = await owner.createChatbot()
  const send = async (name: string, content: Uint8Array<ArrayBuffer>) => {
    const response = await owner.upload(chatbot, name, content)
    const body = (await response.json()) as { uuid: string; error: string }
    return { status: response.status, ...body }
  }
  const ask = async (question: string) =>
    (await owner.ask(await owner.createSession(chatbot), question)).text()
  return { ...server, send, ask }
}

describe('a presentation of PowerPoint before 2007', () => {
  test('is refused where no program reads it, with what to do', async (t) => {
    const { send } = await startWith(t, '')
    // The content decides, not the name.
    for (const name of ['old.ppt', 'old.pptx', 'old.doc']) {
      const { status, error } = await send(name, PPT)
      assert.equal(status, 415)
      assert.match(error, /file type not allowed.*Save it as \.docx.*LibreOffice/)
    }
    const mail = makeCompoundFile({ __properties: Buffer.alloc(8) })
    assert.match((await send('mail.msg', mail)).error, /file type not allowed: send PDF/)
    assert.equal((await send('cut.doc', DOC.subarray(0, 700))).status, 415)
  })

  test('but letters of Outlook, which are stored alike, are read without any program', async (t) => {
    const { send, ask, owner } = await startWith(t, '')
    const letter = makeCompoundFile({
      '__properties_version1.0': Buffer.alloc(32),
      '__nameid_version1.0': {},
      '__substg1.0_0037001F': Buffer.from('The garden', 'utf16le'),
      '__substg1.0_1000001F': Buffer.from('The gazebo opens at nine.', 'utf16le'),
    })
    const { uuid } = await send('letter.msg', letter)
    const { status, title } = await owner.settled(uuid)
    assert.deepEqual([status, title], ['success', 'The garden'])
    assert.match(await ask('When does the gazebo open?'), /The gazebo opens at nine\./)
  })

  test('is converted by LibreOffice, which sees nothing of the server and leaves nothing', async (t) => {
    const { folder } = standIn(
      t,
      'soffice',
      `env > "$FOLDER/environment"; echo "$@" > "$FOLDER/arguments"
      for last; do :; done
      head -c 8 "$last" > "$FOLDER/given"
      mkdir "$(dirname "$last")/results"
      cp "$FOLDER/converted" "$(dirname "$last")/results/document.pptx"`,
    )
    writeFileSync(join(folder, 'converted'), PPTX)
    const { send, ask, owner, config } = await startWith(t, `${folder}:/usr/bin:/bin`)
    const { uuid } = await send('-rf.ppt', PPT)
    assert.equal((await owner.settled(uuid)).status, 'success')
    assert.match(await ask('When does the gazebo open?'), /at nine/)

    assert.deepEqual(readFileSync(join(folder, 'given')), PPT.subarray(0, 8))
    assert.match(
      readFileSync(join(folder, 'arguments'), 'utf8'),
      /--convert-to pptx .*document\.ppt$/m,
    )
    assert.doesNotMatch(readFileSync(join(folder, 'environment'), 'utf8'), /SECRET|DATA_DIR/)
    assert.deepEqual(readdirSync(join(config.dataDir, 'conversions')), [])
  })

  test('that can’t be converted says so', async (t) => {
    const { folder } = standIn(t, 'soffice', 'exit 0')
    const { send, owner } = await startWith(t, folder)
    const { status, meta_json } = await owner.settled((await send('old.ppt', PPT)).uuid)
    assert.equal(status, 'fail')
    assert.match(meta_json, /could not be converted\. Save it as/)
  })

  test('that is locked needs its password taken away, whatever programs there are', async (t) => {
    const { send, owner } = await startWith(t, '')
    const word = Buffer.alloc(64)
    word.writeUInt16LE(0x100, 0x0a)
    const workbook = Buffer.from([0x09, 0x08, 2, 0, 0, 6, 0x2f, 0, 2, 0, 1, 0])
    for (const content of [
      makeCompoundFile({ WordDocument: word }),
      makeCompoundFile({ Workbook: workbook }),
      makeCompoundFile({ EncryptionInfo: Buffer.alloc(8), EncryptedPackage: Buffer.alloc(8) }),
    ]) {
      const { status, meta_json } = await owner.settled((await send('locked', content)).uuid)
      assert.equal(status, 'fail')
      assert.match(meta_json, /password/)
    }
  })

  test('that is deleted while it is converted takes the program and all that it started with it', async (t) => {
    const { folder } = standIn(
      t,
      'soffice',
      'sleep 600 & echo $! > "$FOLDER/started"; mv "$FOLDER/started" "$FOLDER/running"; wait',
    )
    const { send, owner } = await startWith(t, `${folder}:/usr/bin:/bin`)
    const { uuid } = await send('old.ppt', PPT)
    await assertEndsWithSource(owner, uuid, folder)
  })

  test('that goes in circles is refused at once, sent or on a page', async (t) => {
    const circle = Buffer.alloc(512)
    circle.write('d0cf11e0a1b11ae1', 'hex')
    circle.writeUInt32LE(0x100, 0x44)
    circle.writeUInt32LE(0x100, 0xfe)
    const site = await startSite(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(circle)
    })
    // A separate process, because it may hang.
    const { client } = await startCli(t, { ALLOW_PRIVATE_HOSTS: '127.0.0.1' })
    const chatbot = await client.createChatbot()
    const patience = setTimeout(30_000, undefined, { ref: false }).then(() => {
      throw new Error('the server stands still')
    })
    const sent = client.upload(chatbot, 'circle.doc', circle)
    assert.equal((await Promise.race([sent, patience])).status, 415)
    const path = `/chatbot/${chatbot}/data-source/url`
    const added = await client.json('POST', path, { url: site })
    const { status } = await Promise.race([client.settled(added.body.uuid), patience])
    assert.equal(status, 'error:content type')
  })
})
