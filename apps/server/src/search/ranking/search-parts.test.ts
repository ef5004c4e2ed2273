import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { analyzeQuestion, analyzeText } from '@docent/text/analyze-text.ts'
import { isFollowUp, wordingsOf } from '@docent/text/follow-up.ts'
import { wordsOfPassage } from '@docent/text/passage-words.ts'
import { HeadingPath } from '../../ingestion/confined/heading-path.ts'
import { type Candidate, mixScores, scoreCandidate, type WordStatistics } from './combine-scores.ts'

suite('words are found in other forms, too', () => {
  for (const [what, one, other] of [
    ['in English', 'opening tickets', 'opens ticket'],
    ['in German, by how they begin', 'Versicherungen', 'Versicherung'],
    ['in Russian', 'книга билетов', 'книги билеты'],
    ['in Arabic', 'المدرسة', 'مدرسة'],
    ['in Greek', 'βιβλία', 'βιβλίων'],
    ['in Hindi', 'किताबें', 'किताब'],
    ['in wide and in joined letters', 'ＯＰＥＮ ﬁnd', 'open find'],
    ['in capitals with marks', 'CAFÉ', 'cafe\u0301'],
  ] as const) {
    test(what, () => assert.deepEqual(analyzeText(one), analyzeText(other)))
  }

  test('where no blanks are between them, as pairs of characters', () => {
    assert.deepEqual(analyzeText('博物馆9点open'), ['博物', '物馆', '9', '点', 'open'])
    assert.deepEqual(analyzeText('東'), ['東'])
    assert.ok(analyzeText('พิพิธภัณฑ์').length > 3)
    assert.deepEqual(analyzeText('박물관 시간'), ['박물관', '시간'])
    assert.deepEqual(analyzeText('サーバー'), ['サー', 'ーバ', 'バー'])
  })

  test('and a question is what it is about, each word once', () => {
    assert.deepEqual(analyzeQuestion('What is the price of tickets and of a ticket?'), [
      'price',
      'ticket',
    ])
    assert.deepEqual(analyzeQuestion('What is it?'), ['what', 'is', 'it'])
    for (const [question, about] of [
      ['Wann hat der Wertstoffhof geöffnet?', 'wertstof geoffnet'],
      ['¿Cuánto cuesta un corte de pelo para hombre?', 'cuesta cort pelo hombr'],
      ['quanto custa a recolha em casa', 'custa recolha casa'],
      ['livrez-vous en Suisse ?', 'livrez suiss'],
      ['сколько стоит билет для детей', 'сто билет дет'],
      ['Where can I die cast?', 'die cast'],
      ['có công ty nào ở đâu', 'co cong ty nao o dau'],
    ] as const)
      assert.deepEqual(analyzeQuestion(question), about.split(' '), question)
  })
})

suite('a question follows another', () => {
  for (const question of [
    'And for children?',
    'Why?',
    'How much is it?',
    'What about dogs?',
    'How do my children and I get there by train?',
  ]) {
    test(`when it is “${question}”`, () => {
      const wordings = wordingsOf(question, 'What do tickets cost?')
      assert.deepEqual(
        wordings.map(({ text }) => text),
        [question, `What do tickets cost? ${question}`],
      )
      assert.equal(
        wordings.reduce((sum, { share }) => sum + share, 0),
        1,
      )
    })
  }

  test('unless it can stand alone, or nothing was asked before', () => {
    const alone = 'What do tickets for the museum cost on Sundays?'
    assert.equal(isFollowUp(alone), false)
    assert.equal(isFollowUp('Are there lifts to the upper floors?'), false)
    assert.deepEqual(wordingsOf(alone, 'Why?'), [{ text: alone, share: 1 }])
    assert.deepEqual(wordingsOf('Why?', undefined), [{ text: 'Why?', share: 1 }])
  })
})

suite('the headings above a passage', () => {
  test('travel with it, and close when another of their level opens', () => {
    const path = new HeadingPath('Museum')
    assert.equal(path.leadTo('# Visit\n\n## Prices\n\nAdults pay 12 euros.'), 'Museum')
    assert.equal(path.leadTo('Children pay 5 euros.'), 'Museum\nVisit\nPrices')
    assert.equal(path.leadTo('Groups pay 8 euros.'), 'Museum\nVisit\nPrices')
    assert.equal(path.leadTo('## Hours\n\nDaily from 9.'), 'Museum\nVisit')
    assert.equal(path.leadTo('On Fridays until 21.'), 'Museum\nVisit\nHours')
    assert.equal(path.leadTo('# History\n\nFounded in 1901.'), 'Museum')
  })

  test('do not stand in code', () => {
    const path = new HeadingPath('Guide')
    const text = '## Start\n\n```\n# stop\n```'
    path.leadTo(text, (at) => at >= text.indexOf('```'))
    assert.equal(path.leadTo('It runs.'), 'Guide\nStart')
  })

  test('are left out where the passage says the same, or the title does', () => {
    const path = new HeadingPath('Prices')
    path.leadTo('# Prices\n\nAdults pay 12 euros.')
    assert.equal(path.leadTo('Children pay 5 euros.'), 'Prices')
    assert.equal(path.leadTo('Prices for groups are lower.'), '')
  })

  test('are no longer than is useful', () => {
    assert.equal(new HeadingPath('x'.repeat(1000)).leadTo('A text.').length, 300)
  })
})

suite('the score of a passage', () => {
  const statistics: WordStatistics = {
    passages: 100,
    averageLength: 40,
    found: new Map([
      ['ticket', 2],
      ['museum', 60],
      ['cost', 5],
    ]),
  }
  const judge = (question: string, candidate: Partial<Candidate> & { words: string }) =>
    scoreCandidate(
      { terms: analyzeQuestion(question), all: analyzeText(question) },
      { isPair: false, cosine: 0, understood: 1, ...candidate },
      statistics,
    )
  const words = (text: string, lead = '') => wordsOfPassage(lead, text)

  test('is higher for rare words than for frequent ones, and nothing without either', () => {
    const asked = 'museum ticket'
    const rare = judge(asked, { words: words('A ticket is cheap.') })
    const frequent = judge(asked, { words: words('A museum is cheap.') })
    assert.ok(rare.score > frequent.score && frequent.score > 0)
    assert.equal(judge(asked, { words: words('A dog is asleep.') }).score, 0)
  })

  test('rises with nearness in meaning, which never takes away', () => {
    const given = { words: words('A dog is asleep.') }
    const scores = [-0.5, 0, 0.3, 0.8].map((cosine) => judge('ticket', { ...given, cosine }).score)
    assert.equal(scores[0], 0)
    assert.equal(scores[1], 0)
    assert.ok(scores[2]! > 0 && scores[3]! > scores[2]!)
  })

  test('does not rise with nearness where the meaning can’t be told, which is said all the same', () => {
    const given = { words: words('A dog is asleep.'), cosine: 0.8, understood: 0 }
    for (const isPair of [false, true]) {
      const { score, evidence } = judge('ticket', { ...given, isPair })
      assert.deepEqual([score, evidence.meaning], [0, 0.8])
    }
  })

  test('of pairs that all have the one word that is asked for goes by meaning', () => {
    const found = new Map([['lumina', 100]])
    const all = { passages: 100, averageLength: 60, found }
    const judged = (lead: string, cosine: number) => {
      const asked = { terms: ['lumina'], all: ['lumina'] }
      return scoreCandidate(
        asked,
        { isPair: true, cosine, understood: 1, words: words('.', lead) },
        all,
      ).score
    }
    const near = judged('What can people see when they go to Lumina with their children?', 0.7)
    assert.ok(near > judged('Lumina shop?', 0.5))
    assert.ok(near < 30, 'and counts no more than a passage that is as near')
  })

  test('rises when words stand together as they were asked for', () => {
    const together = judge('ticket cost', { words: words('The ticket cost went up a lot.') })
    const apart = judge('ticket cost', { words: words('The cost went up a ticket lot.') })
    assert.ok(together.evidence.phrases > 0)
    assert.equal(apart.evidence.phrases, 0)
    assert.ok(together.score > apart.score)
  })

  test('knows days by their short names', () => {
    const { sentenceCoverage } = judge('Saturday', { words: words('Sat closed. Sun closed.') })
    assert.deepEqual(sentenceCoverage, [1, 0])
  })

  test('counts what leads to a passage', () => {
    const led = judge('ticket', { words: words('Adults pay 12 euros.', 'Ticket') })
    assert.equal(led.evidence.coverage, 1)
    assert.deepEqual(led.sentenceCoverage, [0])
  })

  test('of a pair goes by its question before its answer', () => {
    const pair = { isPair: true }
    const question = judge('ticket cost', {
      ...pair,
      words: words('It is 12 euros.', 'What does a ticket cost?'),
    })
    const answer = judge('ticket cost', {
      ...pair,
      words: words('What does a ticket cost?', 'It is 12 euros.'),
    })
    assert.ok(question.score > answer.score && answer.score > 0)
  })

  test('says which sentence has how much of the question', () => {
    const { sentenceCoverage } = judge('ticket cost', {
      words: words('A dog. The ticket. What tickets cost.'),
    })
    assert.equal(sentenceCoverage[0], 0)
    assert.ok(sentenceCoverage[1]! > 0 && sentenceCoverage[1]! < 1)
    assert.equal(sentenceCoverage[2], 1)
  })

  test('of several wordings is their mean by share', () => {
    const first = judge('ticket', { words: words('A ticket.') })
    const second = judge('dog', { words: words('A ticket.') })
    const mixed = mixScores([
      { ...first, share: 0.25 },
      { ...second, share: 0.75 },
    ])
    assert.equal(mixed.score, 0.25 * first.score)
    assert.equal(mixed.evidence.coverage, 0.25)
    assert.deepEqual(mixed.sentenceCoverage, [0.25])
  })
})
