import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { extractHtml } from './html.ts'

describe('a page keeps its structure', () => {
  const pages: [what: string, html: string, text: string][] = [
    ['what stands before a tag in which it ends', 'Hello you <span class="a', 'Hello you'],
    ['lists inside of lists', '<ul><li>a<ul><li>b</ul><li>c</ul>', '- a\n  - b\n- c'],
    [
      'bold lines above others as headings under the one before',
      '<h2>Stay</h2><p><strong>How do I pay?</strong></p><p>In <b>cash</b>.</p><div><b>House <i>Rules</i></b></div><ul><li>No dogs</ul>',
      '## Stay\n\n### How do I pay?\n\nIn cash.\n\n### House Rules\n\n- No dogs',
    ],
    [
      'but none that tells something, stands last, or above another',
      '<p><b>We are closed on Mondays</b></p><p>a</p><p><b>Open 9–17</b></p><p>b</p><p><b>Call us:</b></p><p>c</p><p><b>First</b></p><p><b>Second</b></p>',
      'We are closed on Mondays\n\na\n\nOpen 9–17\n\nb\n\nCall us:\n\nc\n\nFirst\n\nSecond',
    ],
    [
      'a bold line that only a break parts from its text',
      '<p><b>Dogs</b><br>They may come along.</p><p><b>Note:</b><br>a<br><b>b</b></p>',
      '### Dogs\n\nThey may come along.\n\nNote:\na\nb',
    ],
    [
      'words of neighbours apart, but not those of one word',
      '<div><b>Tiramisù</b><span>6.90</span></div><p><span>Single class</span><i></i><span>$19</span></p><p><span>W</span><span>e</span>lcome to <b>foot</b>ball, <code><span>a</span><span>bc</span></code>, <span>(</span><span>gf</span>)</p>',
      'Tiramisù 6.90\n\nSingle class $19\n\nWelcome to football, abc, (gf)',
    ],
    [
      'names over numbers as headers of a table, though nothing says so',
      '<table><tr><td>Room<td>Price<tr><td>Single<td>90 €<tr><td>Double<td>120 €</table>',
      'Room: Single | Price: 90 €\nRoom: Double | Price: 120 €',
    ],
    [
      'what signs in a table stand for',
      '<p><svg aria-label="Home"></svg>a</p><table><tr><th>SSO<th>API<tr><td><svg aria-label="Not included"><path/></svg><td><img alt="Included"></table>',
      'a\n\nSSO: Not included | API: Included',
    ],
    [
      'an accordion with what it hides',
      '<h2><button aria-expanded=false aria-controls=a>How do I pay?</button></h2><div id=a hidden>In cash.</div><h2>Can I come?</h2><div class="accordion-collapse collapse" aria-hidden=true>You can.</div>',
      '## How do I pay?\n\nIn cash.\n\n## Can I come?\n\nYou can.',
    ],
    [
      'what opens by a click without being a heading',
      '<details><summary>How do I pay?</summary>In cash.</details><button aria-expanded=false>May I bring a dog?</button><div class="faq-answer" style="display: none">You may.</div>',
      '### How do I pay?\n\nIn cash.\n\n### May I bring a dog?\n\nYou may.',
    ],
    [
      'what is behind tabs under what is written on them',
      '<div role=tablist><button role=tab id=t1>On <i>Windows</i></button><button role=tab id=t2>On macOS</button></div><div role=tabpanel aria-labelledby=t1>Use choco.</div><div role=tabpanel aria-labelledby=t2 hidden>Use brew.</div>',
      '### On Windows\n\nUse choco.\n\n### On macOS\n\nUse brew.',
    ],
    [
      'but neither menus nor what else is hidden or clicked on',
      '<button aria-expanded=false aria-controls=m>Menu</button><div id=m class="main-menu" hidden>Home</div><div hidden>a</div><button>Send it to us now</button><div class="cookie-panel" hidden>b</div><p>c',
      'c',
    ],
    ['numbered lists', '<ol><li>a<li>b</ol><p>c', '1. a\n2. b\n\nc'],
    ['items of several parts', '<ul><li><p>a</p><p>b</p><li><div>c</div></ul>', '- a\nb\n- c'],
    [
      'cells with parts of their own',
      '<table><tr><td><p>a</p><td><p>b<br>c</p></table>',
      'a | b c',
    ],
    ['empty cells', '<table><tr><td><td>a<td><td>b<td><tr><td>', ' | a |  | b'],
    ['tables that only lay out', '<table><tr><td><h1>A</h1><p>b<td>c</table>', '# A\n\nb\n\nc'],
    [
      'tables inside of such',
      '<table><tr><td>x<td><table><tr><td>a<td>b</table></table>',
      'x\n\na | b',
    ],
    [
      'a long cell',
      `<table><tr><td>a<td>b<tr><td>c<td>${'<p>d'.repeat(7)}</table>`,
      `a | b\n\nc${'\n\nd'.repeat(7)}`,
    ],
    [
      'rows that fell out of their table',
      '<center><table></center><tr><td>a<td>b</tr></table><p>c',
      'a | b\n\nc',
    ],
    [
      'rows with their header',
      '<table><thead><tr><th>Country<th>Days<th>Price</thead><tr><th>Germany<td>2<td>5 €<tr><td>France<td><td>8 €<tr><td colspan=3>Without tax</table>',
      'Country: Germany | Days: 2 | Price: 5 €\nCountry: France | Price: 8 €\nWithout tax',
    ],
    [
      'cells over several rows and columns',
      '<table><tr><th rowspan=2>Who<th colspan=2>Price<tr><th>Day<th>Night<tr><td rowspan=2>Adults<td>5<td>8<tr><td>6<td>9<tr><td>Children<td>1</table>',
      'Who: Adults | Price Day: 5 | Price Night: 8\nWho: Adults | Price Day: 6 | Price Night: 9\nWho: Children | Price Day: 1',
    ],
    ['a header alone', '<table><tr><th>a<th>b</table>', 'a | b'],
    [
      'a box of facts',
      '<table><tr><th>Founded:<td>1901<tr><th>Seats<td>5<td>6</table>',
      'Founded: 1901\nSeats: 5 | 6',
    ],
    [
      'spans without end',
      '<table><tr><td colspan=99999999 rowspan=99999999>a<td>b<tr><td>c</table>',
      `a${' | '.repeat(100)}b\na | c`,
    ],
    [
      'terms with what explains them',
      '<dl><dt>Monday<dd>9 to 18<dt>Why?<dd>So.<dt>Long<dd><p>a<p>b</dl><p>c',
      'Monday: 9 to 18\nWhy? So.\nLong: a\n\nb\n\nc',
    ],
    [
      'several names of what is explained, and a question above its answer',
      `<dl><dt>
        -q
        </dt><dt>--quiet [&lt;level&gt;]
        </dt><dd>
        <p>Says nothing.</p><p>Or little.</p></dd><dt>-a<br>--all</dt><dd><p>Says all.</p></dd>
        <dt>Does it end?</dt><dd><p>It does.</p></dd><dt>-b<br></dt><dd>Both.</dd><dt>-c</dt><br><dt>-d<dd>Or.</dl>`,
      '-q, --quiet [<level>]: Says nothing.\n\nOr little.\n\n-a, --all: Says all.\n\nDoes it end?\n\nIt does.\n\n-b: Both.\n-c\n-d: Or.',
    ],
    ['a table’s caption', '<table><caption>T</caption><tr><td>a<td>b</table>', 'T\n\na | b'],
    ['code', '<pre><code># a\n  b\n</code></pre><p>c', '```\n# a\n  b\n```\n\nc'],
    ['code that shows code', '<pre><code>```js\na\n```</code></pre>', '````\n```js\na\n```\n````'],
    ['code by its class, with breaks', '<pre class="highlight">a<br>b</pre>', '```\na\nb\n```'],
    [
      'what is raised, but for marks of notes',
      `<p>10<sup>3</sup> m<sup>2</sup>, the 5<sup>th</sup>, H<sub>2</sub>O, by <sup><a href="/x">links</a></sup>.<sup
        class="reference"><a href="#n1"><span>[</span>1<span>]</span></a></sup><sup
        class="noprint Inline-Template">[<i>citation needed</i>]</sup> Then<a href="#n2" role="doc-noteref">2</a> <a epub:type="noteref" href="n.xhtml#3">3</a>the<sup><a
        href="#n3">3</a></sup> end<sup> </sup>of it.`,
      '10³ m², the 5th, H2O, by links. Then the end of it.',
    ],
    [
      'headings without the signs that link to them',
      '<h2>Use<a href="#a">¶</a></h2><h2><a href="#b">🔗</a>A <a href="#c">link</a> <a href="#c">to <b>b</b> <i>c</i></a></h2>',
      '## Use\n\n## A link to b c',
    ],
    ['prices without the old one', '<p>Now <s>20</s> <del>18 €</del>15 €', 'Now 15 €'],
    [
      'words without how they are read',
      '<p><ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう</rt></ruby>へ',
      '東京へ',
    ],
    ['nothing in the place of a film', '<p>a<video>No film here.</video></p>', 'a'],
    ['text that is only laid out', '<pre>a\n  b</pre>', 'a\n  b'],
  ]
  for (const [what, html, text] of pages) {
    test(what, () => assert.equal(extractHtml(html).text, text))
  }
})

describe('a page loses what stands on all pages of its site', () => {
  const body = '<p>We open at nine every day of the week.</p>'
  const pages: [what: string, furniture: string][] = [
    ['a cookie notice', '<div class="cookie-banner"><p>We use cookies.</p></div>'],
    ['one by its id', '<section id="gdpr_notice">Consent!</section>'],
    ['a menu by its role', '<div role="navigation"><a>Home</a></div>'],
    ['a dialog', '<div role="dialog">Subscribe</div>'],
    ['where it is in the site', '<ul class="Breadcrumb"><li>Home<li>Hours</ul>'],
    ['links to share it', '<div class="post social-share">Tweet</div>'],
    [
      'its other languages',
      '<ul><li><a hreflang="de">Deutsch</a><li><a hreflang="fr">Français</a></ul>',
    ],
  ]
  for (const [what, furniture] of pages) {
    test(what, () => {
      const { text } = extractHtml(`<body>${furniture}${body}${furniture}</body>`)
      assert.equal(text, 'We open at nine every day of the week.')
      assert.equal(extractHtml(`<main>${furniture}${body}</main>`).text, text)
    })
  }

  test('but not what only has such a name', () => {
    const page = `<body class="has-sidebar"><div class="with-sidebar">${body}</div><p>b`
    assert.equal(extractHtml(page).text, 'We open at nine every day of the week.\n\nb')
  })

  test('articles are the page only when they are most of it', () => {
    const teaser = '<article>More news</article>'
    assert.match(extractHtml(`${body}${teaser}`).text, /nine.*More news/s)
    assert.equal(extractHtml(`<p>x</p><article>${body}</article>`).text, extractHtml(body).text)
  })

  test('the main part may be told by its role', () => {
    assert.equal(
      extractHtml(`<div>x</div><div role="main">${body}</div>`).text,
      extractHtml(body).text,
    )
  })
})

describe('cards', () => {
  const card = (...lines: string[]) =>
    `<div>${lines.map((line) => `<div>${line}</div>`).join('')}</div>`
  const people = [
    card('Ann Lee', 'Head', 'Tel 12'),
    card('Bo Ray', 'Nurse'),
    card('Cy Fox', 'Cook'),
  ]

  test('beside each other are rows', () => {
    assert.equal(
      extractHtml(`<h1>Who</h1><p>Ring us.</p><div>${people.join('')}</div><p>Or write.</p>`).text,
      '# Who\n\nRing us.\n\nAnn Lee | Head | Tel 12\nBo Ray | Nurse\nCy Fox | Cook\n\nOr write.',
    )
  })

  test('that are two, have titles or hold paragraphs are no rows', () => {
    const long = card(
      'What we do',
      'We make chairs of wood from the forest behind the house, and tables. '.repeat(2),
    )
    const titled = '<div><b>Our hours</b><p>Nine to five.</p></div>'
    for (const page of [people.slice(1).join(''), long.repeat(3), titled.repeat(3)])
      assert.doesNotMatch(extractHtml(`<p>Some text.</p>${page}`).text, / \| /)
  })
})

describe('a page of very many elements', () => {
  const MANY = 200_000
  const page = (tag: string, end = '') =>
    Array.from({ length: MANY }, (_, i) => `<${tag}>w${i} ${end}`).join('')
  const timed = (html: string) => {
    const begun = performance.now()
    const { text } = extractHtml(html)
    return { text, took: performance.now() - begun }
  }
  const usual = timed(page('p', '</p>'))

  for (const tag of ['div', 'b', 'table', 'nav', 'span>a</span><span', 'div><form'])
    test(`<${tag}> without ends takes hardly longer than one with them, and loses nothing`, () => {
      const { text, took } = timed(page(tag))
      assert.ok(took < usual.took * 20, `${took} ms, ${usual.took} ms with ends`)
      if (tag !== 'nav') assert.match(text, new RegExp(`w0\\s.*w${MANY - 1}$`, 's'))
    })

  test('still has no scripts in its text, nor loses what follows', () => {
    const deep = '<div>'.repeat(6_000)
    const html = `${deep}a<script>b()</script><p>c</p><style>d</style>${'</div>'.repeat(6_000)}<p>e`
    assert.equal(extractHtml(html).text, 'a\n\nc\n\ne')
  })

  test('is told apart as ever below a thousand forgotten ends', () => {
    const html = `${'<font size=2>'.repeat(1_200)}<h2>Opening</h2><nav>Home</nav><p hidden>no</p><p>Daily.</p>`
    assert.equal(extractHtml(html).text, '## Opening\n\nDaily.')
  })
})
