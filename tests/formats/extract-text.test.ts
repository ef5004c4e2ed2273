import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decodeText } from '@docent/extract/detect/decode-text.ts'
import { detectKind } from '@docent/extract/detect/detect-kind.ts'
import { extractDocument } from '@docent/extract/extract-document.ts'
import { extractHtml } from '@docent/extract/web/html.ts'
import { splitText } from '@docent/server/src/ingestion/confined/split-text.ts'
import fc from 'fast-check'

const utf8 = (text: string) => Buffer.from(text)
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
const latin1 = (text: string) => Buffer.from(text, 'latin1')

describe('bytes become text', () => {
  test('UTF-8, with and without its mark', () => {
    assert.equal(decodeText(utf8('Grüße, 你好 🌍')), 'Grüße, 你好 🌍')
    assert.equal(decodeText(utf8('\uFEFFGrüße')), 'Grüße')
  })

  test('UTF-16 of both byte orders by its mark', () => {
    assert.equal(decodeText(utf16('Grüße 你好')), 'Grüße 你好')
    assert.equal(decodeText(utf16('Grüße 你好').swap16()), 'Grüße 你好')
  })

  test('what is no UTF-8 is read as windows-1252', () => {
    assert.equal(decodeText(Buffer.from([0x80, 0x20, 0x93, 0x63, 0xe9, 0x94])), '€ “cé”')
  })

  test('a declared encoding is used, and one that does not fit or does not exist is not', () => {
    const shiftJis = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
    assert.equal(decodeText(shiftJis, 'shift_jis'), '日本')
    assert.equal(decodeText(latin1('café'), 'utf-8'), 'café')
    assert.equal(decodeText(utf8('café'), 'no-such-encoding'), 'café')
  })

  test('a byte order mark beats what was declared', () => {
    assert.equal(decodeText(utf8('\uFEFFcafé'), 'windows-1252'), 'café')
    assert.equal(decodeText(utf16('café'), 'utf-8'), 'café')
  })

  test('one bad byte in a long UTF-8 text spoils one character, not all', () => {
    const damaged = Buffer.concat([utf8('你好世界'), Buffer.from([0xff]), utf8('你好世界')])
    assert.equal(decodeText(damaged), '你好世界\uFFFD你好世界')
  })

  test('line ends of all systems become one, and NUL characters go', () => {
    assert.equal(decodeText(utf8('a\r\nb\rc\0d')), 'a\nb\ncd')
  })
})

describe('the kind of a document is told by its content first', () => {
  const kinds: [what: string, bytes: Uint8Array, name: string, kind: string | undefined][] = [
    ['plain text', utf8('hello'), 'a.txt', 'text'],
    ['an empty file', utf8(''), 'a.txt', 'text'],
    ['Markdown by its name', utf8('# Hello'), 'a.MD', 'markdown'],
    ['HTML by its name', utf8('<p>hello'), 'a.htm', 'html'],
    ['HTML by its content', utf8('<!-- x -->\n<!DOCTYPE html><p>hello'), 'a.txt', 'html'],
    ['XHTML by its content', utf8('<?xml version="1.0"?><html><p>hello'), 'a.txt', 'html'],
    ['HTML after a mark', utf8('\uFEFF<html><p>hello'), 'a.txt', 'html'],
    ['HTML in UTF-16', utf16('<html><p>hello'), 'a.txt', 'html'],
    ['text that speaks of HTML', utf8('The <html> tag opens a page.'), 'a.txt', 'text'],
    ['coloured terminal output', utf8('\u001b[31mred'), 'a.log', 'text'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]), 'a.txt', undefined],
    ['a picture that is called HTML', Buffer.from([0xff, 0xd8, 0xff, 0, 16]), 'a.html', undefined],
    [
      'bytes that begin like UTF-16',
      Buffer.from([0xff, 0xfe, 0, 0xdc, 65, 66]),
      'a.txt',
      undefined,
    ],
    ['a PDF without any binary part', utf8('%PDF-1.4\n1 0 obj'), 'a.txt', 'pdf'],
    ['a PDF after other bytes', utf8('\0\0%PDF-1.4\n1 0 obj'), 'a.txt', 'pdf'],
    ['text that speaks of PDF', utf8('It begins with %PDF-1.4'), 'a.txt', 'text'],
    ['RTF', utf8('{\\rtf1 hello}'), 'a.txt', 'rtf'],
  ]
  for (const [what, bytes, name, kind] of kinds) {
    test(what, () => assert.equal(detectKind(bytes, name), kind))
  }

  test('the media type comes before the name', () => {
    assert.equal(detectKind(utf8('<p>hello'), '/page', 'text/html'), 'html')
    assert.equal(detectKind(utf8('# Hello'), '/page', 'text/markdown'), 'markdown')
    assert.equal(detectKind(Buffer.from([0, 1]), '/page', 'text/html'), undefined)
  })

  test('a file of nothing but comments is told at once', () => {
    assert.equal(detectKind(utf8('<!---->'.repeat(1000)), 'a.txt'), 'text')
  })
})

describe('a page becomes readable text', () => {
  const pages: [what: string, html: string, text: string][] = [
    ['headings, paragraphs and lists', '<h1>A</h1><p>b<ul><li>c<li>d', '# A\n\nb\n\n- c\n- d'],
    ['a table', '<table><tr><th>a<th>b<tr><td>1<td>2</table>', 'a: 1 | b: 2'],
    ['line breaks and preformatted text', 'a<br>b<pre>x\n  y</pre>', 'a\nb\n\nx\n  y'],
    ['entities', '<p>a&nbsp;&amp; &lt;b&gt; &#128512;', 'a & <b> 😀'],
    ['words across elements', '<p>Hel<b>lo</b> <i>world</i>', 'Hello world'],
    ['no menus, scripts, styles', '<nav>m</nav><script>s</script><style>c</style><p>a', 'a'],
    ['no hidden parts', '<p hidden>x<p style="display : none">y<p aria-hidden=true>z<p>a', 'a'],
    ['text after a hidden element without an end', '<p>a <input hidden> b', 'a b'],
    ['a page inside of one form', '<form><p>a</p><select><option>x</select></form>', 'a'],
    ['the main part alone, if there is one', '<div>x</div><main><p>a</main><div>y', 'a'],
    ['everything, if the main part is empty', '<article></article><p>a', 'a'],
    ['a head without an end', '<head><title>T</title><p>a', 'a'],
  ]
  for (const [what, html, text] of pages) {
    test(what, () => assert.equal(extractHtml(html).text, text))
  }

  test('the title is that of the page, not of a picture in it, and on one line', () => {
    const svg = '<svg><title>Icon</title></svg>'
    assert.equal(extractHtml(`<title> A\n b </title>${svg}<p>c`).title, 'A b')
    assert.equal(extractHtml(`${svg}<p>c`).title, '')
    assert.equal(extractHtml(`<head><title>A</title></head><body>${svg}`).title, 'A')
  })
})

describe('a document gives its text and its own title', () => {
  test('HTML in the encoding that it declares', async () => {
    const bytes = Buffer.concat([
      utf8('<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>'),
      Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]),
    ])
    assert.equal((await extractDocument({ bytes, kind: 'html' })).text, 'Привет')
    assert.equal((await extractDocument({ bytes, kind: 'html', charset: 'koi8-r' })).text, 'оПХБЕР')
  })

  test('HTML that wrongly says it is UTF-16', async () => {
    const bytes = utf8('<meta charset="utf-16"><p>Grüße')
    assert.equal((await extractDocument({ bytes, kind: 'html' })).text, 'Grüße')
  })

  test('words whole, where a line might break in them', async () => {
    const html = '<title>Donau&shy;reise</title><p>Donau&shy;dampf&ZeroWidthSpace;schiff&NoBreak;e'
    const { title, text } = await extractDocument({ bytes: utf8(html), kind: 'html' })
    assert.deepEqual([title, text], ['Donaureise', 'Donaudampfschiffe'])
    const markdown = utf8('Silben\u00adtrennung, و\u200cه')
    assert.equal(
      (await extractDocument({ bytes: markdown, kind: 'markdown' })).text,
      'Silbentrennung, و\u200cه',
    )
  })

  test('the title of Markdown is its first heading, not a comment of its code', async () => {
    const title = async (text: string) =>
      (await extractDocument({ bytes: utf8(text), kind: 'markdown' })).title
    assert.equal(await title('intro\n\n# Opening hours #\n\n# Second'), 'Opening hours')
    assert.equal(await title('```sh\n# a comment\n```\n\n# Title'), 'Title')
    assert.equal(await title('## Only a section'), '')
    assert.equal(await title('#hashtag'), '')
    assert.equal(await title('---\r\ntitle: "Opening hours"\r\n---\r\n# H'), 'Opening hours')
    assert.equal(await title("+++\ndate = 1\ntitle = 'Prices'\n+++\ntext"), 'Prices')
    assert.equal(await title('---\ntitle: It ends nowhere\n\n# H'), 'H')
    assert.equal(await title('A line\n---\ntitle: x\n---\n# H'), 'H')
  })

  test('a title without end is cut between characters', async () => {
    const bytes = utf8(`<title>${'😀'.repeat(1000)}</title>`)
    assert.equal((await extractDocument({ bytes, kind: 'html' })).title, '😀'.repeat(255))
  })
})

describe('a text is cut into passages', () => {
  const passages = (text: string) => splitText(text).map(({ start, end }) => text.slice(start, end))

  test('short paragraphs stay together, and a heading begins a new passage', () => {
    assert.deepEqual(passages('a\n\nb\n\n# c\n\nd'), ['a\n\nb', '# c\n\nd'])
    assert.deepEqual(passages('  \n\n '), [])
  })

  test('code stays whole, and what looks like a heading in it is none', () => {
    const code = '```sh\n# one\nnpm i\n\n# two\nnpm start\n```'
    assert.deepEqual(passages(`a\n\n${code}\n\n# c\n\nd`), [`a\n\n${code}`, '# c\n\nd'])
    const long = Array.from({ length: 200 }, (_, i) => `# step ${i}\nrun ${i}`).join('\n\n')
    const cut = passages(`\`\`\`sh\n${long}\n\`\`\`\n\n# c\n\nd`)
    assert.equal(cut.at(-1), '# c\n\nd')
    assert.ok(cut.length < 6 && cut.every(({ length }) => length <= 1300))
  })

  const entry = (name: string, page: string) => `${name} ${'. '.repeat(20)}${page}`

  test('a table of contents is none', () => {
    const [first, ...others] = [
      entry('Preface', 'iv'),
      entry('1 What is it?', '1'),
      '2 What is it for?\t3',
      entry('2.1 Who is it for, and who will\nnever need it?', '3'),
      entry('3 Where is it?', '12'),
    ]
    const before = '# A book\n\nOf us.'
    const body = '# 1 What is it?\n\nA book.\n\n## Preface\n\n.\n\n# 3. Where is it?\n\nHere.'
    const text = `${before}\n\n# Contents\n\n${first}\n\n${others.join('\n')}\n\n${body}`
    assert.deepEqual(passages(text), [before, ...passages(body)])
    const titled = `# A book\n\n## Contents\n\n${first}\n\n${others.join('\n')}\n\n${body}`
    assert.equal(passages(titled)[0], '# A book\n\n## Contents')
  })

  test('but any other list that leads to numbers is one', () => {
    const prices = ['Water', 'Juice', 'Beer', 'Wine'].map((name, i) => entry(name, `${3 + i}`))
    const list = prices.join('\n')
    for (const text of [
      list,
      `# Drinks\n\n${list}`,
      `Welcome.\n\n${list}\n\nEnjoy your drinks.`,
      `${list}\nWe take cards.\n\nWater\nJuice\nBeer\nWine`,
      `Run it:\n\n\`\`\`\n${list}\n\`\`\`\n\nWater\n\nJuice\n\nBeer\n\nWine`,
    ])
      assert.ok(
        passages(text).some((passage) => passage.includes(list)),
        text,
      )
    const many = passages(`Hello.\n\n${'a .... 5\n'.repeat(130_000)}\n\nBye.`)
    assert.ok(many.length > 500)
  })

  test('what leads to a list or to code goes with it', () => {
    const filler = 'word '.repeat(120).trim()
    assert.deepEqual(passages(`${filler}\n\nYou need:\n\n- a passport\n- a visa, ${filler}`), [
      filler,
      `You need:\n\n- a passport\n- a visa, ${filler}`,
    ])
    // Of a long paragraph, only the last line goes with the list.
    const lines = `${filler}\n${filler}\n`
    assert.deepEqual(passages(`${lines}You need:\n\n- a passport\n- a visa, ${filler}`), [
      lines.trim(),
      `You need:\n\n- a passport\n- a visa, ${filler}`,
    ])
  })

  test('a long paragraph is cut after a sentence', () => {
    const sentence = `${'word '.repeat(60)}end.`
    const cut = passages(Array(5).fill(sentence).join(' '))
    assert.ok(cut.length > 1)
    for (const passage of cut) assert.match(passage, /^word.*end\.$/)
  })

  test('whatever the text, passages are in order, whole, not too long, and leave out only space', () => {
    const unit = fc.oneof(
      fc.constantFrom(
        ' ',
        '\n',
        '\n\n',
        '. ',
        ':\n\n',
        '\n```\n',
        '\n~~~js\n',
        '。',
        '# ',
        '😀',
        'é',
        '字',
      ),
      fc.string({ unit: 'grapheme', maxLength: 400 }),
    )
    const texts = fc.array(unit, { maxLength: 60 }).map((units) => units.join('').repeat(3))
    fc.assert(
      fc.property(texts, (text) => {
        let last = 0
        for (const { start, end } of splitText(text)) {
          assert.equal(text.slice(last, start).trim(), '')
          assert.ok(end > start && end - start <= 1300)
          assert.ok(text.slice(start, end).isWellFormed())
          last = end
        }
        assert.equal(text.slice(last).trim(), '')
      }),
      { numRuns: 200 },
    )
  })
})
