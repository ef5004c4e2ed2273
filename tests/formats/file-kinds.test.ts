import assert from 'node:assert/strict'
import { createReadStream, existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, describe, test } from 'node:test'
import { findParserData } from '@docent/bench/evals/measure-parsers.ts'
import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import { startTestServer } from '@docent/server/test/harness.ts'

const { owner } = await startTestServer({ after })
const chatbot = await owner.createChatbot()

async function send(name: string, content: string | Uint8Array<ArrayBuffer>) {
  const response = await owner.upload(chatbot, name, content)
  const body = (await response.json()) as { uuid: string; error: string; code: string }
  return { ...body, status: response.status }
}

describe('a name whose extension belongs to a binary kind', () => {
  test('is refused whatever the file holds', async () => {
    const names = ['a.mp3', 'a.jpg', 'a.dll', 'A.PNG', 'b.c.zip', 'a.tar.gz', 'a.mp4', 'a.psd']
    for (const name of [...names, 'a.woff2', 'a.iso', 'a.exe', '.jpeg', 'C:\\music\\a.Flac']) {
      const { status, code, error } = await send(name, 'The gazebo opens at nine.')
      assert.equal(status, 415, name)
      assert.equal(code, 'unsupported_type')
      assert.match(error, /file type not allowed/)
    }
  })

  test('is accepted where source code or text uses the extension, too, or nothing is known of it', async () => {
    const names = ['a.ts', 'a.mts', 'a.key', 'a.foobar', 'a', 'mp3', 'a.mp3.txt', 'a.mod', 'a.com']
    for (const name of [...names, 'a.pub', 'a.obj', 'a.d', 'a.']) {
      assert.equal((await send(name, 'The gazebo opens at nine.')).status, 200, name)
    }
  })
})

describe('plain text is accepted', () => {
  const texts: Record<string, string> = {
    'that begins with the letters of an archive':
      'PKI certificates expire after a year.\n\nPKCS #11 names them.',
    'that begins with a picture':
      '<svg width="1" height="1"><path d="M0 0"/></svg>\n# Badges\n\nThe gazebo opens at nine.',
    'that begins with a sign of PostScript': '%!PSALM of the day\n\nThe gazebo opens at nine.',
    'with a stray control character': `The gazebo\u000bopens at nine.\u0002 ${'It closes at five. '.repeat(40)}`,
    'that names the mark of PDF': 'A file begins with %PDF-1.7 as its first line.',
  }
  for (const [what, text] of Object.entries(texts)) {
    test(what, async () => {
      for (const name of ['a.md', 'a.txt', 'a.rst', 'a.log']) {
        const { status, uuid } = await send(name, text)
        assert.equal(status, 200, name)
        assert.equal((await owner.settled(uuid)).status, 'success', name)
      }
    })
  }

  const data = findParserData()
  const folder = data && join(data, '../qa')
  const skip = folder && existsSync(folder) ? false : 'there are no data sets beside the project'
  test('of the public data sets, each passage and its title', { skip }, async () => {
    let passages = 0
    for (const file of globSync('*/corpus.jsonl', { cwd: folder! })) {
      for await (const line of createInterface({ input: createReadStream(join(folder!, file)) })) {
        const { id, title = '', text } = JSON.parse(line)
        for (const whole of [text, `${title}\n\n${text}`, `# ${title}\n\n${text}`]) {
          assert.equal(detectKind(Buffer.from(whole), 'a.md'), 'markdown', `${file} ${id}`)
        }
        passages += 1
      }
    }
    assert.ok(passages > 20_000)
  })
})

test('what is no text is refused', async () => {
  const contents: Record<string, Uint8Array<ArrayBuffer>> = {
    'an archive': Buffer.from('PK\u0003\u0004\u0014\u0000'),
    'a picture': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><svg></svg></svg>\n'),
    'a picture that is cut off': Buffer.from('<svg><path d="M0 0"/>'),
    'a print': Buffer.from('%!PS-Adobe-3.0\n'),
    'a tagged song': Buffer.from('ID3\u0003\u0001 some song'),
    'a zero': Buffer.from(`${'a'.repeat(4_000)}\0`),
  }
  for (const [what, content] of Object.entries(contents)) {
    for (const name of ['a.md', 'a.txt', 'a.foobar']) {
      assert.equal((await send(name, content)).status, 415, what)
    }
  }
})
