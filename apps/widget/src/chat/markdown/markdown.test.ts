import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Inline, parseInline, safeHref } from './parse-inline.ts'
import { parseList } from './parse-list.ts'
import { parseTable } from './parse-table.ts'
import { splitBlocks } from './split-blocks.ts'

/** A short form that is easy to compare: `<strong>` as `*(…)`, a link as `(text)->href`. */
function show(nodes: Inline[]): string {
  return nodes
    .map((node) => {
      switch (node.type) {
        case 'text':
          return node.text
        case 'code':
          return `code(${node.text})`
        case 'citation':
          return `cite(${node.marker})`
        case 'link':
          return `link(${show(node.children)} -> ${node.href})`
        default:
          return `${node.type}(${show(node.children)})`
      }
    })
    .join('')
}

suite('inline Markdown', () => {
  for (const [given, expected] of [
    ['plain text', 'plain text'],
    ['**bold** and *soft* and ~~gone~~', 'strong(bold) and emphasis(soft) and strike(gone)'],
    ['**bold with *soft* in it**', 'strong(bold with emphasis(soft) in it)'],
    ['__bold__ _soft_ snake_case_name', 'strong(bold) emphasis(soft) snake_case_name'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['`a * b` and ``x ` y``', 'code(a * b) and code(x ` y)'],
    ['\\*not soft\\*', '*not soft*'],
    ['Daily. [1.1] More. [2.13]', 'Daily. cite(1.1) More. cite(2.13)'],
    ['[site](https://a.example/x_(y))', 'link(site -> https://a.example/x_(y))'],
    ['[mail](mailto:a@b.example "Title")', 'link(mail -> mailto:a@b.example)'],
    [
      'see https://a.example/b?c=1. Then',
      'see link(https://a.example/b?c=1 -> https://a.example/b?c=1). Then',
    ],
    ['(https://a.example)', '(link(https://a.example -> https://a.example/))'],
    ['<https://a.example>', 'link(https://a.example -> https://a.example/)'],
    [
      '“https://a.example/b.” (https://a.example/c_(d).)',
      '“link(https://a.example/b -> https://a.example/b).” (link(https://a.example/c_(d) -> https://a.example/c_(d)).)',
    ],
    ['![a picture](https://a.example/i.png)', 'link(a picture -> https://a.example/i.png)'],
    ['<b onclick="x()">hi</b>', '<b onclick="x()">hi</b>'],
    ['[click](javascript:alert(1))', 'click'],
    ['[click](data:text/html,x)', 'click'],
    ['[click](/api/v1/user)', 'click'],
    ['[click]( JaVaScRiPt:alert(1) )', 'click'],
  ] as const) {
    test(`${given} becomes ${expected}`, () => assert.equal(show(parseInline(given)), expected))
  }

  test('only web and mail addresses are followed', () => {
    for (const bad of [
      'javascript:1',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:x',
      '//evil',
      'x',
      '',
    ])
      assert.equal(safeHref(bad), undefined, bad)
    assert.equal(safeHref('HTTPS://A.example'), 'https://a.example/')
  })

  test('what a growing text leaves open does not show its signs', () => {
    for (const [given, expected] of [
      ['It is **very bo', 'It is strong(very bo)'],
      ['Run `npm st', 'Run code(npm st)'],
      ['Daily. [1.', 'Daily. '],
      ['Daily. [', 'Daily. '],
      ['See [the site](https://a.exam', 'See the site'],
      ['It is **', 'It is '],
    ] as const) {
      assert.equal(show(parseInline(given, true)), expected)
    }
    assert.equal(show(parseInline('It is **very bo')), 'It is **very bo', 'but a finished one does')
  })

  test('takes a long hostile text without getting slow', () => {
    for (const piece of ['*', '[', '`', '_a', '![](', '**a', '<http://', '\\']) {
      const started = performance.now()
      parseInline(piece.repeat(Math.ceil(20_000 / piece.length)), true)
      assert.ok(performance.now() - started < 2_000, piece)
    }
  })
})

suite('blocks', () => {
  test('are told apart by their lines', () => {
    const text = [
      '# Title',
      'A paragraph',
      'of two lines.',
      '',
      '- one',
      '- two',
      '',
      '  still two',
      '',
      '1. first',
      '```js',
      '# no heading',
      '```',
      '> quoted',
      '> more',
      '',
      '| a | b |',
      '|---|:-:|',
      '| 1 | 2 |',
      '',
      '---',
      'The end',
    ].join('\n')
    assert.deepEqual(
      splitBlocks(text).map(({ kind, source }) => `${kind}: ${source.split('\n').length}`),
      [
        'heading: 1',
        'paragraph: 2',
        'list: 4',
        'list: 1',
        'code: 3',
        'quote: 2',
        'table: 3',
        'rule: 1',
        'paragraph: 1',
      ],
    )
  })

  test('that are complete stay the same while the text grows', () => {
    const text = '# Hours\n\nDaily.\n\n- a\n- b\n\n```\ncode\n\nmore\n```\n\nEnd.'
    for (let end = 1; end < text.length; end++) {
      const [now, next] = [splitBlocks(text.slice(0, end)), splitBlocks(text.slice(0, end + 1))]
      assert.deepEqual(next.slice(0, now.length - 1), now.slice(0, -1), text.slice(0, end))
    }
  })

  test('lists nest, and keep the number that they begin with', () => {
    const list = parseList('3. three\n   more of three\n   - inner\n     - inmost\n4. four')
    assert.deepEqual(list, {
      ordered: true,
      start: 3,
      items: [
        { text: 'three\nmore of three', rest: '- inner\n  - inmost' },
        { text: 'four', rest: '' },
      ],
    })
  })

  test('the points of a step belong to it, and another list begins after a blank line', () => {
    const text =
      '1. Buy a ticket\n- at the door\n- or online\n2. Come in\n  - by the main door\n3. Enjoy\n\n- done'
    const [steps, points, ...others] = splitBlocks(text)
    assert.deepEqual(others, [])
    assert.deepEqual(parseList(steps!.source).items, [
      { text: 'Buy a ticket', rest: '- at the door\n- or online' },
      { text: 'Come in', rest: '- by the main door' },
      { text: 'Enjoy', rest: '' },
    ])
    assert.deepEqual(parseList(points!.source), {
      ordered: false,
      start: 1,
      items: [{ text: 'done', rest: '' }],
    })
    const kinds = splitBlocks('- a\n- b\n1. one\n2. two').map(({ source }) => source)
    assert.deepEqual(kinds, ['- a\n- b', '1. one\n2. two'])
  })

  test('tables have as many cells in each row as their head', () => {
    assert.deepEqual(parseTable('| a | b \\| c |\n|:--|--:|\n| 1 |\n| 1 | 2 | 3 |'), {
      head: ['a', 'b | c'],
      align: ['start', 'end'],
      rows: [
        ['1', ''],
        ['1', '2'],
      ],
    })
  })
})
