import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loadWords } from '@docent/words/load-words.ts'
import { chooseLanguage, fill, LANGUAGES, type Language } from '@docent/words/words.ts'
import { brandColors, contrast, textOn } from '../brand-colors.ts'
import { findQuotes } from './find-quotes.ts'
import { numberMarkers, withoutUncited } from './number-markers.ts'
import { beginningOf, cutAtCode, readPassage, textOf } from './read-passage.ts'
import { completeSentences, speakable } from './split-announcement.ts'

suite('the words', () => {
  test('of every language have the same places for values as the English ones', async () => {
    const english = flatten(await loadWords('en'))
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      const words = flatten(await loadWords(language))
      assert.deepEqual(Object.keys(words).sort(), Object.keys(english).sort())
      for (const [key, sentence] of Object.entries(words)) {
        assert.notEqual(sentence.trim(), '', `${language} ${key}`)
        assert.deepEqual(placesOf(sentence), placesOf(english[key]!), `${language} ${key}`)
      }
    }
  })

  test('are those of the first language that the reader knows', () => {
    assert.equal(chooseLanguage(['pt-BR', 'es-MX', 'en']), 'es')
    assert.equal(chooseLanguage(['zh-Hant-TW']), 'zh')
    assert.equal(chooseLanguage(['tlh', 'constructor']), 'en')
    assert.equal(chooseLanguage([]), 'en')
  })

  test('take values, and leave what has none', () => {
    assert.equal(fill('{done} of {found}, {other}', { done: 1, found: 2 }), '1 of 2, {other}')
  })
})

function flatten(value: object, path = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      typeof inner === 'string'
        ? [[path + key, inner]]
        : Object.entries(flatten(inner, `${path}${key}.`)),
    ),
  )
}

function placesOf(sentence: string): string[] {
  return (sentence.match(/\{\w+\}/g) ?? []).sort()
}

suite('the quotes in a passage', () => {
  const quoted = (passage: string, answer: string) =>
    findQuotes(passage, answer)
      .map(({ text, isQuoted }) => (isQuoted ? `<${text}>` : text))
      .join('')

  test('are the sentences that the answer repeats word for word, line breaks aside', () => {
    assert.equal(
      quoted(
        'It stands at the harbour. The museum is\nopen daily. Dogs stay outside.',
        'The museum is open daily. [1.1]\n\nDogs stay outside. [1.1]',
      ),
      'It stands at the harbour. <The museum is\nopen daily.> <Dogs stay outside.>',
    )
  })

  test('keep every character of the passage', () => {
    const passage = 'Aaa bbb ccc ddd. Aaa bbb ccc ddd eee fff.'
    for (const answer of [
      '',
      'Aaa bbb ccc ddd.',
      'ccc ddd. Aaa bbb ccc',
      'Something else entirely.',
    ]) {
      assert.equal(
        findQuotes(passage, answer)
          .map(({ text }) => text)
          .join(''),
        passage,
      )
    }
    assert.equal(quoted(passage, 'Something else entirely.'), passage)
  })
})

suite('a passage', () => {
  test('loses the marks of headings, bold words, tables and rules, and nothing else', () => {
    const read = (text: string) => textOf(readPassage(text))
    assert.equal(
      read('# Visit\n\n  ## **Hours**\nOpen **daily**, 2 ** 3 and __init__.\n#hashtag'),
      'Visit\n\nHours\nOpen daily, 2 ** 3 and __init__.\n#hashtag',
    )
    assert.equal(
      read('| Day | Hours |\n|---|:-:|\n| Friday | **9** to 21 |\nAll:\n\n---\n1. a | b\n- c'),
      'Day · Hours\nFriday · 9 to 21\nAll:\n\n1. a | b\n- c',
    )
  })

  test('has code as it is, without its fences, and goes on with what it began in', () => {
    const [before, code, after] = readPassage('Run:\n```sh\n# | a |\nls **/*.md\n---\n```\n# After')
    assert.deepEqual(before, { text: 'Run:\n', isCode: false })
    assert.deepEqual(code, { text: '# | a |\nls **/*.md\n---\n', isCode: true, fence: '```' })
    assert.deepEqual(after, { text: 'After', isCode: false })
    assert.deepEqual(readPassage('# b\n```', code), [
      { text: '# b\n', isCode: true, fence: '```' },
      { text: '', isCode: false },
    ])
  })

  test('keeps what only looks like a fence, and tells fences apart', () => {
    const read = (text: string) => readPassage(text).map(({ text, isCode }) => [text, isCode])
    assert.deepEqual(read('```npm i``` starts it.\n# Then'), [
      ['```npm i``` starts it.\nThen', false],
    ])
    assert.deepEqual(read('````md\n```sh\n# a\n```\n~~~\n````\n# b'), [
      ['', false],
      ['```sh\n# a\n```\n~~~\n', true],
      ['b', false],
    ])
  })

  test('with a line of many blanks is read at once', () => {
    const line = `~~~${' '.repeat(20_000)}\``
    assert.equal(readPassage(line).at(-1)!.isCode, false)
    assert.equal(beginningOf(line).isCode, false)
  })

  test('begins in code, where its fences say so', () => {
    const inCode = [
      'pump start\n```\n\n# Then\n\nWait.',
      'pump start\n```',
      '```\n\n# Then',
      'start\n~~~\n\n# Then\n\n~~~\nstop',
      'pump start\n```\n# Then\n```sh\npump stop\n```',
      'pump start\n```\n# Then\n```sh\npump stop\n```\n\nThen:\n```\n\npump fill\n```',
    ]
    const inProse = [
      'Wait.',
      'Run:\n\n```\npump start',
      'Run:\n```\npump start\n```\nWait.',
      'Run:\n```\n\npump start\n```\nWait.\n\n```\npump stop\n```',
      'Run:\n```\n\npump start\n```',
      '```\npump start\n```\n\nWait.',
      '```sh\n\npump start\n',
      '````md\n\n```\n\npump start\n```\n````',
      '',
    ]
    for (const text of inCode) assert.equal(beginningOf(text).isCode, true, text)
    for (const text of inProse) assert.equal(beginningOf(text).isCode, false, text)
    const passage = readPassage(inCode[0]!, beginningOf(inCode[0]!))
    assert.deepEqual(
      passage.map(({ text, isCode }) => [text, isCode]),
      [
        ['pump start\n', true],
        ['\nThen\n\nWait.', false],
      ],
    )
  })

  test('is marked where a row of a table is quoted', () => {
    const passage = readPassage(
      '| Day | Hours |\n|---|---|\n| Friday | 9 to 21 |\n| Sunday | 9 to 12 |',
    )
    const answer = textOf(readPassage('| Friday | 9 to 21 | [1.1]'))
    const quoted = findQuotes(textOf(passage), answer).filter(({ isQuoted }) => isQuoted)
    assert.deepEqual(quoted, [{ text: 'Friday · 9 to 21', isQuoted: true }])
  })

  test('is marked where it is quoted, also from prose into code', () => {
    const passage = readPassage('First, run this:\n```\nnpm start\n```\nThen wait for it.')
    const answer = textOf(readPassage('First, run this:\n```\nnpm start\n``` [1.1]'))
    assert.deepEqual(cutAtCode(findQuotes(textOf(passage), answer), passage), [
      { text: 'First, run this:\n', isQuoted: true, isCode: false },
      { text: 'npm start', isQuoted: true, isCode: true },
      { text: '\n', isQuoted: false, isCode: true },
      { text: 'Then wait for it.', isQuoted: false, isCode: false },
    ])
  })
})

suite('an announcement', () => {
  test('has whole sentences only', () => {
    assert.equal(completeSentences('One is here. Two is'), 'One is here.')
    assert.equal(completeSentences('No end yet, version 1.2'), '')
    assert.equal(completeSentences('开放时间。门票'), '开放时间。')
  })

  test('is without signs that nobody says', () => {
    assert.equal(
      speakable('## Hours\n\n**Daily** from `9` [1.1], see [here](https://a.example)'),
      'Hours Daily from 9 , see here',
    )
  })

  test('is without the rules of tables and the languages of code', () => {
    assert.equal(
      speakable('| a | b |\n|---|:-:|\n| 1 | 2 |\n\n  ```js\n  console.log(1)\n  ```\n\n---\nEnd'),
      'a b 1 2 console.log(1) End',
    )
  })
})

test('markers without a citation go, with the space before them', () => {
  assert.equal(
    withoutUncited('Built in 1827 [1.1]. It burns [2.1][1.1] oil.', { '2.1': {} }),
    'Built in 1827. It burns [2.1] oil.',
  )
})

test('markers are numbered in the order in which they come first', () => {
  assert.deepEqual(
    [...numberMarkers('a [2.1] b [1.1] c [2.1]')],
    [
      ['2.1', 1],
      ['1.1', 2],
    ],
  )
})

test('black or white can be read on every grey', () => {
  for (let value = 0; value < 256; value++) {
    const grey: [number, number, number] = [value, value, value]
    assert.ok(contrast(grey, textOn(grey)) >= 4.5, `${value}`)
  }
})

test('whatever colour an owner chooses can be read, in both themes', () => {
  const papers: [number, number, number][] = [
    [250, 249, 247],
    [30, 30, 27],
  ]
  for (const color of [
    '#000000',
    '#ffffff',
    '#ffe14d',
    '#0f766e',
    '#ff0000',
    '#808080',
    '#1e1e1b',
    '#3b82f6',
    '#ffff00',
    '#fafafa',
    '#777777',
  ]) {
    const colors = brandColors(color)
    for (const [index, paper] of papers.entries()) {
      const side = (name: string) =>
        [...colors[name]!.matchAll(/rgb\((\d+) (\d+) (\d+)\)/g)][index]!.slice(1).map(Number) as [
          number,
          number,
          number,
        ]
      assert.ok(contrast(side('--brand'), paper) >= 4.5, `${color} on the page`)
      assert.ok(contrast(side('--brand'), side('--on-brand')) >= 4.5, `${color} under text`)
      assert.ok(contrast(side('--brand'), side('--brand-soft')) >= 4.5, `${color} on its soft side`)
    }
  }
})
