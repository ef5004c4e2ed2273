import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Candidate } from '../src/answering/choose-sentences.ts'
import { pieceOf, shorten } from '../src/answering/cut-sentence.ts'
import type { FoundPassage } from '../src/search/find-passages.ts'

const LONGEST = 114

/** A sentence in which a reader has found an answer. */
function sentence(text: string, answer: string): Candidate {
  const start = text.indexOf(answer)
  return {
    passage: { text } as FoundPassage,
    rank: 0,
    index: 0,
    start: 0,
    end: text.length,
    value: 1,
    spans: [{ start, end: start + answer.length, share: 0.9 }],
  }
}

function cut(text: string, answer: string, question: string): string | undefined {
  const piece = pieceOf(sentence(text, answer), question, LONGEST)
  return piece && text.slice(piece.start, piece.end)
}

const FOUNDED =
  'The library was founded in 1887 with the money of the cotton merchant Thomas Ashworth, who left it his whole collection of some 4,000 books and the house on Market Street in which it has been ever since.'

for (const [what, text, answer, question, expected] of [
  [
    'its end is left out at a comma',
    FOUNDED,
    '1887',
    'When was the library founded?',
    'The library was founded in 1887 with the money of the cotton merchant Thomas Ashworth',
  ],
  [
    'its beginning is left out at a comma',
    FOUNDED,
    '4,000',
    'How many books were in the collection?',
    'who left it his whole collection of some 4,000 books and the house on Market Street',
  ],
  [
    'a short one stays',
    'A ticket costs 12 euros, and children pay half.',
    '12 euros',
    'What does a ticket cost?',
    'A ticket costs 12 euros, and children pay half.',
  ],
] as const) {
  test(`of a sentence, ${what}`, () => {
    assert.equal(cut(text, answer, question), expected)
  })
}

for (const [what, text, answer, question, kept] of [
  [
    'a condition',
    'A booking can be cancelled free of charge up to 14 days before the day of arrival, provided that it was made at the full rate.',
    '14 days',
    'How many days before can a booking be cancelled?',
    /up to 14 days .* provided/,
  ],
  [
    'a condition before it',
    'Unless the parcel has been opened or was sent back later than that, the full price is paid back to you within 5 working days.',
    '5 working days',
    'When is the price paid back?',
    /^Unless/,
  ],
  [
    'a negation',
    'The machine is descaled every three months with the liquid that is sold in chemists under the name Calco, and never with vinegar.',
    'three months',
    'How often is the machine descaled?',
    /every three months .* never/,
  ],
  [
    'that it is only said to be so',
    'According to a story that the monks of the island told their visitors in the eighteenth century, the bell was cast in 1312.',
    '1312',
    'When was the bell cast?',
    /^According/,
  ],
  [
    'some of a list',
    'The ticket is valid on the trams and buses of the whole network of the city, namely in Leeds, Bradford, Wakefield, Halifax and Huddersfield.',
    'Leeds',
    'Where is the ticket valid?',
    /Leeds, Bradford, Wakefield, Halifax and Huddersfield/,
  ],
  [
    'the circumstances of what is to be done',
    'The brewing group is taken out through the service door on the right-hand side, after the machine has cooled down for ten minutes.',
    'service door',
    'How do I take out the brewing group?',
    /^The .* minutes/,
  ],
  [
    'the circumstances of what is allowed',
    'Dogs are welcome in the garden and in the two smaller houses beside the lake, where each of them is charged with 8 euros a night.',
    'Dogs are welcome',
    'Are dogs allowed?',
    /^Dogs .* night/,
  ],
  [
    'a cell of a table',
    '| The large room on the second floor with a view of the lake | 120 euros a night | from the first of May to the end of September |',
    '120 euros',
    'What does the large room cost?',
    /^\|.*\|$/,
  ],
] as const) {
  test(`a sentence does not lose ${what}`, () => {
    assert.match(cut(text, answer, question) ?? text, kept)
  })
}

test('what was asked for does not lose what stands beside it', () => {
  const text =
    'Members who have paid for the whole year and come to the hall at least twice a week may lend their card to a friend for up to 9 euros a month and take a second friend along on each of the four public holidays in autumn.'
  assert.match(cut(text, '9 euros', 'How much is it?') ?? text, /for up to 9 euros a month/)
})

test('without a reader nothing says what answers, and the sentence stays whole', () => {
  const candidate = { ...sentence(FOUNDED, '1887'), spans: [] }
  assert.equal(pieceOf(candidate, 'When was the library founded?', LONGEST), undefined)
})

test('a piece is never cut through a word, a character or a number, and holds the answer', () => {
  const words =
    'Ĳsselmeer 1,500.75 🦆🦆 (naïve) “quoted words” 𝒜𝓁𝓅𝒽𝒶 co-operation, e.g. this; that: other – more'
  const text = `${words} ${words} ${words} ${words}.`
  for (const { 0: word, index } of text.matchAll(/\S+/g)) {
    const spans = [{ start: index, end: index + word.length, share: 0.9 }]
    const candidate = { ...sentence(text, word), spans }
    for (const piece of [
      pieceOf(candidate, 'What is it?', LONGEST),
      shorten(candidate, LONGEST),
    ] as Candidate[]) {
      const quote = text.slice(piece.start, piece.end)
      assert.ok(quote.length <= LONGEST && quote.isWellFormed(), quote)
      assert.ok(quote.includes(word.replace(/[,;:]$/, '')), `${word} in ${quote}`)
      assert.match(`${text[piece.start - 1] ?? ' '}${text[piece.end] ?? ' '}`, /^\s[\s,;:]$/)
    }
  }
})
