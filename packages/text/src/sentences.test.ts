import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { readPassageWords, wordsOfPassage } from './passage-words.ts'
import { sentencesOf, sentencesOfParts } from './sentences.ts'

function cut(text: string): string[] {
  return sentencesOf(text).map(({ start, end }) => text.slice(start, end))
}

suite('a text is cut into sentences', () => {
  for (const [what, text, expected] of [
    [
      'at full stops, but not at those of abbreviations',
      'Dr. Lee met Mr. Poe in the U.S. on Monday. They left early, e.g. at nine. Prof. J. R. Smith stayed.',
      [
        'Dr. Lee met Mr. Poe in the U.S. on Monday.',
        'They left early, e.g. at nine.',
        'Prof. J. R. Smith stayed.',
      ],
    ],
    [
      'nor at those of German days and floors, or before a number to call',
      'Das Mobil kommt am 12. April und am 18. Oktober. Er wohnt im 3. Stock. Tel. 07034 555. Wir haben 12. Mehr gibt es nicht.',
      [
        'Das Mobil kommt am 12. April und am 18. Oktober.',
        'Er wohnt im 3. Stock.',
        'Tel. 07034 555.',
        'Wir haben 12.',
        'Mehr gibt es nicht.',
      ],
    ],
    [
      'with the marks of Markdown that close, and not at those of pictures',
      '**Hinweis!** Der Pavillon öffnet um neun. __¿Cuándo?__ Abre a las nueve. **Öffnungszeiten.**\n\n![Plan](plan.png)\nSiehe Bild! ![Tor](tor.png) Hier.',
      [
        '**Hinweis!**',
        'Der Pavillon öffnet um neun.',
        '__¿Cuándo?__',
        'Abre a las nueve.',
        '**Öffnungszeiten.**',
        '![Plan](plan.png)',
        'Siehe Bild!',
        '![Tor](tor.png) Hier.',
      ],
    ],
    [
      'but a row is not cut',
      'Bin: blue | Day: 1. Monday of the month. Not in May. | Fee: none\nBin: grey | Day: Tuesday\nPut them out by six. Thank you.',
      [
        'Bin: blue | Day: 1. Monday of the month. Not in May. | Fee: none',
        'Bin: grey | Day: Tuesday',
        'Put them out by six.',
        'Thank you.',
      ],
    ],
    [
      'across lines that are as wide as they could be, whatever they begin with',
      'The deposit for the Great Hall is thirty percent and is due by the end of\nMarch; whoever pays later has to ask the office, which is in the house of the\nParish. It is\nOpen',
      [
        'The deposit for the Great Hall is thirty percent and is due by the end of\nMarch; whoever pays later has to ask the office, which is in the house of the\nParish.',
        'It is',
        'Open',
      ],
    ],
    [
      'but at those that end a sentence, too',
      'He sold it to Acme Inc. In 1990 he said no. She left the U.S. Navy. It was built by Poe & Co. of Leeds.',
      [
        'He sold it to Acme Inc.',
        'In 1990 he said no.',
        'She left the U.S. Navy.',
        'It was built by Poe & Co. of Leeds.',
      ],
    ],
    [
      'after the notes that belong to it',
      'It opened in 1990.[3][citation needed] It grew by “half.”[a] Then it fell.² See [4] and x[5]. So.[^1] Last.[note 2]',
      [
        'It opened in 1990.[3][citation needed]',
        'It grew by “half.”[a]',
        'Then it fell.²',
        'See [4] and x[5].',
        'So.[^1]',
        'Last.[note 2]',
      ],
    ],
    [
      'item by item where it is a list',
      'You need:\n- a ticket\n- a coat. And boots.\n1. First\n2. Second. Third.\n10) Last',
      [
        'You need:',
        '- a ticket',
        '- a coat.',
        'And boots.',
        '1. First',
        '2. Second.',
        'Third.',
        '10) Last',
      ],
    ],
    [
      'row by row where it is a table',
      '| Day | Hours |\n| --- | --- |\n| Monday | 9 to 5 |',
      ['| Day | Hours |', '| --- | --- |', '| Monday | 9 to 5 |'],
    ],
    [
      'where a line names what it is about',
      'Adults: 12 euros\nChildren: free',
      ['Adults: 12 euros', 'Children: free'],
    ],
    [
      'not where a column ended its lines',
      'The museum was\nfounded in 1901. It is\r\nopen daily.',
      ['The museum was\nfounded in 1901.', 'It is\r\nopen daily.'],
    ],
    [
      'in scripts that put no space after them',
      '我们九点开门。五点关门！票价多少？',
      ['我们九点开门。', '五点关门！', '票价多少？'],
    ],
    [
      'at rows',
      'name: Ann | age: 7\nname: Bo | age: 8',
      ['name: Ann | age: 7', 'name: Bo | age: 8'],
    ],
    [
      'not within code, which goes with what leads to it',
      'It is free. Install it:\n\n```sh\n# once\nnpm i\n\nnpm start\n```\n\nThen ask.\n~~~\na. b\n~~~',
      [
        'It is free.',
        'Install it:\n\n```sh\n# once\nnpm i\n\nnpm start\n```',
        'Then ask.',
        '~~~\na. b\n~~~',
      ],
    ],
    [
      'also after a fence that only ends, or is code in a line',
      'npm start\n```\n\nAsk it. Go.\n\n```ls``` lists. So does dir.',
      ['npm start', '```', 'Ask it.', 'Go.', '```ls``` lists.', 'So does dir.'],
    ],
    ['to one when nothing ends it', 'no end', ['no end']],
    ['to none when it has no words', ' \n\n ', []],
  ] as const) {
    test(what, () => assert.deepEqual(cut(text), expected))
  }

  test('and a heading ends with its line', () => {
    const text = '# Hours\nWe open at nine.\n\n## Fridays\n\nWe close late. Very late!'
    const found = sentencesOf(text).map(({ start, end, isHeading }) => [
      isHeading,
      text.slice(start, end),
    ])
    assert.deepEqual(found, [
      [true, '# Hours'],
      [false, 'We open at nine.'],
      [true, '## Fridays'],
      [false, 'We close late.'],
      [false, 'Very late!'],
    ])
  })
})

const piece = fc.constantFrom(
  ...['Dr. ', 'No. ', 'a', 'B', '. ', '! ', '\n', '\n\n', '\r\n', '- ', '# ', '| ', '1. ', ' '],
  ...['Price: ', '。', '\u2028', '\u00a0', '🎨', 'é', '…', '"', ')'],
)
const anyText = fc.oneof(
  fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
)

suite('the sentences of any text', () => {
  test('are in order, do not overlap, and have only white space between them', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        let end = 0
        for (const sentence of sentencesOf(text)) {
          assert.ok(sentence.start >= end && sentence.end > sentence.start)
          assert.equal(text.slice(end, sentence.start).trim(), '')
          const own = text.slice(sentence.start, sentence.end)
          assert.equal(own, own.trim())
          end = sentence.end
        }
        assert.equal(text.slice(end).trim(), '')
      }),
      { numRuns: 1000 },
    )
  })

  test('are, in a passage that was joined, those of its parts', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), (parts) => {
        const text = parts.join('')
        const starts = parts.map((_, i) => parts.slice(0, i).join('').length)
        const found = sentencesOfParts(text, starts).map(({ start, end }) => text.slice(start, end))
        assert.deepEqual(found, parts.flatMap(cut))
      }),
    )
  })

  test('have each one line of the passage’s words, after that of what leads to it', () => {
    fc.assert(
      fc.property(anyText, anyText, (lead, text) => {
        const words = readPassageWords(wordsOfPassage(lead, text))
        assert.equal(words.sentences.length, sentencesOf(text).length)
      }),
    )
  })
})

test('the words of a passage are read back sentence by sentence', () => {
  const stored = wordsOfPassage('Opening hours', 'We open at 9.\n\n---\n\nTickets cost 12 euros!')
  assert.deepEqual(readPassageWords(stored), {
    lead: ['open', 'hour'],
    sentences: [['we', 'open', 'at', '9'], [], ['ticket', 'cost', '12', 'euro']],
  })
  assert.deepEqual(readPassageWords(wordsOfPassage('', '')), { lead: [], sentences: [] })
})
