import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { read } from '@docent/server/test/files/read-upload.ts'
import { zipFile } from '@docent/server/test/files/zip-file.ts'

const relations = (...targets: [id: string, type: string, target: string][]) =>
  `<Relationships>${targets
    .map(
      ([id, type, target]) =>
        `<Relationship Id="${id}" Type="http://x/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const coreTitle = (title: string) =>
  `<cp:coreProperties><dc:title>${title}</dc:title></cp:coreProperties>`

describe('DOCX', () => {
  const paragraph = (text: string, properties = '') =>
    `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
  const bold = (text: string) => `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r></w:p>`
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
  const item = (list: number, depth: number) =>
    `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`

  const docx = (body: string, parts: Record<string, string> = {}) =>
    zipFile({
      '[Content_Types].xml': '<Types/>',
      'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
      'word/_rels/document.xml.rels': relations(
        ['r1', 'styles', 'styles.xml'],
        ['r2', 'numbering', 'numbering.xml'],
        ['r3', 'footnotes', 'footnotes.xml'],
        ['r4', 'endnotes', '/word/endnotes.xml'],
        ['r5', 'header', 'header1.xml'],
        ['r6', 'header', 'header2.xml'],
        ['r7', 'footer', 'footer1.xml'],
        ['r8', 'comments', 'comments.xml'],
        ['r9', 'aFChunk', 'chunk.html'],
      ),
      'word/styles.xml': `<w:styles>
        <w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style>
        <w:style w:styleId="Mine"><w:name w:val="Mine"/><w:basedOn w:val="H2"/></w:style>
        <w:style w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>`,
      'word/numbering.xml': `<w:numbering>
        <w:abstractNum w:abstractNumId="0">
          <w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
          <w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1.%2)"/></w:lvl>
        </w:abstractNum>
        <w:abstractNum w:abstractNumId="1"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
        <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
        <w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
      ...parts,
    })
  const text = async (body: string, parts?: Record<string, string>) =>
    (await read(docx(body, parts))).text

  const documents: [what: string, body: string, text: string][] = [
    [
      'paragraphs and runs',
      '<w:p><w:r><w:t>Hel</w:t></w:r><w:r><w:t>lo</w:t><w:br/><w:t>you</w:t></w:r></w:p>',
      'Hello\nyou',
    ],
    [
      'headings by their style',
      paragraph('Hours', '<w:pStyle w:val="H2"/>') + paragraph('Nine.'),
      '## Hours\n\nNine.',
    ],
    [
      'headings by a style based on one',
      paragraph('Hours', '<w:pStyle w:val="Mine"/>'),
      '## Hours',
    ],
    [
      'bold lines above others as headings under the one before',
      paragraph('Stay', '<w:outlineLvl w:val="0"/>') +
        bold('House Rules') +
        paragraph('No dogs.') +
        bold('No dogs are allowed') +
        bold('Prices') +
        bold('Last'),
      '# Stay\n\n## House Rules\n\nNo dogs.\n\nNo dogs are allowed\n\nPrices\n\nLast',
    ],
    [
      'a bold line that only a break parts from its text, too',
      '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Dogs</w:t><w:br/></w:r><w:r><w:t>They may come.</w:t></w:r></w:p>',
      '### Dogs\n\nThey may come.',
    ],
    ['headings by their level', paragraph('Hours', '<w:outlineLvl w:val="0"/>'), '# Hours'],
    ['bullets', paragraph('a', item(2, 0)) + paragraph('b', item(2, 0)), '- a\n- b'],
    [
      'numbers as Word counts them',
      paragraph('a', item(1, 0)) +
        paragraph('b', item(1, 1)) +
        paragraph('c', item(1, 1)) +
        paragraph('d', item(1, 0)),
      '1. a\n  1.a) b\n  1.b) c\n2. d',
    ],
    [
      'tables as rows',
      `<w:tbl><w:tr>${cell('Day')}${cell('Hours')}</w:tr><w:tr>${cell('Monday')}${cell('9–5')}</w:tr></w:tbl>`,
      'Day | Hours\nMonday | 9–5',
    ],
    ...[
      ['marked as such', '', '<w:trPr><w:tblHeader/></w:trPr>', ''],
      [
        'by the style of the table',
        '<w:tblPr><w:tblStyle w:val="LightList"/><w:tblLook w:val="04A0"/></w:tblPr>',
        '',
        '',
      ],
      ['by being bold', '', '', '<w:rPr><w:b/></w:rPr>'],
    ].map(([how, table, row, run]): [string, string, string] => {
      const bold = (text: string) => cell(text).replaceAll('<w:r>', `<w:r>${run}`)
      return [
        `rows with their header, ${how}`,
        `<w:tbl>${table}<w:tr>${row}${bold('Day')}${bold('Hours')}</w:tr><w:tr>${cell('Monday')}${cell('9–5')}</w:tr></w:tbl>`,
        'Day: Monday | Hours: 9–5',
      ]
    }),
    [
      'no header where the style makes nothing of it',
      `<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblLook w:firstRow="1"/></w:tblPr><w:tr>${cell('Colour')}${cell('red')}</w:tr><w:tr>${cell('Shape')}${cell('round')}</w:tr></w:tbl>`,
      'Colour | red\nShape | round',
    ],
    ['a frame of one cell as text', `<w:tbl><w:tr>${cell('a')}</w:tr></w:tbl>`, 'a'],
    [
      'no deleted text',
      '<w:p><w:del><w:r><w:delText>x</w:delText><w:t>y</w:t></w:r></w:del><w:ins><w:r><w:t>a</w:t></w:r></w:ins></w:p>',
      'a',
    ],
    [
      'no hidden text',
      '<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t></w:r><w:r><w:t>a</w:t></w:r></w:p>',
      'a',
    ],
    [
      'no field codes',
      '<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>a</w:t></w:r></w:p>',
      'a',
    ],
    [
      'a text box once, although it is there twice',
      `<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>${paragraph('boxed')}</w:txbxContent></mc:Choice>
        <mc:Fallback><w:txbxContent>${paragraph('boxed')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
      'boxed',
    ],
  ]
  for (const [what, body, expected] of documents) {
    test(what, async () => assert.equal(await text(body), expected))
  }

  test('notes stand after their paragraph', async () => {
    const note = (kind: string, text: string) =>
      `<w:${kind}s><w:${kind} w:type="separator" w:id="0"/><w:${kind} w:id="2">${paragraph(text)}</w:${kind}></w:${kind}s>`
    const body =
      '<w:p><w:r><w:t>Ouch</w:t><w:footnoteReference w:id="2"/><w:t>.</w:t><w:endnoteReference w:id="2"/></w:r></w:p>'
    const parts = {
      'word/footnotes.xml': note('footnote', 'It hurt.'),
      'word/endnotes.xml': note('endnote', 'Very much.'),
    }
    assert.equal(await text(body, parts), 'Ouch.\n\nFootnote: It hurt.\n\nEndnote: Very much.')
  })

  test('headers and footers come once, page numbers and comments not at all', async () => {
    const parts = {
      'word/header1.xml': `<w:hdr>${paragraph('The Company')}</w:hdr>`,
      'word/header2.xml': `<w:hdr>${paragraph('The Company')}</w:hdr>`,
      'word/footer1.xml': `<w:ftr>${paragraph('7')}</w:ftr>`,
      'word/comments.xml': `<w:comments>${paragraph('a comment')}</w:comments>`,
    }
    assert.equal(await text(paragraph('Body'), parts), 'The Company\n\nBody')
  })

  test('an imported page is part of the text', async () => {
    const parts = { 'word/chunk.html': '<h1>A</h1><p>b</p>' }
    assert.equal(await text('<w:altChunk r:id="r9"/>', parts), '# A\n\nb')
  })

  test('its title is that of its properties, else of its first page', async () => {
    const body = paragraph('Handbook', '<w:pStyle w:val="T"/>')
    assert.equal((await read(docx(body))).title, 'Handbook')
    const named = docx(body, { 'docProps/core.xml': coreTitle('The Book') })
    assert.equal((await read(named)).title, 'The Book')
    const generated = docx(body, { 'docProps/core.xml': coreTitle('Microsoft Word - a.doc') })
    assert.equal((await read(generated)).title, 'Handbook')
  })
})

describe('PPTX', () => {
  const words = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`
  const shape = (text: string, placeholder = '') =>
    `<p:sp><p:nvPr>${placeholder && `<p:ph type="${placeholder}"/>`}</p:nvPr><p:txBody>${text}</p:txBody></p:sp>`

  test('slides come in their order, with titles, lists, tables and notes', async () => {
    const file = zipFile({
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="b"/><p:sldId id="257" r:id="a"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations(
        ['a', 'slide', 'slides/slide1.xml'],
        ['b', 'slide', 'slides/slide2.xml'],
      ),
      'ppt/slides/slide1.xml': `<p:sld>${shape(words('last'))}${shape(words('9'), 'sldNum')}</p:sld>`,
      'ppt/slides/slide2.xml': `<p:sld>${shape(words('Plans'), 'title')}${shape(words('one') + words('two'))}
        <a:tbl><a:tr><a:tc>${words('x')}</a:tc><a:tc>${words('y')}</a:tc></a:tr></a:tbl>
        <a:tbl><a:tblPr firstRow="1"/><a:tr><a:tc>${words('Who')}</a:tc><a:tc>${words('Pays')}</a:tc></a:tr><a:tr><a:tc>${words('Ann')}</a:tc><a:tc>${words('5')}</a:tc></a:tr></a:tbl></p:sld>`,
      'ppt/slides/_rels/slide2.xml.rels': relations(['n', 'notesSlide', '../notesSlides/n.xml']),
      'ppt/notesSlides/n.xml': `<p:notes>${shape(words('Say hello.'), 'body')}${shape(words('1'), 'sldNum')}</p:notes>`,
      'docProps/core.xml': coreTitle('PowerPoint Presentation'),
    })
    const { kind, title, text } = await read(file)
    assert.equal(kind, 'pptx')
    assert.equal(title, '')
    assert.equal(
      text,
      '# Plans\n\n- one\n- two\n\nx | y\n\nWho: Ann | Pays: 5\n\nNotes: Say hello.\n\n# Slide 2\n\nlast',
    )
  })
})

describe('XLSX', () => {
  const xlsx = (rows: string, after = '') =>
    zipFile({
      'xl/workbook.xml': `<workbook><sheets><sheet name="Prices" r:id="a"/>
        <sheet name="Secret" state="hidden" r:id="b"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations(
        ['a', 'worksheet', 'worksheets/sheet1.xml'],
        ['b', 'worksheet', 'worksheets/sheet2.xml'],
        ['c', 'sharedStrings', 'sharedStrings.xml'],
        ['d', 'styles', 'styles.xml'],
      ),
      'xl/sharedStrings.xml':
        '<sst><si><t>Item</t></si><si><r><t>Pri</t></r><r><t>ce</t></r><rPh><t>x</t></rPh></si><si><t>Tea</t></si></sst>',
      'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$€-407]#,##0.00"/></numFmts>
        <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="9"/><xf numFmtId="22"/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': `<worksheet><dimension ref="A1:XFD1048576"/><sheetData>${rows}</sheetData>${after}</worksheet>`,
      'xl/worksheets/sheet2.xml':
        '<worksheet><sheetData><row><c t="str"><v>x</v></c></row></sheetData></worksheet>',
    })
  const text = async (rows: string, after?: string) => (await read(xlsx(rows, after))).text
  const header = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'

  test('each row comes with its header, from visible sheets alone', async () => {
    const rows = `${header}<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2"><v>3.5</v></c></row>
      <row r="3"><c r="A3" t="inlineStr"><is><t>Milk</t></is></c><c r="B3"><v>0.1</v></c></row>`
    assert.equal(await text(rows), '# Prices\n\nItem: Tea | Price: 3.5\nItem: Milk | Price: 0.1')
  })

  test('numbers and dates are shown as in the sheet', async () => {
    const values: [style: number, value: string, shown: string][] = [
      [0, '0.30000000000000004', '0.3'],
      [0, '1234567', '1234567'],
      [1, '43363', '2018-09-20'],
      [2, '1234.5', '€1,234.50'],
      [2, '-1', '-€1.00'],
      [3, '0.25', '25%'],
      [4, '43363.5', '2018-09-20 12:00'],
    ]
    for (const [style, value, shown] of values) {
      const row = `<row r="1"><c r="A1" s="${style}"><v>${value}</v></c></row>`
      assert.equal(await text(row), `# Prices\n\n${shown}`)
    }
  })

  test('a cell over several rows belongs to each of them, a header over columns to each of those', async () => {
    const words = (at: string, value: string) => `<c r="${at}" t="str"><v>${value}</v></c>`
    const rows = `<row r="1">${words('A1', 'Day')}${words('B1', 'Hours')}</row>
      <row r="2">${words('A2', 'Monday')}<c r="B2"><v>9</v></c><c r="C2"><v>12</v></c></row>
      <row r="3"><c r="B3"><v>13</v></c><c r="C3"><v>17</v></c></row>`
    const merged =
      '<mergeCells count="2"><mergeCell ref="B1:C1"/><mergeCell ref="A2:A3"/></mergeCells>'
    assert.equal(
      await text(rows, merged),
      '# Prices\n\nDay: Monday | Hours: 9 | Hours: 12\nDay: Monday | Hours: 13 | Hours: 17',
    )
  })

  test('a title above and a second table below keep their own places', async () => {
    const rows = `<row r="1"><c r="A1" t="str"><v>Our prices</v></c></row>
      <row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c></row>
      <row r="4"><c r="A4" t="s"><v>2</v></c><c r="B4"><v>3</v></c></row>
      <row r="9"><c r="A9" t="str"><v>Year</v></c><c r="B9" t="str"><v>Sold</v></c></row>
      <row r="10"><c r="A10"><v>2024</v></c><c r="B10"><v>7</v></c></row>`
    assert.equal(
      await text(rows),
      '# Prices\n\nOur prices\n\nItem: Tea | Price: 3\n\nYear: 2024 | Sold: 7',
    )
  })
})

describe('OpenDocument', () => {
  const odf = (type: string, body: string, parts: Record<string, string> = {}) =>
    zipFile({
      mimetype: `application/vnd.oasis.opendocument.${type}`,
      'content.xml': `<office:document-content><office:body><office:${type}>${body}</office:${type}></office:body></office:document-content>`,
      'META-INF/manifest.xml': '<manifest:manifest/>',
      ...parts,
    })

  test('a text', async () => {
    const body = `<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
      <text:h text:outline-level="2">Hours</text:h>
      <text:p>We open<text:s text:c="2"/>at nine<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>Or ten.</text:p></text:note-body></text:note>.</text:p>
      <text:list><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item></text:list></text:list-item></text:list>
      <table:table><table:table-row><table:table-cell><text:p>x</text:p></table:table-cell><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>
      <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Who</text:p></table:table-cell><table:table-cell><text:p>Pays</text:p></table:table-cell></table:table-row></table:table-header-rows>
      <table:table-row><table:table-cell><text:p>Ann</text:p></table:table-cell><table:table-cell><text:p>5</text:p></table:table-cell></table:table-row></table:table>
      <text:p>end<office:annotation><text:p>comment</text:p></office:annotation></text:p>`
    const meta = '<office:meta><dc:title>Our\nhours</dc:title></office:meta>'
    const { title, text } = await read(odf('text', body, { 'meta.xml': meta }))
    assert.equal(title, 'Our hours')
    assert.equal(
      text,
      '## Hours\n\nWe open at nine.\n\nFootnote: Or ten.\n\n- a\n  - b\n\nx | y\n\nWho: Ann | Pays: 5\n\nend',
    )
  })

  test('a sheet', async () => {
    const cell = (text: string, more = '') =>
      `<table:table-cell ${more}><text:p>${text}</text:p></table:table-cell>`
    const empty = '<table:table-cell table:number-columns-repeated="16000"/>'
    const body = `<table:table table:name="Ducks">
      <table:table-row>${cell('Year')}${cell('Ducks')}${empty}</table:table-row>
      <table:table-row>${cell('2019')}${cell('120')}${empty}</table:table-row>
      <table:table-row table:number-rows-repeated="1000000">${empty}</table:table-row></table:table>`
    assert.equal((await read(odf('spreadsheet', body))).text, '# Ducks\n\nYear: 2019 | Ducks: 120')
  })

  test('numbers that are none count as one', async () => {
    const cell = (text: string, repeated: string) =>
      `<table:table-cell table:number-columns-repeated="${repeated}"><text:p>${text}</text:p></table:table-cell>`
    const body = `<table:table><table:table-row>${cell('a', 'many')}${cell('b', '-3')}${cell('c', '2')}</table:table-row></table:table>`
    assert.match((await read(odf('spreadsheet', body))).text, /a.*b.*c.*c/)
    const blanks = '<text:p>We<text:s text:c="-1"/>open<text:s text:c="x"/>at nine.</text:p>'
    assert.equal((await read(odf('text', blanks))).text, 'We open at nine.')
  })

  test('slides', async () => {
    const frame = (text: string, kind = '') =>
      `<draw:frame presentation:class="${kind}"><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`
    const body = `<draw:page>${frame('Plans', 'title')}${frame('one')}
      <presentation:notes>${frame('Say hello.', 'notes')}</presentation:notes></draw:page>
      <draw:page>${frame('two')}</draw:page>`
    const { text } = await read(odf('presentation', body))
    assert.equal(text, '# Plans\n\none\n\nNotes: Say hello.\n\n# Slide 2\n\ntwo')
  })
})

test('an EPUB is read in the order of its spine', async () => {
  const book = zipFile({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfile full-path="OPS/book.opf"/></container>',
    'OPS/book.opf': `<package><metadata><dc:title>The Book</dc:title></metadata>
      <manifest><item id="a" href="text/a%20b.xhtml"/><item id="c" href="c.xhtml"/></manifest>
      <spine><itemref idref="c"/><itemref idref="a"/><itemref idref="none"/></spine></package>`,
    'OPS/text/a b.xhtml': '<html><body><h1>Two</h1><p>two</p></body></html>',
    'OPS/c.xhtml': '<!DOCTYPE html><html><body><h1>One</h1><p>one</p></body></html>',
  })
  const { kind, title, text } = await read(book)
  assert.deepEqual([kind, title], ['epub', 'The Book'])
  assert.equal(text, '# One\n\none\n\n# Two\n\ntwo')
})
