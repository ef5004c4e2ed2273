import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { DocumentReader } from '@docent/server/src/ingestion/confined/read-document.ts'
import { makeCompoundFile } from '@docent/server/test/files/make-compound-file.ts'
import { startTestServer } from '@docent/server/test/harness.ts'

const sample = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../apps/server/test/files/office', name))
const DOC = sample('garden.doc')
const XLS = sample('garden.xls')

const { owner } = await startTestServer({ after }, { environment: { PATH: '' } })
const documents = DocumentReader.open()
after(() => documents.close())
const chatbot = await owner.createChatbot()

async function send(name: string, content: Uint8Array<ArrayBuffer>) {
  const response = await owner.upload(chatbot, name, content)
  assert.equal(response.status, 200, name)
  return owner.settled(((await response.json()) as { uuid: string }).uuid)
}

async function textOf(kind: 'doc' | 'xls', bytes: Uint8Array): Promise<string> {
  return (await documents.extract({ bytes, kind })).text
}

describe('a document of Word before 2007', () => {
  test('is read without any program, with its title', async () => {
    const { status, title } = await send('rules.doc', DOC)
    assert.deepEqual([status, title], ['success', 'Rules of the garden'])
    const session = await owner.createSession(chatbot)
    const answer = await (await owner.ask(session, 'When does the gazebo open?')).text()
    assert.match(answer, /The gazebo opens at nine o’clock\./)
  })

  test('keeps headings, tables, lists, links and notes, and leaves out what nobody sees', async () => {
    assert.equal(
      await textOf('doc', DOC),
      [
        '# Rules of the garden',
        'The gazebo opens at nine o’clock. Visitors from Zürich and Łódź are welcome – “always”.',
        'Dogs wait outside. More at our site.',
        '## Prices',
        'Ticket: Adult | Price: 12 euros\nTicket: Child | Price: 5 euros',
        '- Wear sturdy shoes.\n- Bring an umbrella.',
        '东京的花园九点开门。',
        'Guide dogs are welcome inside.',
      ].join('\n\n'),
    )
  })

  test('of Word 95 gives its text', async () => {
    const main = Buffer.alloc(0x400)
    main.writeUInt16LE(0xa5dc, 0)
    const length = main.write(
      'The café\x07opens at\x07\x07by\x07nine\x07\x07Daily.\r',
      0x300,
      'latin1',
    )
    main.writeUInt32LE(0x300, 0x18)
    main.writeUInt32LE(0x300 + length, 0x1c)
    const text = await textOf('doc', makeCompoundFile({ WordDocument: main }))
    assert.equal(text, 'The café | opens at\nby | nine\n\nDaily.')
  })
})

/** Makes a workbook from global records and the records of each sheet. */
function workbook(version: number, records: Buffer[], ...sheets: Buffer[][]): Buffer<ArrayBuffer> {
  const begin = record(0x809, u16(version, 5))
  const names = sheets.map((_, i) => `S${i}`)
  const headLength = (at: number) =>
    Buffer.concat([begin, ...records, ...names.map((name) => boundSheet(version, at, name))])
      .length + 4
  const parts: Buffer[] = []
  const places: number[] = []
  let at = headLength(0)
  for (const cells of sheets) {
    const sheet = Buffer.concat([record(0x809, u16(version, 0x10)), ...cells, record(0x0a)])
    places.push(at)
    parts.push(sheet)
    at += sheet.length
  }
  const head = [begin, ...records, ...names.map((name, i) => boundSheet(version, places[i]!, name))]
  const stream = Buffer.concat([...head, record(0x0a), ...parts, Buffer.alloc(4096)])
  return makeCompoundFile({ [version === 0x600 ? 'Workbook' : 'Book']: stream })
}

function boundSheet(version: number, at: number, name: string): Buffer {
  const place = Buffer.alloc(6)
  place.writeUInt32LE(at)
  const flags = version === 0x600 ? [0] : []
  return record(0x85, place, Buffer.from([name.length, ...flags]), Buffer.from(name))
}

function record(type: number, ...data: Buffer[]): Buffer {
  const content = Buffer.concat(data)
  return Buffer.concat([u16(type, content.length), content])
}

function u16(...numbers: number[]): Buffer {
  return Buffer.from(Uint16Array.from(numbers).buffer)
}

function u32(...numbers: number[]): Buffer {
  return Buffer.from(Uint32Array.from(numbers).buffer)
}

function double(number: number): Buffer {
  return Buffer.from(Float64Array.of(number).buffer)
}

describe('a workbook of Excel before 2007', () => {
  test('is read without any program, whatever it is called', async () => {
    // The content decides the type if the extension is wrong.
    for (const name of ['prices.xls', 'prices.doc', 'prices.txt', 'prices']) {
      const { status, title } = await send(name, XLS)
      assert.deepEqual([status, title], ['success', 'Prices of the garden'], name)
    }
  })

  test('keeps visible sheets, headers, dates, shares, merged cells and long texts whole', async () => {
    const text = await textOf('xls', XLS)
    assert.ok(
      text.startsWith('# Preise für Gäste\n\nTicket: Adult | Price: 12.5 | Since: 2024-03-01'),
    )
    assert.match(text, /Ticket: Zürich – 东京 \| Price: 1234567\.891 \| Since: 1999-12-31/)
    assert.match(text, /Share: 45\.5%/)
    assert.match(text, /Season: Spring \| Season: April \| Guests: 40/)
    assert.match(text, /Guests: -3\n\n# Diary/)
    assert.match(text, /The gazebo keeps a diary\. Das Café öffnet früh – 东京的花园。 Das/)
    assert.match(text, /东京的花园。 End of the diary\.\nAfter the diary$/)
    assert.doesNotMatch(text, /secret|Hidden/)
  })

  test('has numbers in all their forms, and formulas with their results', async () => {
    const cells = [
      record(0x203, u16(0, 0, 0), double(0.1)),
      record(0x27e, u16(0, 1, 0), u32((4200 << 2) | 3)),
      record(0xbd, u16(0, 2, 0), u32((7 << 2) | 2), u16(0), u32(((-8 << 2) >>> 0) | 2), u16(3)),
      record(0x205, u16(1, 0, 0, 1)),
      record(0x205, u16(1, 1, 0), Buffer.from([0x2a, 1])),
      record(0x06, u16(1, 2, 0), double(12), Buffer.alloc(8)),
      record(0x06, u16(1, 3, 0, 0, 0, 0, 0xffff), Buffer.alloc(8)),
      record(0x207, u16(4), Buffer.from([1]), Buffer.from('Łódź', 'utf16le')),
      record(0x204, u16(1, 4, 0, 3), Buffer.from([0]), Buffer.from('end')),
    ]
    const text = await textOf('xls', workbook(0x600, [], cells))
    assert.equal(text, '# S0\n\n0.1 | 42 | 7 | -8\nTRUE | #N/A | 12 | Łódź | end')
  })

  test('of Excel 5 and 95 is read in its code page', async () => {
    const label = record(0x204, u16(0, 0, 0, 4), Buffer.from([0xea, 0xe0, 0xf4, 0xe5]))
    const text = await textOf('xls', workbook(0x500, [record(0x42, u16(1251))], [label]))
    assert.equal(text, '# S0\n\nкафе')
  })
})

describe('an old Office file that is damaged or hostile is refused with a sentence or read as far as it goes', () => {
  test('wherever it is cut off', async () => {
    for (const [kind, whole] of [
      ['doc', DOC],
      ['xls', XLS],
    ] as const) {
      for (let size = 512; size < whole.length; size += 512) {
        const error = await textOf(kind, whole.subarray(0, size)).catch((error: Error) => error)
        if (error instanceof Error)
          assert.match(error.message, /damaged|No text/, `${kind} ${size}`)
      }
    }
  })

  test('that names one stretch of text over and over', async () => {
    const main = Buffer.alloc(0x1000)
    main.writeUInt16LE(0xa5ec, 0)
    const pieces = 3_000
    const table = Buffer.alloc(5 + (pieces + 1) * 4 + pieces * 8)
    table[0] = 2
    table.writeUInt32LE(table.length - 5, 1)
    for (let i = 0; i <= pieces; i++) table.writeUInt32LE(i * 10_000, 5 + i * 4)
    main.writeUInt32LE(table.length, 0x1a6)
    main.writeUInt32LE(0x7fffffff, 0x4c)
    const file = makeCompoundFile({ WordDocument: main, '0Table': table })
    await assert.rejects(textOf('doc', file), /25 million characters/)
  })

  test('that names one sheet over and over', async () => {
    const begin = record(0x809, u16(0x600, 5))
    const cell = record(0x203, u16(0, 0, 0), double(1))
    const sheet = Buffer.concat([record(0x809, u16(0x600, 0x10)), cell, record(0x0a)])
    const size = begin.length + 2_000 * boundSheet(0x600, 0, 'S').length + record(0x0a).length
    const names = Array.from({ length: 2_000 }, () => boundSheet(0x600, size, 'S'))
    const stream = Buffer.concat([begin, ...names, record(0x0a), sheet])
    assert.equal(await textOf('xls', makeCompoundFile({ Workbook: stream })), '# S\n\n1')
  })

  test('that announces more strings and longer ones than it has', async () => {
    const strings = record(0xfc, u32(1, 0xffffffff), u16(0xffff), Buffer.from([0x0d]), u16(0xffff))
    await assert.rejects(textOf('xls', workbook(0x600, [strings], [])), /damaged/)
  })

  test('that needs a password', async () => {
    const late = [...Array(9).fill(record(0x22, u16(0))), record(0x2f, u16(1, 1))]
    const { status, meta_json } = await send('late.xls', workbook(0x600, late, []))
    assert.equal(status, 'fail')
    assert.match(meta_json, /protected with a password/)
  })

  test('without any text', async () => {
    const { status } = await send('empty.xls', workbook(0x600, []))
    assert.equal(status, 'error:no text')
  })
})
