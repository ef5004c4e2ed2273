import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, describe, test } from 'node:test'
import { startTestServer } from '../../../test/harness.ts'

const server = await startTestServer({ after }, { environment: { MAX_UPLOAD_MB: '1' } })
const { owner } = server
const chatbot = await owner.createChatbot({ show_citations: true })

interface Part {
  headers: string[]
  content: string | Uint8Array
}

const BOUNDARY = 'the-boundary'
const END = `--${BOUNDARY}--\r\n`

/** A multipart form, byte for byte. */
function form(...parts: Part[]): Buffer<ArrayBuffer> {
  const pieces = parts.flatMap(({ headers, content }) => [
    `--${BOUNDARY}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`,
    content,
    '\r\n',
  ])
  return Buffer.concat([...pieces, END].map((piece) => Buffer.from(piece as string)))
}

function filePart(disposition: string, content: string | Uint8Array = 'hello'): Part {
  return { headers: [`Content-Disposition: form-data; ${disposition}`], content }
}

async function post(
  body: Buffer<ArrayBuffer>,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
  path = `/chatbot/${chatbot}/data-source/upload`,
) {
  const response = await fetch(owner.base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': type },
    body,
  })
  // biome-ignore lint/suspicious/noExplicitAny: records and errors
  return { status: response.status, body: (await response.json()) as any }
}

async function upload(name: string, content: string | Uint8Array<ArrayBuffer>, fields = {}) {
  const response = await owner.upload(chatbot, name, content, fields)
  // biome-ignore lint/suspicious/noExplicitAny: records and errors
  return { status: response.status, body: (await response.json()) as any }
}

async function assertAlive(): Promise<void> {
  const { status } = await upload('alive.txt', 'alive')
  assert.equal(status, 200)
}

describe('a file is taken', () => {
  test('at once, and its text, size and tokens are known later', async () => {
    const content = 'The lighthouse opens at dawn.'
    const { status, body } = await upload('hours.txt', content)
    assert.equal(status, 200)
    assert.equal(body.type, 'upload')
    assert.equal(body.status, 'await')
    assert.equal(body.file_name, 'hours.txt')
    assert.equal(body.title, 'hours.txt')
    assert.equal(body.file_size, content.length)
    assert.equal(body.tokens, 0)
    assert.equal(body.meta_json, '{}')

    const source = await owner.settled(body.uuid)
    assert.equal(source.status, 'success')
    assert.equal(source.file_size, content.length)
    assert.ok(source.tokens > 4 && source.tokens < 12)
    assert.equal(source.meta_json, '{}')
  })

  test('with the title that the document gives itself, else its file name', async () => {
    const titles: [name: string, content: string, title: string][] = [
      ['a.html', '<title>Our\nhours</title><p>Nine to five.', 'Our hours'],
      ['b.html', '<p>Nine to five.', 'b.html'],
      ['c.md', '# Our hours\n\nNine to five.', 'Our hours'],
      ['d.md', 'Nine to five.', 'd.md'],
      ['e.txt', '# Nine to five.', 'e.txt'],
    ]
    for (const [name, content, title] of titles) {
      const { body } = await upload(name, content)
      assert.equal((await owner.settled(body.uuid)).title, title)
    }
  })

  test('in its encoding', async () => {
    const encoded: [name: string, content: Buffer<ArrayBuffer>][] = [
      ['le.txt', Buffer.from('\uFEFFThe zebra café is open.', 'utf16le')],
      ['be.txt', Buffer.from('\uFEFFThe zebra café is open.', 'utf16le').swap16()],
      ['latin.txt', Buffer.from('The zebra café is open.', 'latin1')],
      [
        'cyrillic.html',
        Buffer.concat([
          Buffer.from('<meta charset="windows-1251"><p>The zebra caf'),
          Buffer.from([0xe9]),
        ]),
      ],
    ]
    const texts: string[] = []
    for (const [name, content] of encoded) {
      const { body } = await upload(name, content)
      assert.equal((await owner.settled(body.uuid)).status, 'success', name)
      const passage = await server.services.db
        .selectFrom('passages')
        .select('text')
        .where('source_id', '=', body.uuid)
        .executeTakeFirstOrThrow()
      texts.push(passage.text)
    }
    const latin = 'The zebra café is open.'
    assert.deepEqual(texts, [latin, latin, latin, 'The zebra cafй'])
  })

  test('with a link that is kept for its citations', async () => {
    const link = 'https://example.org/gazebo?a=ü'
    const fields = {
      reference_source_link: ` ${link}\n`,
      other: 'ignored',
      file_path: '/home/me/a.txt',
    }
    const { body } = await upload('gazebo.txt', 'The gazebo is painted turquoise.', fields)
    assert.deepEqual(JSON.parse(body.meta_json), { reference_source_link: link })
    const source = await owner.settled(body.uuid)
    assert.deepEqual(JSON.parse(source.meta_json), { reference_source_link: link })

    const tooLong = `https://example.org/${'a'.repeat(2_048)}`
    for (const bad of ['javascript:alert(1)', 'not a link', '', tooLong]) {
      const { body } = await upload('a.txt', 'Some text.', { reference_source_link: bad })
      assert.deepEqual(JSON.parse(body.meta_json), {}, bad)
    }

    const session = await owner.createSession(chatbot)
    const answer = await (await owner.ask(session, 'What colour is the gazebo?')).text()
    assert.equal(answer, 'The gazebo is painted turquoise. [1.1]')
    const [message] = await owner.messages(session)
    assert.equal(JSON.parse(message.cite_data_json)['1.1'].file_name, 'gazebo.txt')
    assert.equal(JSON.parse(message.meta_json).receipts['1.1'].url, link)
  })

  test('without a type of its own, after other parts, and of several the first', async () => {
    const { status, body } = await post(
      form(
        filePart('name="picture"; filename="a.png"', Buffer.from([0x89, 0, 1])),
        filePart('name="note"', 'a note'),
        filePart('name="file"; filename="first.txt"', 'first'),
        filePart('name="file"; filename="second.txt"', 'second'),
      ),
    )
    assert.equal(status, 200)
    assert.equal(body.file_name, 'first.txt')
    assert.equal(body.file_size, 5)
  })

  test('of exactly the allowed size, and byte for byte', async () => {
    const content = Buffer.alloc(1024 * 1024, 'line\r\n--the\n')
    const { status, body } = await upload('full.txt', content)
    assert.equal(status, 200)
    assert.equal(body.file_size, content.length)
    const stored = await server.services.db
      .selectFrom('source_files')
      .select('content')
      .where('source_id', '=', body.uuid)
      .executeTakeFirstOrThrow()
    assert.ok(content.equals(stored.content))
  })

  test('and an empty one ends with "no text"', async () => {
    const { status, body } = await upload('empty.txt', '')
    assert.equal(status, 200)
    const source = await owner.settled(body.uuid)
    assert.equal(source.status, 'error:no text')
    assert.match(JSON.parse(source.meta_json).error, /No text/)
    assert.equal(source.title, 'empty.txt')
  })
})

describe('a file name keeps its characters and loses its folder', () => {
  const names: [what: string, disposition: string, name: string][] = [
    ['Chinese', 'name="file"; filename="营业时间.txt"', '营业时间.txt'],
    ['Arabic', 'name="file"; filename="ساعات العمل.txt"', 'ساعات العمل.txt'],
    ['emoji', 'name="file"; filename="👩‍👩‍👧 🕘.txt"', '👩‍👩‍👧 🕘.txt'],
    ['accents', 'name="file"; filename="Öffnungszeiten café.txt"', 'Öffnungszeiten café.txt'],
    ['the extended spelling', `name="file"; filename*=UTF-8''%E8%90%A5%E4%B8%9A.txt`, '营业.txt'],
    ['both spellings', `name=file; filename="=?b?"; filename*=utf-8''%C3%A4.txt`, 'ä.txt'],
    [
      'the form of mail headers, with a slash in it',
      `name="file"; filename="=?utf-8?B?xq8/bsO8LnR4dA==?="; filename*=utf-8''x.txt`,
      'Ư?nü.txt',
    ],
    ['all of it encoded', 'name="file"; filename="%E8%90%A5%20%E4%B8%9A.txt"', '营 业.txt'],
    ['a percent sign of its own', 'name="file"; filename="Report%2FQ1.txt"', 'Report%2FQ1.txt'],
    ['quotes as browsers send them', 'name="file"; filename="a%22é.txt"', 'a"é.txt'],
    ['a line as browsers send it', 'name="file"; filename="a%0Ab é.txt"', 'a\nb é.txt'],
    ['quotes', 'name="file"; filename="say \\"hi\\".txt"', 'say "hi".txt'],
    ['no quotes', 'name="file"; filename=plain.txt', 'plain.txt'],
    ['a Unix path', 'name="file"; filename="/home/me/notes.txt"', 'notes.txt'],
    ['a way up', 'name="file"; filename="../../etc/passwd"', 'passwd'],
    ['a Windows path', 'name="file"; filename="C:\\\\Users\\\\me\\\\notes.txt"', 'notes.txt'],
    [
      'a Windows path as old browsers send it',
      'name="file"; filename="C:\\Users\\me\\notes.txt"',
      'notes.txt',
    ],
    ['a path in Chinese', 'name="file"; filename="/家/营业.txt"', '营业.txt'],
    [
      '255 characters of many bytes',
      `name="file"; filename="${'营'.repeat(251)}.txt"`,
      `${'营'.repeat(251)}.txt`,
    ],
    [
      'more than that',
      `name="file"; filename="${'😀'.repeat(300)}.txt"`,
      `${'😀'.repeat(251)}.txt`,
    ],
  ]
  for (const [what, disposition, name] of names) {
    test(what, async () => {
      const { status, body } = await post(form(filePart(disposition)))
      assert.equal(status, 200)
      assert.equal(body.file_name, name)
      const source = await owner.settled(body.uuid)
      assert.equal(source.status, 'success')
      assert.equal(source.file_name, name)
      assert.equal(source.title, name)
    })
  }
})

describe('a file is refused', () => {
  test('with 413 when it is too large, however much', async () => {
    for (const size of [1024 * 1024 + 1, 8 * 1024 * 1024]) {
      const { status, body } = await upload('large.txt', Buffer.alloc(size, 'a'))
      assert.equal(status, 413)
      assert.equal(body.code, 'file_too_large')
      assert.deepEqual(body.params, { megabytes: 1 })
      assert.match(body.error, /larger than 1 MB/)
    }
  })

  test('with 415 when it can’t be read, whatever it is called', async () => {
    const contents: Record<string, Buffer<ArrayBuffer>> = {
      'a.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
      'a.txt': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]),
      'a.html': Buffer.from('PK\u0003\u0004\u0000'),
      'a.ps': Buffer.from('%!PS-Adobe-3.0\n'),
    }
    for (const [name, content] of Object.entries(contents)) {
      const { status, body } = await upload(name, content)
      assert.equal(status, 415, name)
      assert.equal(body.code, 'unsupported_type')
      assert.match(body.error, /file type not allowed/)
    }
  })

  test('with 422 when it is missing, and the answer names the part', async () => {
    const forms = {
      'an empty form': form(),
      'an empty body': Buffer.alloc(0),
      'another name': form(filePart('name="document"; filename="a.txt"')),
      'a field in its place': form(filePart('name="file"', 'hello')),
      'no name for the file': form(filePart('name="file"; filename=""')),
      'only a folder for a name': form(filePart('name="file"; filename="a/b/"')),
      'a part without any name': form(filePart('filename="a.txt"')),
    }
    for (const [what, body] of Object.entries(forms)) {
      const answer = await post(body)
      assert.equal(answer.status, 422, what)
      assert.deepEqual(answer.body.details[0].loc, ['body', 'file'], what)
    }
  })

  test('with 415 when it is not sent as a form', async () => {
    for (const type of [
      'application/json',
      'text/plain',
      'multipart/mixed; boundary=x',
      'nonsense',
    ]) {
      const { status, body } = await post(Buffer.from('{"file":"hello"}'), type)
      assert.equal(status, 415, type)
      assert.equal(body.code, 'unsupported_type')
    }
    const bare = await owner.send('POST', `/chatbot/${chatbot}/data-source/upload`)
    assert.equal(bare.status, 415)
  })

  test('with 404 when the chatbot is not there or somebody else’s', async () => {
    const file = form(filePart('name="file"; filename="a.txt"'))
    const others = await server.stranger.createChatbot()
    for (const uuid of [others, '0'.repeat(32), 'x']) {
      const { status, body } = await post(file, undefined, `/chatbot/${uuid}/data-source/upload`)
      assert.equal(status, 404)
      assert.equal(body.error, 'There is no such chatbot.')
    }
    const list = await server.stranger.json('GET', `/chatbot/${others}/data-sources`)
    assert.deepEqual(list.body, [], 'nothing was left with the other one')
  })

  test('with 404 when the chatbot is deleted while the file arrives', async () => {
    const leaving = await owner.createChatbot()
    const body = form(filePart('name="file"; filename="a.txt"', 'hello '.repeat(1000)))
    const sending = startSending(leaving, body.length)
    const answered = once(sending, 'response')
    sending.write(body.subarray(0, 1000))
    await assertAlive()
    await owner.json('DELETE', `/chatbot/${leaving}/delete`)
    sending.end(body.subarray(1000))
    const [response] = await answered
    assert.equal(response.statusCode, 404)
    response.resume()
  })
})

function startSending(to: string, length: number) {
  return request(`${owner.base}/chatbot/${to}/data-source/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': length,
    },
  })
}

describe('a broken form is the client’s fault and no harm to the server', () => {
  const whole = form(filePart('name="file"; filename="a.txt"', 'hello '.repeat(100)))
  const broken: Record<string, Buffer<ArrayBuffer>> = {
    'the end is missing': whole.subarray(0, whole.length - END.length - 2),
    'it ends inside of the file': whole.subarray(0, 300),
    'it ends inside of the headers': whole.subarray(0, 40),
    'it ends inside of the boundary': whole.subarray(0, 5),
    'another boundary': form().subarray(4),
    'no form at all': Buffer.from('hello'),
    'nothing but line ends': Buffer.from('\r\n'.repeat(100)),
    'a part without headers': Buffer.from(`--${BOUNDARY}\r\n\r\nhello\r\n${END}`),
    'headers that go over into the end': Buffer.from(`--${BOUNDARY}\r\nA: b\r\n${END}`),
    'a field that would change all objects': form(filePart('name="__proto__"', 'x')),
    'a file that would': form(filePart('name="constructor"; filename="a.txt"', 'x')),
    'too many parts': form(...Array(200).fill(filePart('name="a"', 'x'))),
    'too many files': form(...Array(20).fill(filePart('name="a"; filename="a.txt"', 'x'))),
  }
  for (const [what, body] of Object.entries(broken)) {
    test(what, async () => {
      const { status, body: answer } = await post(body)
      assert.ok(status >= 400 && status < 500, String(status))
      assert.equal(typeof answer.error, 'string')
      await assertAlive()
    })
  }

  test('no boundary is named', async () => {
    assert.equal((await post(whole, 'multipart/form-data')).status, 400)
    await assertAlive()
  })

  test('the client leaves in the middle', async () => {
    const leaver = await owner.createChatbot()
    for (const sent of [0, 40, 300]) {
      const sending = startSending(leaver, whole.length)
      sending.on('error', () => {})
      sending.flushHeaders()
      await new Promise((resolve) => sending.write(whole.subarray(0, sent), resolve))
      sending.destroy()
      await assertAlive()
    }
    assert.deepEqual((await owner.json('GET', `/chatbot/${leaver}/data-sources`)).body, [])
  })
})
