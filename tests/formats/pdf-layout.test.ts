import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { DocumentReader } from '@docent/server/src/ingestion/confined/read-document.ts'
import { makePdf, type PlacedText } from '@docent/server/test/files/make-pdf.ts'

const documents = DocumentReader.open()
after(() => documents.close())

const read = (bytes: Uint8Array) => documents.extract({ bytes, kind: 'pdf' })
const textOf = async (...placed: PlacedText[]) => (await read(makePdf([placed]))).text

/** Places the lines of a paragraph below each other. */
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
    // The PDF draws line by line, across both columns.
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

  test('a table with a header, whose cells take several lines, as rows that say what each cell is', async () => {
    const text = await textOf(
      [90, 700, 'Name', 10, 'bold'],
      [260, 700, 'Interest', 10, 'bold'],
      [430, 700, 'Days', 10, 'bold'],
      [50, 680, 'Dr Anita Rao, senior'],
      [50, 667, 'partner'],
      // Vertically centered in its row.
      [230, 674, 'Small surgery'],
      [410, 680, 'Mon, Tue,'],
      [410, 667, 'Thu'],
      [50, 640, 'Evening', 10, 'bold'],
      [50, 620, 'Dr Peter Lindley'],
      [230, 620, 'Diabetes'],
      [410, 620, 'Fri'],
      [50, 596, 'All doctors of the house can be reached by phone from nine to five on every day.'],
    )
    assert.deepEqual(text.split(/\n+/), [
      'Name: Dr Anita Rao, senior partner | Interest: Small surgery | Days: Mon, Tue, Thu',
      'Evening',
      'Name: Dr Peter Lindley | Interest: Diabetes | Days: Fri',
      'All doctors of the house can be reached by phone from nine to five on every day.',
    ])
  })

  test('a header of two lines, titles between the rows, and divided words in cells', async () => {
    const text = await textOf(
      [230, 712, 'Weekend', 10, 'bold'],
      [50, 700, 'Item', 10, 'bold'],
      [230, 700, 'from Friday', 10, 'bold'],
      [410, 700, 'Deposit', 10, 'bold'],
      [50, 680, 'Floor sander'],
      [230, 680, '57'],
      [410, 680, '100'],
      [50, 666, 'GARDEN'],
      [50, 652, 'Hedge trim-'],
      [230, 652, '36'],
      [410, 652, '75'],
      [50, 640, 'mer'],
      [50, 620, 'Chipper'],
      [230, 620, '85'],
      [410, 620, '200'],
    )
    assert.deepEqual(text.split('\n'), [
      'Item: Floor sander | Weekend from Friday: 57 | Deposit: 100',
      'GARDEN',
      'Item: Hedge trimmer | Weekend from Friday: 36 | Deposit: 75',
      'Item: Chipper | Weekend from Friday: 85 | Deposit: 200',
    ])
  })

  test('the sections of statutes are headings', async () => {
    const text = await textOf(
      ...column(50, 700, ['§ 4 Beitrag', 'Der Beitrag wird im Januar bezahlt.']),
      ...column(50, 660, ['§ 5 Vorstand', 'Er wird nach § 26 BGB gewählt.']),
    )
    assert.equal(
      text,
      '### § 4 Beitrag\n\nDer Beitrag wird im Januar bezahlt.\n\n### § 5 Vorstand\n\nEr wird nach § 26 BGB gewählt.',
    )
  })

  test('names without numbers over numbers are a header, too, but not those of a plain list', async () => {
    const row = (y: number, ...cells: string[]) =>
      cells.map((cell, i): PlacedText => [50 + i * 120, y, cell])
    const prices = [
      ...row(700, 'Room', 'Summer', 'Winter'),
      ...row(686, 'Single', '90', '70'),
      ...row(672, 'Double', '120', '95'),
    ]
    assert.equal(
      await textOf(...prices),
      'Room: Single | Summer: 90 | Winter: 70\nRoom: Double | Summer: 120 | Winter: 95',
    )
    const names = [
      ...row(700, 'Ann', 'Leeds'),
      ...row(686, 'Bob', 'York'),
      ...row(672, 'Cy', 'Hull'),
    ]
    assert.equal(await textOf(...names), 'Ann\tLeeds\nBob\tYork\nCy\tHull')
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
