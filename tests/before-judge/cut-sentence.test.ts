import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Candidate } from '@docent/quote/before-judge/choose-sentences.ts'
import { pieceOf, shorten } from '@docent/quote/before-judge/cut-sentence.ts'
import { cut, LONGEST, sentence } from './cutting.ts'

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
  [
    'a contrast before it is left out',
    'Though the bridge was drawn by an engineer of the railway who had never built one before, it carried its first train in 1871.',
    '1871',
    'When did the bridge carry its first train?',
    'it carried its first train in 1871.',
  ],
  [
    'a contrast behind it is left out',
    'The digital service of the station began on 1 October 1998 with two hundred channels, although smaller towns were connected later in that year.',
    '1 October 1998',
    'When did the digital service begin?',
    'The digital service of the station began on 1 October 1998 with two hundred channels',
  ],
  [
    'another statement is left out, whatever it denies',
    'The indicator was shown at the exhibition in London in 1862; it was not until ten years later that any other maker sold one.',
    '1862',
    'When was the indicator shown?',
    'The indicator was shown at the exhibition in London in 1862',
  ],
  [
    'what a clause of its own denies is left out',
    'The pool lies behind the old mill at the end of Weaver Street, which is closed to cars and may not be entered from the north.',
    'behind the old mill',
    'Where does the pool lie?',
    'The pool lies behind the old mill at the end of Weaver Street',
  ],
  [
    'what was once the case is cut, however it came about',
    'The bell was lifted into the tower by forty men with ropes and pulleys in the spring of 1744, and the whole town came to watch them.',
    'by forty men with ropes and pulleys',
    'How was the bell lifted into the tower?',
    'The bell was lifted into the tower by forty men with ropes and pulleys in the spring of 1744',
  ],
  [
    'what was once the case is cut, whatever it took',
    'The mill was built in 1744 by the monks of the valley, who ground the corn of their neighbours only if it had come from the fields of the abbey.',
    '1744',
    'When was the mill built?',
    'The mill was built in 1744 by the monks of the valley',
  ],
  [
    'whose word it is is left out where the question knows',
    'The keeper of the tower argued that the great bell, which hung for three hundred years above the gate of the abbey and was heard in every village of the valley, was cast in 1312.',
    '1312',
    'When was the bell cast, as the keeper argues?',
    'was cast in 1312.',
  ],
  [
    'what it denies is left out where the question denies it',
    'The fig and the vine, which the gardeners of the abbey brought home with them from the south in the year 1744, do not grow in the shade of the tower.',
    'fig and the vine',
    'Which plants do not grow in the shade?',
    'The fig and the vine, which the gardeners of the abbey brought home with them from the south in the year 1744',
  ],
  [
    'what somebody said next is left out',
    'In the early summer of 1896 the secretary of the Northern Rowing Club stated that the race would be the longest that had ever been rowed on the river.',
    'the Northern Rowing Club',
    'Whose secretary spoke of the race?',
    'In the early summer of 1896 the secretary of the Northern Rowing Club stated that the race',
  ],
  [
    'a name between commas, and what its bearer did, are no list',
    'On 17 March 1752, the governor of the colony, the Marquis de la Jonquière, died and was replaced for some months by Charles le Moyne de Longueuil.',
    'Marquis de la Jonquière',
    'Which governor died in 1752?',
    'the Marquis de la Jonquière, died and was replaced for some months by Charles le Moyne de Longueuil.',
  ],
] as const) {
  test(`of a sentence, ${what}`, () => {
    assert.equal(cut(text, answer, question), expected)
  })
}

test('a text without an end is cut as fast as any other', () => {
  for (const part of ['; ', 'word, ', 'not so: ', '(and) ', 'Name ']) {
    const text = `${part.repeat(400)}1887 ${part.repeat(400)}`
    const piece = pieceOf(sentence(text, '1887'), 'When was it?', LONGEST)
    assert.ok(!piece || piece.end - piece.start <= LONGEST)
  }
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
