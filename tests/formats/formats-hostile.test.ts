import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import { makeCompoundFile } from '@docent/server/test/files/make-compound-file.ts'
import { read } from '@docent/server/test/files/read-upload.ts'
import { zipFile } from '@docent/server/test/files/zip-file.ts'
import { startTestServer } from '@docent/server/test/harness.ts'

const { owner } = await startTestServer({ after })
const chatbot = await owner.createChatbot()

const docx = (xml: string | Uint8Array, options = {}) =>
  zipFile({ 'word/document.xml': xml }, options)
const ole = (...streams: string[]) =>
  makeCompoundFile(Object.fromEntries(streams.map((name) => [name, Buffer.alloc(64)])))

describe('a hostile file fails with a sentence', () => {
  const entities = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
  const files: [what: string, bytes: Buffer<ArrayBuffer>, name: string, reason: RegExp][] = [
    ['a zip bomb', docx(Buffer.alloc(50_000_000, ' ')), 'a.docx', /too large when unpacked/],
    [
      'one that lies about its size',
      docx(Buffer.alloc(50_000_000), { claimedSize: 9 }),
      'a.docx',
      /damaged/,
    ],
    [
      'one that boasts',
      docx('<a/>', { claimedSize: 0xfffffff0 }),
      'a.docx',
      /too large when unpacked/,
    ],
    ['entities that grow', docx(`${entities}<w:t>&b;</w:t>`), 'a.docx', /declares XML entities/],
    [
      'entities from elsewhere',
      docx(
        '<?xml version="1.0"?>\n<!DOCTYPE x [\n<!ENTITY xxe SYSTEM "file:///etc/passwd">\n]><w:t>&xxe;</w:t>',
      ),
      'a.docx',
      /declares XML entities/,
    ],
    ['entities of XML', Buffer.from(`${entities}<a>&b;</a>`), 'a.xml', /declares XML entities/],
    ['deep XML', Buffer.from('<a>'.repeat(100_000)), 'a.xml', /nested/],
    ['a deep document', docx('<w:tbl>'.repeat(100_000)), 'a.docx', /nested/],
    ['deep JSON', Buffer.from('['.repeat(5_000) + ']'.repeat(5_000)), 'a.json', /nested/],
    ['deep RTF', Buffer.from(`{\\rtf1 ${'{'.repeat(100_000)}`), 'a.rtf', /nested/],
    ['a file that is cut off', docx('<w:p/>').subarray(0, 60), 'a.docx', /damaged/],
    ['one with a broken part', broken(docx('<w:p/>'.repeat(9))), 'a.docx', /damaged/],
    ['a locked archive', docx('<w:p/>', { flags: 1 }), 'a.docx', /protected with a password/],
    [
      'a locked Office file',
      ole('EncryptionInfo', 'EncryptedPackage'),
      'a.xlsx',
      /protected with a password/,
    ],
    [
      'a locked OpenDocument file',
      zipFile({ 'content.xml': 'x', 'META-INF/manifest.xml': '<m:encryption-data/>' }),
      'a.odt',
      /protected with a password/,
    ],
    [
      'a book under copy protection',
      zipFile({
        'META-INF/container.xml': '<container><rootfile full-path="a.opf"/></container>',
        'META-INF/encryption.xml': '<e:CipherReference URI="a.html"/>',
        'a.opf': '<package><item id="a" href="a.html"/><itemref idref="a"/></package>',
        'a.html': 'x',
      }),
      'a.epub',
      /copy-protected/,
    ],
  ]
  for (const [what, bytes, name, reason] of files) {
    test(what, async () => {
      await assert.rejects(read(bytes, name), (error: { status?: string; message: string }) => {
        assert.equal(error.status, 'fail')
        assert.match(error.message, reason)
        return true
      })
    })
  }

  test('few bytes that say the same words over and over', async () => {
    const long = 'word '.repeat(1_000_000)
    const cells = '<row><c t="s"><v>0</v></c></row>'.repeat(20)
    const bytes = zipFile({
      'xl/workbook.xml': '<workbook><sheet name="a" r:id="a"/></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<R><Relationship Id="a" Type="/worksheet" Target="s.xml"/><Relationship Id="b" Type="/sharedStrings" Target="t.xml"/></R>',
      'xl/s.xml': `<sheetData>${cells}</sheetData>`,
      'xl/t.xml': `<sst><si><t>${long}</t></si></sst>`,
    })
    await assert.rejects(read(bytes, 'a.xlsx'), /text is too long|longer than/)
  })
})

function broken(zip: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  const copy = Buffer.from(zip)
  copy.writeUInt8(copy.readUInt8(50) ^ 0xff, 50)
  return copy
}

test('parts are found by their name alone, which leads nowhere else', async () => {
  const relation = '<Relationship Id="a" Type="/aFChunk" Target="../../../../etc/passwd.html"/>'
  const bytes = zipFile({
    'word/document.xml': '<w:altChunk r:id="a"/><w:p><w:r><w:t>a</w:t></w:r></w:p>',
    'word/_rels/document.xml.rels': `<Relationships>${relation}</Relationships>`,
    '../../etc/evil.xml': 'x',
  })
  assert.equal((await read(bytes, 'a.docx')).text, 'a')
})

test('a type that was declared but never expanded is no reason to refuse', async () => {
  const xml = '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a><b>c</b></a>'
  assert.equal((await read(xml, 'a.xml')).text, 'b: c')
})

describe('what can’t be read is no kind of document', () => {
  const contents: [what: string, bytes: Uint8Array, name: string][] = [
    ['an archive', zipFile({ 'a.txt': 'a' }), 'a.zip'],
    ['an archive that is called a document', zipFile({ 'a.txt': 'a' }), 'a.docx'],
    ['a program', Buffer.from('MZ\0\0'), 'a.exe'],
    ['a picture', Buffer.from('GIF89a\0'), 'a.gif'],
    ['a drawing', Buffer.from('<?xml version="1.0"?>\n<svg xmlns="x"/>'), 'a.svg'],
    ['a compressed file', Buffer.from([0x1f, 0x8b, 8, 0]), 'a.txt'],
    ['a letter of Outlook', ole('__properties_version1.0'), 'a.msg'],
  ]
  for (const [what, bytes, name] of contents) {
    test(what, () => assert.equal(detectKind(bytes, name), undefined))
  }

  test('and the answer lists what may be sent', async () => {
    const picture = await owner.upload(chatbot, 'a.gif', Buffer.from('GIF89a\0'))
    assert.equal(picture.status, 415)
    const { error } = (await picture.json()) as { error: string }
    assert.match(error, /file type not allowed: send .*DOCX.*EPUB.*EML/)
  })

  test('of an old Office file what to do', async () => {
    const old = await owner.upload(chatbot, 'a.ppt', ole('PowerPoint Document'))
    assert.equal(old.status, 415)
    const { error } = (await old.json()) as { error: string }
    assert.match(error, /file type not allowed: .*Save it as \.docx/)
  })
})

test('a locked Office file is not refused at the door', async () => {
  const locked = await owner.upload(chatbot, 'a.xlsx', ole('EncryptedPackage'))
  assert.equal(locked.status, 200)
})

test('an Office file uploaded is searchable', async () => {
  const bytes = docx('<w:p><w:r><w:t>The lighthouse opens at dawn.</w:t></w:r></w:p>')
  const { uuid } = (await (await owner.upload(chatbot, 'a.docx', bytes)).json()) as { uuid: string }
  assert.equal((await owner.settled(uuid)).status, 'success')
  const session = await owner.createSession(chatbot)
  const answer = await (await owner.ask(session, 'When does the lighthouse open?')).text()
  assert.match(answer, /lighthouse opens at dawn/)
})
