import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { read } from '@docent/server/test/files/read-upload.ts'
import { startTestServer } from '@docent/server/test/harness.ts'

const { owner } = await startTestServer({ after })

async function ask(name: string, content: string, question: string) {
  const chatbot = await owner.createChatbot()
  const { uuid } = (await (await owner.upload(chatbot, name, content)).json()) as { uuid: string }
  const source = await owner.settled(uuid)
  const session = await owner.createSession(chatbot)
  return { source, answer: await (await owner.ask(session, question)).text() }
}

describe('reStructuredText', () => {
  const texts: [what: string, rst: string, text: string][] = [
    [
      'headings, by the order of their lines',
      '====\nTop\n====\n\nPart\n====\n\nx\n\nSub\n---\n\ny\n\nPart 2\n======\n\nz',
      '# Top\n\n## Part\n\nx\n\n### Sub\n\ny\n\n## Part 2\n\nz',
    ],
    ['lines of a paragraph together', 'one\ntwo\n\n----\n\nthree', 'one two\n\nthree'],
    [
      'code after two colons',
      'Install it::\n\n    pip install a\n\n    a --open\n\nDone.',
      'Install it:\n\n```\npip install a\n\na --open\n```\n\nDone.',
    ],
    [
      'code of directives',
      '.. code-block:: python\n   :linenos:\n\n   a = 1\n\nx',
      '```\na = 1\n```\n\nx',
    ],
    [
      'notes',
      '.. note:: Dogs wait\n   outside.\n\n   Cats, too.',
      'Dogs wait\n\noutside.\n\nCats, too.',
    ],
    [
      'no comments, targets, options or lists of contents',
      '.. a comment\n   that goes on\n\n.. _top:\n\n.. contents::\n   :depth: 2\n\n__ https://x\n\nx',
      'x',
    ],
    [
      'links and roles as they are read',
      'See `our site <https://x>`_, `it`_, GNU_, :ref:`the map <map>` and :class:`~a.B` [1]_.',
      'See our site, it, GNU, the map and B.',
    ],
    ['code and emphasis', 'A ``b_c`` **d** *e* f_g \\*h.', 'A `b_c` **d** *e* f_g *h.'],
    ['replacements', '.. |n| replace:: The Garden\n\nIn |n|, |m|.', 'In The Garden, |m|.'],
    ['lists', '* a\n  b\n\n  * c\n\n#. d\n2. e', '- a b\n  - c\n- d\n2. e'],
    ['definitions', 'Term\n    What it\n    means.', 'Term: What it means.'],
    ['fields', ':Author: Ann\n:Since: 2024', 'Author: Ann\nSince: 2024'],
    [
      'tables',
      '===  ===\na    b\n===  ===\n1    2\n===  ===\n\n+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+',
      'a: 1 | b: 2\n\na: 1 | b: 2',
    ],
    ['what pictures show', '.. image:: a.png\n   :alt: The plan', 'The plan'],
  ]
  for (const [what, rst, text] of texts) {
    test(what, async () => assert.equal((await read(rst, 'a.rst')).text, text))
  }

  test('is answered from without its marks, and has its title', async () => {
    const { source, answer } = await ask(
      'garden.rst',
      'Garden manual\n=============\n\n.. _hours:\n\nThe :ref:`gazebo <g>` opens at nine in the morning.\n',
      'When does the gazebo open?',
    )
    assert.equal(source.title, 'Garden manual')
    assert.match(answer, /^The gazebo opens at nine in the morning\./)
  })

  test('of any shape ends', async () => {
    for (const unit of [
      '  ',
      '* ',
      '.. a::\n ',
      '`',
      '|',
      ':a: ',
      '=\n',
      'a_',
      '[1]_',
      '   * a\n',
    ]) {
      await read(`${unit.repeat(5_000)}x`, 'a.rst')
    }
    const stairs = Array.from({ length: 2_000 }, (_, i) => `${' '.repeat(i)}a`).join('\n')
    assert.match((await read(stairs, 'a.rst')).text, /a/)
  })

  test('other text is left as it is', async () => {
    const text = 'Top\n===\n\nSee `it`_::\n\n    x'
    for (const name of ['a.txt', 'a.py', 'a']) assert.equal((await read(text, name)).text, text)
  })
})

describe('front matter', () => {
  test('gives the title, and none of it is quoted', async () => {
    const matter = 'layout: post\ntags: [gazebo, hours]\nsummary: "When the gazebo opens"\n'
    const { source, answer } = await ask(
      'a.md',
      `---\ntitle: "Garden: hours"\n${matter}---\n\nThe gazebo opens at nine.\n`,
      'When does the gazebo open?',
    )
    const matters = `---\n${matter}---\n\nThe gazebo opens at nine.\n`
    const { answer: other } = await ask('b.md', matters, 'Which layout and which tags are there?')
    assert.doesNotMatch(other, /post|tags: |summary/)
    assert.equal(source.title, 'Garden: hours')
    assert.match(answer, /^The gazebo opens at nine\./)
    assert.doesNotMatch(answer, /layout|tags|summary/)
  })

  const texts: [what: string, markdown: string, title: string, text: string][] = [
    ['of TOML', "+++\ntitle = 'It''s'\n[extra]\na = 1\n+++\nText", "It's", 'Text'],
    [
      'over several lines',
      '---\ntitle: >-\n  Our\n  hours\nx: y\n---\n# A\n\nText',
      'Our hours',
      '# A\n\nText',
    ],
    ['with a comment', '---\ntitle: Hours # later\n---\nText', 'Hours', 'Text'],
    ['without a title', '---\nx:\n  - y\n...\n# A\n\nText', 'A', '# A\n\nText'],
    [
      'that is a line and prose',
      '---\nOpen at nine.\n\n---\n\nText',
      '',
      '---\nOpen at nine.\n\n---\n\nText',
    ],
    ['without an end', '---\ntitle: x\n\nText', '', '---\ntitle: x\n\nText'],
  ]
  for (const [what, markdown, title, text] of texts) {
    test(what, async () => {
      const found = await read(markdown, 'a.md')
      assert.deepEqual([found.title, found.text], [title, text])
    })
  }
})

describe('Markdown', () => {
  test('has of a picture what it shows', async () => {
    const markdown =
      '![Plan](a_(1).png "x") [![CI](b.svg)](https://ci) ![Tor][t] `![no](x)` !\n\n```\n![code](x)\n```'
    assert.equal(
      (await read(markdown, 'a.md')).text,
      'Plan [CI](https://ci) Tor `![no](x)` !\n\n```\n![code](x)\n```',
    )
  })

  test('is quoted with at least one word, in any language', async () => {
    const german = '# Pavillon\n\n![Der Pavillon im Garten](pavillon.png)\n\n***\n\nUm neun Uhr.\n'
    const prices = '# Preise im Pavillon\n\n* **Erwachsene: 12 Euro.**\n* **Kinder: 5 Euro.**\n'
    const spanish =
      '**¿Cuándo abre el pabellón?**\n\nA las nueve.\n\n![El pabellón del jardín](p.png)\n'
    for (const [markdown, question] of [
      [german, 'Wo ist der Pavillon?'],
      [german, 'Was ist der Pavillon im Garten?'],
      [prices, 'Was kostet der Pavillon für Kinder?'],
      [spanish, '¿Cuándo abre el pabellón?'],
      [spanish, '¿pabellón del jardín?'],
      ['# Is it open?\n\n***\n\n![](a.png)\n', 'Is it open?'],
    ] as const) {
      const { answer } = await ask('a.md', markdown, question)
      for (const line of answer.split('\n')) {
        if (line !== '') assert.match(line, /[\p{L}\p{N}]/u, `${question} ${answer}`)
      }
      assert.doesNotMatch(answer, /\]\(|!\[/, question)
      // Every opened emphasis must be closed.
      assert.equal((answer.match(/\*\*/g) ?? []).length % 2, 0, answer)
    }
  })
})
