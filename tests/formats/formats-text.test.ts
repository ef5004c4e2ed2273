import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { makeCompoundFile, type Tree } from '@docent/server/test/files/make-compound-file.ts'
import { read } from '@docent/server/test/files/read-upload.ts'

describe('RTF', () => {
  const texts: [what: string, rtf: string, text: string][] = [
    ['paragraphs', '{\\rtf1 one\\par two\\line three}', 'one\n\ntwo\nthree'],
    ['bytes in the code page of the file', "{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'f0\\'e8}", 'При'],
    [
      'bytes in that of a font',
      "{\\rtf1{\\fonttbl{\\f1\\fcharset128 Mincho;}}\\f1 \\'93\\'fa\\'96\\'7b}",
      '日本',
    ],
    ['Unicode and what stands in for it', "{\\rtf1\\uc1 caf\\u233?\\u8217\\'92s}", 'café’s'],
    ['characters beyond 16 bits', '{\\rtf1 \\u-10179?\\u-8704?}', '😀'],
    [
      'no fonts, pictures or unknown groups',
      '{\\rtf1{\\fonttbl{\\f0 Arial;}}{\\pict ffd8}{\\*\\foo x}a}',
      'a',
    ],
    ['nothing of binary data', '{\\rtf1 a{\\pict\\bin3 }}}}b}', 'ab'],
    ['no hidden text', '{\\rtf1 a{\\v x}b}', 'ab'],
    ['escaped braces', '{\\rtf1 a\\{b\\}\\\\}', 'a{b}\\'],
    ['tables', '{\\rtf1\\trowd a\\cell b\\cell\\row c\\cell d\\cell\\row}', 'a | b\nc | d'],
    [
      'names over numbers as headers',
      '{\\rtf1 x\\par\\trowd Job\\cell Fee\\cell\\row a\\cell 1\\cell\\row b\\cell 2\\cell\\row\\pard y\\par}',
      'x\n\nJob: a | Fee: 1\nJob: b | Fee: 2\n\ny',
    ],
    [
      'bold lines above others as headings',
      '{\\rtf1{\\b Dogs}\\par They may \\b come\\b0 .\\par\\b Last\\par}',
      '### Dogs\n\nThey may come.\n\nLast',
    ],
    [
      'headings',
      '{\\rtf1{\\stylesheet{\\s1 heading 1;}}\\pard\\s1 Hours\\par\\pard nine\\par}',
      '# Hours\n\nnine',
    ],
    ['lists', '{\\rtf1{\\listtext 1.\\tab}one\\par{\\listtext 2.\\tab}two\\par}', '1. one\n2. two'],
  ]
  for (const [what, rtf, text] of texts) {
    test(what, async () => assert.equal((await read(rtf)).text, text))
  }

  test('its title', async () => {
    assert.equal(
      (await read('{\\rtf1{\\info{\\title Our hours}{\\author x}}a}')).title,
      'Our hours',
    )
  })
})

describe('CSV', () => {
  const tables: [what: string, csv: string, text: string][] = [
    ['commas', 'name,age\nAnn,7\nBo,8\n', 'name: Ann | age: 7\nname: Bo | age: 8'],
    ['semicolons', 'name;sum\nAnn;1,5\nBo;2,5', 'name: Ann | sum: 1,5\nname: Bo | sum: 2,5'],
    ['tabs', 'name\tage\nAnn\t7', 'name: Ann | age: 7'],
    ['quotes', 'a,b\n"x, ""y""","1\n2"', 'a: x, "y" | b: 1 2'],
    ['quotes that are none', 'a,b\n5"N,x', 'a: 5"N | b: x'],
    ['a quote without an end', 'a,b\n1,"x\ny', 'a: 1 | b: x y'],
    ['no header', '1,2\n3,4', '1 | 2\n3 | 4'],
    ['rows that are short or long', 'a,b\n1\n1,2,3', '1\na: 1 | b: 2 | 3'],
    ['a header alone', 'a,b', 'a | b'],
    ['empty cells', 'a,b\n,2', 'b: 2'],
  ]
  for (const [what, csv, text] of tables) {
    test(what, async () => assert.equal((await read(csv, 'a.csv')).text, text))
  }
})

describe('JSON', () => {
  const files: [what: string, json: string, text: string][] = [
    [
      'an object',
      '{"name":"Ann","home":{"city":"Rome"},"tags":["a","b"]}',
      'name: Ann\nhome.city: Rome\ntags: a, b',
    ],
    ['a list of objects', '[{"a":1},{"a":true,"b":null}]', 'a: 1\n\na: true'],
    ['a list inside', '{"all":[{"a":1},{"a":2}]}', 'all[1].a: 1\n\nall[2].a: 2'],
    ['lines', '{"a":1}\n{"a":2}\n', 'a: 1\n\na: 2'],
    ['what is none', '{"a":', '{"a":'],
    [
      'a notebook',
      '{"nbformat":4,"cells":[{"cell_type":"markdown","source":["# Hi\\n","you"]},{"cell_type":"code","source":"1+1","outputs":[{"data":{"text/plain":["2"]}}]}]}',
      '# Hi\nyou\n\n```\n1+1\n```\n\n2',
    ],
  ]
  for (const [what, json, text] of files) {
    test(what, async () => assert.equal((await read(json, 'a.json')).text, text))
  }
})

describe('XML', () => {
  const files: [what: string, xml: string, text: string][] = [
    [
      'values by their names',
      '<shop><tea><price>3</price><size>L</size></tea></shop>',
      'price: 3\nsize: L',
    ],
    [
      'prose as it is',
      '<doc><p>The <b>best</b> tea.</p><p>Yes.</p></doc>',
      'The best tea.\n\nYes.',
    ],
    [
      'attributes where there is nothing else',
      '<a><b name="x" value="1"/></a>',
      'b: name x, value 1',
    ],
    [
      'pages inside of values',
      '<a><b>&lt;p&gt;one&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;</b></a>',
      'b: one\n\ntwo',
    ],
    ['characters', '<a><b>&amp;&#228;<![CDATA[<c>]]></b></a>', 'b: &ä<c>'],
  ]
  for (const [what, xml, text] of files) {
    test(what, async () => assert.equal((await read(xml, 'a.xml')).text, text))
  }

  test('in the encoding that it declares, and by its content', async () => {
    const xml = Buffer.from(
      '<?xml version="1.0" encoding="ISO-8859-2"?><a><b>\xb1</b></a>',
      'latin1',
    )
    const { kind, text } = await read(xml, 'a.txt')
    assert.deepEqual([kind, text], ['xml', 'b: ą'])
  })
})

describe('EML', () => {
  const mail = [
    'From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>',
    'To: a@example.org',
    'Subject: =?utf-8?B?w5Y=?=',
    ' =?utf-8?B?bA==?=',
    'Date: Mon, 1 Jan 2024 10:00:00 +0000',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="outer"',
    '',
    '--outer',
    'Content-Type: multipart/alternative; boundary=inner',
    '',
    '--inner',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Caf=E9 is ope=',
    'n.',
    '--inner',
    'Content-Type: text/html',
    '',
    '<p>Café is open.</p>',
    '--inner--',
    '--outer',
    "Content-Disposition: attachment; filename*=utf-8''pr%C3%A4.csv",
    'Content-Type: text/csv',
    'Content-Transfer-Encoding: base64',
    '',
    'YSxiCjEsMg==',
    '--outer',
    'Content-Type: image/png; name="a.png"',
    '',
    'not to be read',
    '--outer--',
  ].join('\r\n')

  test('who wrote what, the body once, and the attachments', async () => {
    const { kind, title, text } = await read(mail)
    assert.deepEqual([kind, title], ['eml', 'Öl'])
    assert.equal(
      text,
      'Subject: Öl\nFrom: Jürgen <j@example.org>\nTo: a@example.org\nDate: Mon, 1 Jan 2024 10:00:00 +0000' +
        '\n\nCafé is open.\n\n## Attachment: prä.csv\n\na,b\n1,2\n\n## Attachment: a.png',
    )
  })

  test('what is answered stands without its marks between the lines of the answer', async () => {
    const letter =
      'Subject: a\n\nYes, we do.\n> Do you have\n> the Great Hall\n>> We like\n>> it.\n> free?\nBye'
    assert.equal(
      (await read(letter, 'a.eml')).text,
      'Subject: a\n\nYes, we do.\n\nDo you have\nthe Great Hall\n\nWe like\nit.\n\nfree?\n\nBye',
    )
  })

  test('of a plain form that only speaks of another, the other one', async () => {
    const letter = mail
      .replace('Caf=E9 is ope=\r\nn.', 'See the page.')
      .replace('<p>Café is open.</p>', `<p>${'Café is open. '.repeat(9)}</p>`)
    assert.match((await read(letter)).text, /Café is open\. Café is open\./)
  })

  test('a body that is only a page, and a letter that is cut off', async () => {
    const page = 'Subject: a\nContent-Type: text/html\n\n<h1>Hi</h1><p>you</p>'
    assert.equal((await read(page, 'a.eml')).text, 'Subject: a\n\n# Hi\n\nyou')
    assert.match((await read(mail.slice(0, mail.indexOf('is ope')), 'a.eml')).text, /Café$/)
  })
})

describe('a letter of Outlook', () => {
  const text = (value: string) => Buffer.from(value, 'utf16le')
  const stream = (id: string, value: Uint8Array) => ({ [`__substg1.0_${id}`]: value })
  /** The table of short values. Its offset depends on the object that it belongs to. */
  const values = (begin: number, ...entries: [tag: number, value: bigint][]) => {
    const table = Buffer.alloc(begin + 16 * entries.length)
    for (const [i, [tag, value]] of entries.entries()) {
      table.writeUInt32LE(tag, begin + 16 * i)
      table.writeBigUInt64LE(value, begin + 16 * i + 8)
    }
    return { '__properties_version1.0': table }
  }
  const ticks = (date: string) => (BigInt(Date.parse(date)) + 11_644_473_600_000n) * 10_000n
  const letter = (parts: Tree) => makeCompoundFile({ '__nameid_version1.0': {}, ...parts })

  test('who wrote what, the body once, and the attachments', async () => {
    const long = `The gazebo opens at nine. ${'It does. '.repeat(1000)}`
    const { kind, title, ...found } = await read(
      letter({
        ...values(32, [0x0039_0040, ticks('2024-01-01T10:00:00Z')]),
        ...stream('0037001F', text('Öl')),
        ...stream('0C1A001F', text('Jürgen')),
        ...stream('0C1F001F', text('/O=COMPANY/CN=J@X')),
        ...stream('5D01001F', text('j@example.org')),
        ...stream('0E04001F', text('Ann; Bo')),
        ...stream('1000001F', text(long)),
        ...stream('10130102', Buffer.from('<p>Again')),
        '__attach_version1.0_#00000001': {
          ...values(8),
          '__substg1.0_3701000D': {
            ...values(24, [0x0e06_0040, ticks('2024-02-02T00:00:00Z')]),
            ...stream('0037001F', text('Before')),
            ...stream('1000001F', text('Inner\r\nwords')),
          },
        },
        '__attach_version1.0_#00000000': {
          ...values(8),
          ...stream('3707001F', text('prices.csv')),
          ...stream('37010102', Buffer.from('a,b')),
        },
      }),
    )
    assert.deepEqual([kind, title], ['msg', 'Öl'])
    assert.equal(
      found.text,
      `Subject: Öl\nFrom: Jürgen <j@example.org>\nTo: Ann; Bo\nDate: Mon, 01 Jan 2024 10:00:00 GMT\n\n${long.trim()}` +
        '\n\n## Attachment: prices.csv\n\na,b\n\nSubject: Before\nDate: Fri, 02 Feb 2024 00:00:00 GMT\n\nInner\nwords',
    )
  })

  test('in an old encoding, and with a page for a body', async () => {
    const old = letter({
      ...values(32, [0x3ffd_0003, 1251n], [0x3fde_0003, 28_592n]),
      ...stream('0037001E', Buffer.from('cff0e8e2e5f2', 'hex')),
      ...stream('10130102', Buffer.from('<h1>Nine</h1><p>t\u00f5', 'latin1')),
    })
    assert.equal((await read(old)).text, 'Subject: Привет\n\n# Nine\n\ntő')
  })

  test('that is damaged', async () => {
    const whole = letter({ ...values(32), ...stream('1000001F', text('a'.repeat(9000))) })
    // The sectors of its body point outside the file.
    const cut = Buffer.from(whole)
    cut.fill(0xee, whole.length - 512, whole.length - 512 + 8)
    await assert.rejects(read(cut), /damaged/)
  })
})

describe('Markdown', () => {
  const texts: [what: string, markdown: string, text: string][] = [
    [
      'bold lines that stand alone above others are headings under the one before',
      '# Stay\n\n**House Rules**\n\nNo **dogs**.\n\n__Prices__\n- low\n\n**Open 9–17**\n\nb\n\n**First**\n\n**Second**',
      '# Stay\n\n## House Rules\n\nNo **dogs**.\n\n__Prices__\n- low\n\n**Open 9–17**\n\nb\n\n**First**\n\n**Second**',
    ],
    [
      'no comments',
      '# Hours\n\n<!-- ask Ann -->\n\nNine<!-- or ten --> to five',
      '# Hours\n\n\nNine to five',
    ],
    ['nor those of several lines', 'a\n<!-- one\n\n```\ntwo --> b', 'a\n b'],
    [
      'comments in code',
      'so: `<!-- a -->`\n\n```html\n<!-- b -->\n```',
      'so: `<!-- a -->`\n\n```html\n<!-- b -->\n```',
    ],
    ['a comment without an end', 'a <!-- b\nc', 'a <!-- b\nc'],
    [
      'headings that are underlined',
      'Hours\n=====\nNine\n\nTo\n--\n\nfive',
      '# Hours\n\nNine\n\n## To\n\n\nfive',
    ],
    [
      'lines that only look so',
      'a\nb\n---\n\n- c\n---\n\nd\n\n---',
      'a\nb\n---\n\n- c\n---\n\nd\n\n---',
    ],
    [
      'rows of a table with their header',
      '| Who | Price |\n|:--|--:|\n| Adults \\| all | 12 |\n| Children | 5 |\n\nand so on',
      'Who: Adults | all | Price: 12\nWho: Children | Price: 5\n\nand so on',
    ],
    ['a header of numbers', '| Item | 2023 |\n|---|---|\n| Ducks | 5 |', 'Item: Ducks | 2023: 5'],
    ['a table in code', '```\n| a | b |\n|---|---|\n```', '```\n| a | b |\n|---|---|\n```'],
    [
      'code that is set in',
      'Run:\n\n    npm i\n\n      -g\n\nThen',
      'Run:\n\n```\nnpm i\n\n  -g\n```\n\nThen',
    ],
    [
      'what is defined, with its definition',
      'Options\n\n`--up RATE`\n: Upload no faster.\n\n`--down`\n\n: Download.\n: Or so.',
      'Options\n\n`--up RATE`: Upload no faster.\n\n`--down`: Download. Or so.',
    ],
    ['items that are set in', '1. You need:\n\n    - a', '1. You need:\n\n    - a'],
    ['no imports of components', "import Tabs from '@theme/Tabs';\n\n# Hours", '# Hours'],
    ['imports in code', "```js\nimport a from 'a'\n```", "```js\nimport a from 'a'\n```"],
  ]
  for (const [what, markdown, text] of texts) {
    test(what, async () => assert.equal((await read(markdown, 'a.mdx')).text, text))
  }
})

describe('subtitles', () => {
  const cue = (at: number, ...lines: string[]) =>
    `00:00:0${at},000 --> 00:00:0${at + 1},000\n${lines.join('\n')}\n\n`

  const texts: [what: string, subtitles: string, text: string][] = [
    [
      'what is said',
      `1\r\n00:00:01,000 --> 00:00:02,500\r\nWe open\r\nat nine.\r\n\r\n2\r\n${cue(3, 'Come in.')}`,
      'We open at nine. Come in.',
    ],
    ['a paragraph after a pause', `1\n${cue(1, 'One.')}2\n${cue(7, 'Two.')}`, 'One.\n\nTwo.'],
    ['no styles', `1\n${cue(1, '{\\an8}<i>So</i> <font color="red">red</font>')}`, 'So red'],
    [
      'no notes and settings, and who speaks',
      'WEBVTT - Tour\nKind: captions\n\nSTYLE\n::cue { color: red }\n\nNOTE for us\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Ann>Tea &amp; cake?\n\n00:02.000 --> 00:03.000\n<v.loud Bo>Yes</v>',
      'Ann: Tea & cake?\n\nBo: Yes',
    ],
    [
      'lines that roll by once',
      'WEBVTT\n\n00:01.000 --> 00:02.000\nwe open\n\n00:02.000 --> 00:03.000\nwe open\nat<00:02.500><c> nine</c>\n\n00:03.000 --> 00:03.010\nat nine',
      'we open at nine',
    ],
  ]
  for (const [what, subtitles, text] of texts) {
    test(what, async () => {
      const found = await read(subtitles)
      assert.deepEqual([found.kind, found.text], ['subtitles', text])
    })
  }

  test('an hour of talk without a pause comes in paragraphs', async () => {
    const time = (second: number) =>
      new Date(second * 1000).toISOString().slice(11, 23).replace('.', ',')
    const talk = (words: string) =>
      Array.from(
        { length: 1800 },
        (_, i) => `${i + 1}\n${time(2 * i)} --> ${time(2 * i + 2)}\n${words}\n`,
      )
    for (const [words, most] of [
      ['This is what we do.', 600],
      ['and so on we go', 1600],
    ] as const) {
      const lines = talk(words).map((cue, i) => cue.replace(words, `${i} ${words}`))
      const { text } = await read(lines.join('\n'), 'talk.srt')
      const lengths = text.split('\n\n').map(({ length }) => length)
      assert.ok(
        lengths.every((length) => length < most),
        String(Math.max(...lengths)),
      )
      assert.equal(text.match(/\d+ (?:This|and)/g)?.length, 1800)
    }
  })
})

describe('a text in an encoding that it does not name', () => {
  const texts: [encoding: string, bytes: Buffer, text: string][] = [
    ['UTF-16 without its mark', Buffer.from('Hello there', 'utf16le'), 'Hello there'],
    ['Shift_JIS', Buffer.from('93fa967b82cc93738ee5', 'hex'), '日本の都主'],
    ['GB2312', Buffer.from('d6d0b9fac8cbc3f1cac7b5c4', 'hex'), '中国人民是的'],
    ['Big5', Buffer.from('a4a4b0eaa448a5c1aa4c', 'hex'), '中國人民林'],
    ['EUC-KR', Buffer.from('c7d1b1b9bbe7b6f7', 'hex'), '한국사람'],
    ['windows-1251', Buffer.from('cff0e8e2e5f220ece8f0', 'hex'), 'Привет мир'],
    ['KOI8-R', Buffer.from('f0d2c9d7c5d420cdc9d2', 'hex'), 'Привет мир'],
    ['IBM 866', Buffer.from('8fe0a8a2a5e220aca8e0', 'hex'), 'Привет мир'],
    ['ISO-8859-2', Buffer.from('za\xbf\xf3\xb3\xe6 g\xea\xb6l\xb1', 'latin1'), 'zażółć gęślą'],
    ['windows-1252', Buffer.from('Stra\xdfe caf\xe9', 'latin1'), 'Straße café'],
  ]
  for (const [encoding, bytes, text] of texts) {
    test(encoding, async () => assert.equal((await read(bytes, 'a.txt')).text, text))
  }
})
