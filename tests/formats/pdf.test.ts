import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DocumentReader } from '@docent/server/src/ingestion/confined/read-document.ts'
import { makePdf, type PlacedText } from '@docent/server/test/files/make-pdf.ts'
import { startTestServer } from '@docent/server/test/harness.ts'

const documents = DocumentReader.open()
after(() => documents.close())

const read = (bytes: Uint8Array) => documents.extract({ bytes, kind: 'pdf' })

describe('a PDF', () => {
  test('knows where each page begins, also after empty ones', async () => {
    const { text, pages } = await read(
      makePdf([[[50, 700, 'First.']], [], [[50, 700, 'Third.']], [[50, 700, 'Fourth.']]]),
    )
    assert.equal(text, 'First.\n\nThird.\n\nFourth.')
    assert.deepEqual(pages, [0, 8, 8, 16])
  })

  test('has what all its pages repeat at their edges once, and their numbers nowhere', async () => {
    const words = ['alder', 'birch', 'cedar', 'elm', 'fir']
    const { text, pages } = await read(
      makePdf(
        words.map((word, i): PlacedText[] => [
          [50, 760, 'A handbook of trees'],
          [50, 700, `This page is about the ${word}, and about no other tree.`],
          [50, 40, `Page ${i + 1} of 5`],
          [300, 20, `${i + 1}`],
        ]),
      ),
    )
    const about = words.map((word) => `This page is about the ${word}, and about no other tree.`)
    assert.deepEqual(text.split('\n\n'), ['A handbook of trees', about[0], ...about.slice(1)])
    assert.deepEqual(
      pages?.slice(1),
      about.slice(1).map((line) => text.indexOf(line!)),
    )
  })

  test('a number may be that of a page, or of what it is about', async () => {
    const { text } = await read(
      makePdf(
        Array.from({ length: 5 }, (_, i): PlacedText[] => [
          [50, 760, `Part ${i + 1}`],
          [50, 700, `This page is about ${['one', 'two', 'three', 'four', 'five'][i]} things.`],
          [50, 40, `A handbook | ${i + 1}`],
        ]),
      ),
    )
    assert.equal(text.match(/^Part \d$/gm)?.length, 5)
    assert.equal(text.match(/A handbook/g)?.length, 1)
  })

  test('keeps pages that all say the same, and what only a few repeat', async () => {
    const same = await read(makePdf(Array.from({ length: 5 }, () => [[50, 700, 'Hello world.']])))
    assert.equal(same.text, Array(5).fill('Hello world.').join('\n\n'))
    const few = await read(
      makePdf(
        Array.from({ length: 3 }, (_, i): PlacedText[] => [
          [50, 760, 'A handbook'],
          [50, 700, `Of page ${'abc'[i]}, and so on.`],
        ]),
      ),
    )
    assert.equal(few.text.match(/A handbook/g)?.length, 3)
  })

  test('a sentence that goes on overleaf is one, and so is a word', async () => {
    const { text } = await read(
      makePdf([[[50, 100, 'The ferry leaves when it is']], [[50, 700, 'full, or at ten.']]]),
    )
    assert.equal(text, 'The ferry leaves when it is\nfull, or at ten.')
    const divided = await read(
      makePdf([
        [[50, 100, 'It takes bicy-']],
        [],
        [[50, 700, 'cles, and has self-']],
        [[50, 700, 'service for all with bicycles.']],
      ]),
    )
    const [, second, third] = ['It takes bicy', 'cles, and has self-\n\n', 'service for all']
    assert.equal(divided.text, `It takes bicy${second}${third} with bicycles.`)
    assert.deepEqual(divided.pages, [0, 13, 13, 13 + second!.length])
  })

  test('has nothing of what the pages of a chapter repeat at their edges, if its text says it', async () => {
    const body = (y: number, text: string): PlacedText => [50, y, `${text}, and so on for a while.`]
    const opens = (name: string): PlacedText[] => [
      [50, 700, name, 20],
      body(600, `Of ${name.toLowerCase()}`),
    ]
    const goesOn = (chapter: string, section: string, text: string): PlacedText[] => [
      [50, 760, chapter],
      [420, 760, section],
      [50, 700, section, 14],
      body(660, text),
      [300, 30, 'xii'],
    ]
    const { text } = await read(
      makePdf([
        opens('Trees of the north'),
        goesOn('TREES OF THE NORTH', 'Alder', 'They stand by the water'),
        goesOn('TREES OF THE NORTH', 'Birch', 'They stand on the heath'),
        goesOn('TREES OF THE NORTH', 'Cedar', 'They stand in the park'),
        opens('Animals'),
        goesOn('ANIMALS', 'Bear', 'It sleeps'),
        opens('Stones'),
        goesOn('STONES', 'Amber', 'It is found on the beach'),
        goesOn('STONES', 'Flint', 'It was made into knives'),
      ]),
    )
    assert.doesNotMatch(text, /TREES|ANIMALS|STONES|xii/)
    assert.match(text, /## Trees of the north\n\nOf trees.*\n\n## Alder\n\nThey stand by the water/)
    assert.match(text, /## Bear\n\nIt sleeps/)
  })

  test('keeps the chapters that stand nowhere but at the edges, once', async () => {
    const about = ['oak', 'pine', 'wolf', 'lynx', 'owl', 'toad']
    const { text } = await read(
      makePdf(
        about.map((name, i): PlacedText[] => [
          [50, 760, i < 3 ? 'Section A: what is insured' : 'Section B: what is not'],
          [50, 700, `This page is about the ${name}, and about nothing else.`],
        ]),
      ),
    )
    assert.equal(text.match(/Section A: what is insured/g)?.length, 1)
    assert.equal(text.match(/Section B: what is not/g)?.length, 1)
  })

  test('keeps what differs at the edges, or stands nowhere else', async () => {
    const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
    const menu = await read(
      makePdf(
        days.map((day, i): PlacedText[] => [
          [50, 760, 'Lunch menu'],
          [400, 760, day],
          [50, 700, `There is soup number ${i}, and bread.`],
          [50, 640, ['I', 'II', 'III', 'IV', 'V', 'VI'][i]!],
        ]),
      ),
    )
    for (const day of days) assert.match(menu.text, new RegExp(day))
    assert.match(menu.text, /^III$/m)
    const both = await read(
      makePdf(
        days.map((day, i): PlacedText[] => [
          [50, 760, i < 3 ? 'Safety' : 'Cleaning'],
          [50, 700, `Of ${day}, and of nothing else.`],
          [50, 40, i < 3 ? 'Safety' : 'Cleaning'],
        ]),
      ),
    )
    assert.match(both.text, /Safety.*Cleaning/s)
  })

  test('has its own title, if it is one', async () => {
    const titles = {
      'Opening hours': 'Opening hours',
      untitled: '',
      'Microsoft Word - hours.doc': '',
      'hours 2024.docx': '',
      '10811.exe': '',
      '12': '',
    }
    for (const [title, wanted] of Object.entries(titles)) {
      assert.equal((await read(makePdf([[[50, 700, 'Text.']]], { title }))).title, wanted, title)
    }
  })

  test('with a password is refused, and the reason says what to do', async () => {
    const secret = '00'.repeat(32)
    const trailer = `/ID [<01> <01>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -1 /O <${secret}> /U <${secret}> >>`
    await assert.rejects(read(makePdf([[[50, 700, 'Text.']]], { trailer })), {
      status: 'fail',
      message: /protected with a password.*without a password/,
    })
  })

  test('of pictures alone is refused, and the reason says what to do', async () => {
    await assert.rejects(read(makePdf([[], []])), {
      status: 'error:no text',
      message: /images without text.*OCR/,
    })
  })

  test('that is no PDF inside is refused as damaged', async () => {
    for (const content of [
      '%PDF-1.7\n',
      '%PDF-1.4\n1 0 obj\n<< >>\nendobj\n',
      '%PDF-\0\0\0'.repeat(99),
    ]) {
      await assert.rejects(read(Buffer.from(content)), { status: 'fail', message: /damaged/ })
    }
  })

  test('that claims millions of pages is read as far as it goes', async () => {
    const pdf = makePdf([[[50, 700, 'The only one.']]], { claimedPages: 200_000_000 })
    assert.equal((await read(pdf)).text, 'The only one.')
  })

  test('cut off or damaged anywhere is read or refused, never more', async () => {
    const whole = makePdf([[[50, 700, 'First.']], [[50, 700, 'Second.']]], { title: 'Title' })
    const damaged = Array.from({ length: 40 }, (_, i) => {
      const at = Math.floor((whole.length * i) / 40)
      return i % 2 === 0
        ? Buffer.from(whole).fill((i * 37) % 256, at, at + (i % 7))
        : whole.subarray(0, at)
    })
    for (const [i, bytes] of damaged.entries()) {
      const outcome = await read(bytes).catch((error) => error)
      assert.ok('text' in outcome || outcome.name === 'IngestionError', `${i}: ${outcome}`)
    }
  })
})

test('of two files that say the same of two things, the one is cited whose name has what was asked', async (t) => {
  const { owner } = await startTestServer(t)
  const chatbot = await owner.createChatbot({ show_citations: true })
  for (const [name, hours] of [
    ['Kettle_X200-manual.pdf', 'two'],
    ['Kettle_Z900-manual.pdf', 'three'],
  ] as const) {
    const pdf = makePdf([
      [[50, 100, 'This is a page of words that begins a sentence about how long it is that the']],
      [[50, 700, `guarantee of the device lasts, which is ${hours} years. It is given to all.`]],
    ])
    const { uuid } = (await (await owner.upload(chatbot, name, pdf)).json()) as { uuid: string }
    assert.equal((await owner.settled(uuid)).status, 'success')
  }
  for (const [question, hours] of [
    ['How long is the guarantee of the X200?', 'two'],
    ['How long is the guarantee of the Z900?', 'three'],
  ] as const) {
    const session = await owner.createSession(chatbot)
    const answer = await (await owner.ask(session, question)).text()
    assert.match(answer, new RegExp(`^[^[]*is\\s${hours} years`))
    const [message] = await owner.messages(session)
    // The receipt names the page on which the sentence begins.
    assert.equal(JSON.parse(message.meta_json).receipts['1.1'].page, 1)
  }
})

test('a citation of an uploaded PDF names its page', async (t) => {
  const { owner, services } = await startTestServer(t)
  const chatbot = await owner.createChatbot({ show_citations: true })
  const pdf = makePdf([
    [[50, 700, 'The harbour opens at dawn.']],
    [],
    [[50, 700, 'The gazebo is painted turquoise.']],
  ])
  const { uuid } = (await (await owner.upload(chatbot, 'guide.pdf', pdf)).json()) as {
    uuid: string
  }
  const source = await owner.settled(uuid)
  assert.equal(source.status, 'success')
  assert.equal(source.title, 'guide.pdf')

  const session = await owner.createSession(chatbot)
  const answer = await (await owner.ask(session, 'What colour is the gazebo?')).text()
  assert.equal(answer, 'The gazebo is painted turquoise. [1.1]')
  const [message] = await owner.messages(session)
  const receipt = JSON.parse(message.meta_json).receipts['1.1']
  assert.equal(receipt.page, 3)

  const revision = await services.db
    .selectFrom('revisions')
    .selectAll()
    .where('hash', '=', receipt.revision)
    .executeTakeFirstOrThrow()
  assert.equal(revision.text.slice(receipt.start, receipt.end), 'The gazebo is painted turquoise.')
  assert.equal(JSON.parse(revision.pages!)[2], receipt.start)
})
