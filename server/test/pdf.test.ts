import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DocumentReader } from '../src/ingestion/read-document.ts'
import { startTestServer } from './harness.ts'
import { makePdf, type PlacedText } from './make-pdf.ts'

const documents = new DocumentReader()
after(() => documents.close())

const read = (bytes: Uint8Array) => documents.extract({ bytes, kind: 'pdf' })
const textOf = async (...placed: PlacedText[]) => (await read(makePdf([placed]))).text

/** Lines of a paragraph, one below the other. */
function column(x: number, y: number, lines: string[]): PlacedText[] {
  return lines.map((line, i) => [x, y - i * 12, line])
}

describe('the text of a page is read as a person reads it', () => {
  test('the lines of a paragraph are joined, and divided words made whole', async () => {
    const lines = [
      'The harbour of the old town was built by mer-',
      'chants who came from the north. Its well-',
      'known lighthouse, a well-known sight, is open',
      'to all.',
    ]
    assert.equal(
      await textOf(...column(50, 700, lines)),
      'The harbour of the old town was built by merchants who came from the north. Its well-known lighthouse, a well-known sight, is open to all.',
    )
  })

  test('a wide gap between lines ends a paragraph, and large print is a heading', async () => {
    const text = await textOf(
      [50, 700, 'Opening hours', 18],
      [50, 670, 'We are open from nine to five on every day of the week.'],
      [50, 640, 'On holidays we are closed, and so is the museum next door.'],
    )
    assert.deepEqual(text.split('\n\n'), [
      '## Opening hours',
      'We are open from nine to five on every day of the week.',
      'On holidays we are closed, and so is the museum next door.',
    ])
  })

  test('a short line in another font above a paragraph is a heading, two of them are one', async () => {
    const text = await textOf(
      [50, 740, 'The house', 18, 'bold'],
      [50, 712, 'Its past', 10, 'bold'],
      ...column(50, 700, [
        'The house was built for a merchant who came from the north, in 1871.',
        'It is open to all.',
      ]),
      [50, 676, 'How to', 10, 'bold'],
      [50, 664, 'come here', 10, 'bold'],
      ...column(50, 652, ['Take the ferry from the old harbour, which leaves at ten past nine.']),
      [50, 640, '2.1 Prices', 10, 'bold'],
      ...column(50, 628, [
        'A ticket is nine euros, and children pay half of that if they are six.',
      ]),
    )
    assert.deepEqual(text.split('\n\n'), [
      '## The house',
      '### Its past',
      'The house was built for a merchant who came from the north, in 1871. It is open to all.',
      '### How to come here',
      'Take the ferry from the old harbour, which leaves at ten past nine.',
      '### 2.1 Prices',
      'A ticket is nine euros, and children pay half of that if they are six.',
    ])
  })

  test('but not what goes on, what is a label, what is code, nor a paragraph in that font', async () => {
    const usual = 'A line of the text, which is as long as any other line of this page is.'
    const other = (y: number, text: string, font: 'bold' | 'code' = 'bold'): PlacedText => [
      50,
      y,
      text,
      10,
      font,
    ]
    const text = await textOf(
      ...column(50, 700, [usual, usual, usual, usual, usual, usual, usual, usual]),
      other(604, 'Important words:'),
      ...column(50, 592, [usual, 'and a line that ends with the name of the']),
      other(568, 'Museum of the North'),
      ...column(50, 556, [usual]),
      other(544, 'Const answer', 'code'),
      ...column(50, 532, [usual]),
      ...['One', 'Two', 'Three'].map((word, i) => other(520 - 12 * i, word)),
      ...column(50, 484, [usual]),
    )
    assert.doesNotMatch(text, /#/)
  })

  test('columns one after the other, under a title that reaches across', async () => {
    const left = [
      'The left column begins here and',
      'it goes on with more words and',
      'it ends with these words, now.',
    ]
    const right = [
      'The right column begins here and',
      'it goes on with other words so',
      'it ends with a last sentence.',
    ]
    // Drawn line by line, across both columns.
    const rows = left.flatMap((_, i): PlacedText[] => [
      [50, 600 - i * 12, left[i]!],
      [220, 600 - i * 12, right[i]!],
    ])
    const text = await textOf(
      [50, 650, 'A title that reaches across both of the columns of the page'],
      ...rows,
    )
    assert.match(text, /^A title.*these words, now\.\s+The right column.*sentence\.$/s)
  })

  test('columns of short lines that do not stand beside each other', async () => {
    const dish = (x: number, y: number, name: string, price: string, what: string) =>
      [
        [x, y, name],
        [x + 180, y, price],
        [x, y - 11, what],
      ] as PlacedText[]
    const text = await textOf(
      [50, 760, 'Trattoria', 18],
      [50, 730, 'Antipasti', 14],
      ...dish(50, 710, 'Burrata', '9.90', 'with peppers'),
      ...dish(50, 684, 'Calamari', '9.50', 'with lemon'),
      ...dish(50, 658, 'Vitello', '11.00', 'with tuna'),
      [320, 735, 'Secondi', 14],
      ...dish(320, 715, 'Branzino', '21.50', 'whole sea bass'),
      ...dish(320, 687, 'Saltimbocca', '20.00', 'veal and sage'),
      ...dish(320, 654, 'Melanzane', '15.00', 'baked, with cheese'),
    )
    assert.match(
      text,
      /Burrata\t9\.90\nwith peppers\n.*Vitello.*## Secondi.*Branzino\t21\.50\nwhole sea bass\n/s,
    )
  })

  test('words of a line that was stretched, and a sentence from one column to the next', async () => {
    const stretched = (x: number, y: number, line: string) => {
      const words = line.split(' ')
      const gap = (WIDTH - words.join('').length * LETTER) / (words.length - 1)
      let at = x
      return words.map((word): PlacedText => {
        const placed: PlacedText = [at, y, word, 10, 'code']
        at += word.length * LETTER + gap
        return placed
      })
    }
    const [WIDTH, LETTER] = [170, 6]
    const left = ['The hall can be hired by the', 'hour (residents £11). A', 'deposit of £60 is']
    const right = [
      'asked for parties. Nothing',
      'else is to be paid by you,',
      'and no drinks may be sold.',
    ]
    const text = await textOf(
      ...left.flatMap((line, i) => stretched(50, 700 - i * 12, line)),
      ...right.flatMap((line, i) => stretched(350, 700 - i * 12, line)),
    )
    assert.equal(text, [...left, ...right].join(' '))
  })

  test('a number in brackets that begins a line within its sentence', async () => {
    const lines = [
      'Whoever has ordered a ticket may give it back within thirty',
      '(30) days after it has come.',
    ]
    assert.equal(await textOf(...column(50, 700, lines)), lines.join(' '))
  })

  test('a table row by row', async () => {
    const rows: PlacedText[] = ['Apples', 'Pears', 'Plums', 'Figs'].flatMap((fruit, i) => [
      [50, 600 - i * 14, fruit],
      [200, 600 - i * 14, `${i + 3} kg`],
      [300, 600 - i * 14, `$${i}.50`],
    ])
    assert.equal(
      await textOf(...rows),
      'Apples\t3 kg\t$0.50\nPears\t4 kg\t$1.50\nPlums\t5 kg\t$2.50\nFigs\t6 kg\t$3.50',
    )
  })

  test('what is drawn twice to look bold is read once', async () => {
    assert.equal(await textOf([50, 700, 'Bold words'], [50.3, 700, 'Bold words']), 'Bold words')
  })

  test('Chinese by the tables that come along, without spaces where a line ends', async () => {
    const placed = column(50, 700, ['灯塔每天早上九点开放，', '晚上五点关闭。'])
    assert.equal(
      (await read(makePdf([placed], { isChinese: true }))).text,
      '灯塔每天早上九点开放，晚上五点关闭。',
    )
  })

  test('what was filled into a form stands beside its label', async () => {
    const field = { x: 150, y: 700, value: 'Ada Lovelace' }
    const { text } = await read(makePdf([[[50, 700, 'Your name:']]], { field }))
    assert.equal(text, 'Your name:\tAda Lovelace')
  })
})

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
    assert.deepEqual(text.split('\n\n'), [
      'A handbook of trees',
      about[0],
      'Page 1 of 5',
      ...about.slice(1),
    ])
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

  test('a sentence that goes on overleaf is one', async () => {
    const { text } = await read(
      makePdf([[[50, 100, 'The ferry leaves when it is']], [[50, 700, 'full, or at ten.']]]),
    )
    assert.equal(text, 'The ferry leaves when it is\nfull, or at ten.')
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
      message: /no text layer.*OCR/,
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
    // The page on which the sentence begins.
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
