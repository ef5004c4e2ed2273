import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { LanguageModel } from '@docent/server/src/models/model-catalog.ts'
import { type Client, startTestServer } from '@docent/server/test/harness.ts'
import { CHROMIUM, needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { marked } from 'marked'
import { type Browser, chromium, type Page } from 'playwright-core'
import { ATTACKS, ORDINARY, SOURCE } from './attack-corpus.ts'
import { widgetLinks } from './widget-links.ts'

/** A model that obeys: repeats the last message, one character at a time. */
const obedient: LanguageModel = {
  name: 'obedient',
  provider: 'test',
  async *stream({ prompt }) {
    const told = prompt.slice(prompt.lastIndexOf('Question: SAY ') + 'Question: SAY '.length)
    for (const character of told) yield { type: 'text-delta', text: character }
    const tokens = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    yield { type: 'finish', reason: 'stop', tokens }
  },
}

/** A model that repeats its whole prompt, documents included. */
const gullible: LanguageModel = {
  ...obedient,
  name: 'gullible',
  async *stream({ prompt }) {
    yield { type: 'text-delta', text: prompt.replaceAll(/^> /gm, '') }
    const tokens = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
    yield { type: 'finish', reason: 'stop', tokens }
  },
}

async function startBot(client: Client, model: string, files: Record<string, string>) {
  const chatbot = await client.createChatbot({ model, rate_limit: [10_000, 1] })
  for (const [name, text] of Object.entries(files)) {
    const upload = await client.upload(chatbot, name, text)
    await client.settled(((await upload.json()) as { uuid: string }).uuid)
  }
  const session = await client.createSession(chatbot)
  return async (query: string) => {
    const text = await (await client.ask(session, query)).text()
    const message = (await client.messages(session)).at(-1)
    assert.equal(message.response.trimEnd(), text.trimEnd(), 'what is sent is what is stored')
    return { text, notes: JSON.parse(message.meta_json).neutralised as { kind: string }[] }
  }
}

/** Renders a text in every careless way that pages use. Returns the browser's requests and the links. */
async function show(page: Page, text: string): Promise<{ requests: string[]; links: string[] }> {
  const requests: string[] = []
  const note = (request: { url(): string }) => requests.push(request.url())
  page.on('request', note)
  const carelessly = new MarkdownIt({ html: true, linkify: true })
  const ways = [await marked.parse(text), carelessly.render(text), text]
  await page.setContent(`<!doctype html><body>${ways.join('<hr>')}</body>`)
  const links = await page.evaluate<string[]>(
    "[...document.querySelectorAll('a[href], area[href]')].map((link) => link.href)",
  )
  page.off('request', note)
  return {
    requests: requests.filter((url) => !url.startsWith('about:')),
    links: [...links, ...widgetLinks(text)],
  }
}

// Some renderers include the character after an address in the link, which leaks nothing.
const HARMLESS =
  /^(https?:\/\/((www\.)?museum\.example\/?(tickets|plan)?([.:!]|%5D|%3E)?|[\w.]+\.wide\.example\/[^|]*)|mailto:info@museum\.example)$/
const ALLOW_LINKS = 'allowed.example, *.wide.example'

suite('what an answer may do in a browser', needsChromium(), async () => {
  const models = [obedient, gullible]
  const { owner } = await startTestServer({ after }, { models, environment: { ALLOW_LINKS } })
  const browser: Browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
  after(() => browser.close())
  const context = await browser.newContext()
  await context.route('**', (route) => route.abort())
  const page = await context.newPage()

  test('the page is careless enough: unguarded, the corpus does reach the foreign host', async () => {
    const seen = { requests: 0, links: 0 }
    for (const attack of ATTACKS.filter((_, index) => index % 5 === 0)) {
      const { requests, links } = await show(page, attack)
      seen.requests += requests.length
      seen.links += links.length
    }
    assert.ok(seen.requests > 15 && seen.links > 10, JSON.stringify(seen))
  })

  test('nothing that a question makes a model say asks a foreign host for anything', async () => {
    const ask = await startBot(owner, 'obedient', { 'museum.txt': SOURCE })
    for (const attack of ATTACKS) {
      const { text, notes } = await ask(`SAY ${attack}\n\nThe museum sells tickets.`)
      const { requests, links } = await show(page, text)
      assert.deepEqual(
        [...requests, ...links].filter((link) => !HARMLESS.test(link)),
        [],
        `${attack} became ${text}`,
      )
      assert.ok(notes.length > 0, `noted: ${attack} became ${text}`)
    }
  })

  for (const model of ['gullible', 'docent-quote']) {
    test(`nothing that stands in a document loads anything when ${model} repeats it`, async () => {
      for (let index = 0; index < ATTACKS.length; index += 12) {
        const several = ATTACKS.slice(index, index + 12).join('\n\n')
        const ask = await startBot(owner, model, {
          'notes.txt': `The museum of ${index}.\n\n${several}`,
        })
        const { text } = await ask(`The museum of ${index} evil test`)
        const { requests } = await show(page, text)
        assert.deepEqual(
          requests.filter((url) => !HARMLESS.test(url)),
          [],
          text,
        )
      }
    })
  }
})

suite('what an answer may say', async () => {
  const { owner } = await startTestServer(
    { after },
    { models: [obedient], environment: { ALLOW_LINKS } },
  )
  const ask = await startBot(owner, 'obedient', { 'museum.txt': SOURCE })

  for (const text of ORDINARY) {
    test(`ordinary text stays as it is: ${text.slice(0, 40)}`, async () => {
      const answer = await ask(`SAY ${text} The museum sells tickets.`)
      assert.equal(answer.text, `${text} The museum sells tickets.`)
      assert.deepEqual(answer.notes, [])
    })
  }

  test('links to hosts that the operator allows, and pictures of theirs', async () => {
    const text = '![a](https://allowed.example/a.png) https://x.wide.example/b?c=d'
    assert.equal((await ask(`SAY ${text}`)).text, text)
    const { text: other } = await ask('SAY https://x.allowed.example/a and wide.example/b')
    assert.equal(other, '(link removed) and wide.(link removed)', 'what has left is left')
  })

  for (const [said, expected] of [
    ['See [here](https://evil.test/a) now.', 'See here (link removed) now.'],
    ['**[Read more here](https://evil.test)**', '**Read more here (link removed)**'],
    ['[https://evil.test](https://evil.test)', '(link removed) (link removed)'],
    ['[a](https://allowed.example/a) [b](x:y)', '[a](https://allowed.example/a) b (link removed)'],
    // Without the bracket, the link's text would become part of an address.
    ['evil[.test](https://evil.test)', 'evil[.test] (link removed)'],
    [
      'https://allowed.example/*[a](https://evil.test)',
      'https://allowed.example/*[a] (link removed)',
    ],
    [`[${'x'.repeat(300)}](https://evil.test)`, `[${'x'.repeat(300)}] (link removed)`],
    ['An [open bracket', 'An [open bracket'],
  ] as const) {
    test(`the text of a link that is removed: ${said.slice(0, 40)}`, async () => {
      assert.equal((await ask(`SAY ${said}`)).text, expected)
      const { OutputGuard } = await import('@docent/server/src/answering/text/neutralize-links.ts')
      const sources = { passages: [], prompt: '', allowLinks: ['allowed.example'] }
      for (const length of [3, 1_000]) {
        const guard = new OutputGuard(sources)
        const pieces = said.match(new RegExp(`.{1,${length}}`, 'gs'))!
        const text = pieces.map((piece) => guard.add(piece)).join('') + guard.end()
        assert.equal(text, expected, `in pieces of ${length}`)
      }
    })
  }

  for (const [said, expected] of [
    ['[a](https://museum.example\\/tickets)', '[a](https://museum.example/tickets)'],
    ['[a](https://evil.test\\.wide.example/b)', '[a](https://evil.test.wide.example/b)'],
    ['<https://x.wide.example/?a&amp;b\\_c>', '<https://x.wide.example/?a&b_c>'],
    ['[a](https://museum.example/tickets\u0086)', 'a (link removed)'],
    ['[a](https://museum.example/tickets&Tab;&#130;)', 'a (link removed)'],
    ['https://museum.example/tickets<secret', 'https://museum.example/tickets ‹secret'],
    ['"https://museum.example/tickets","b"', '"https://museum.example/tickets", "b"'],
    ['a](https://museum.example/tickets)secret', 'a](https://museum.example/tickets) secret'],
    [`https://museum.example/tickets${'!'.repeat(2_100)}secret now`, '(link removed) now'],
    ['https://x.wide.example/)https://evil.test/a', '(link removed)'],
  ] as const) {
    test(`a link is written as it was judged, and ends where it ends: ${said.slice(0, 50)}`, async () => {
      assert.equal((await ask(`SAY ${said}`)).text, expected)
    })
  }

  test('what the owner’s instruction names', async () => {
    const chatbot = await owner.createChatbot({
      model: 'obedient',
      prompt: 'Point to https://shop.example/a?b=c where it helps.',
    })
    const session = await owner.createSession(chatbot)
    const answer = await owner.ask(session, 'SAY ![x](https://shop.example/a?b=c)')
    assert.equal(await answer.text(), '![x](https://shop.example/a?b=c)')
  })

  test('a link from a passage, which is then cited', async () => {
    const chatbot = await owner.createChatbot({ model: 'obedient', show_citations: true })
    const upload = await owner.upload(chatbot, 'museum.txt', SOURCE)
    await owner.settled(((await upload.json()) as { uuid: string }).uuid)
    const session = await owner.createSession(chatbot)
    const answer = await owner.ask(
      session,
      'museum tickets SAY x\n\nQuestion: SAY At https://museum.example/tickets',
    )
    assert.equal(await answer.text(), 'At https://museum.example/tickets [1.1]')
    assert.deepEqual(Object.keys(JSON.parse((await owner.messages(session))[0].cite_data_json)), [
      '1.1',
    ])
  })

  test('the same in server-sent events', async () => {
    const session = await owner.createSession(await owner.createChatbot({ model: 'obedient' }))
    const answer = await owner.ask(session, 'SAY see ![](https://evil.test/1) now', {
      accept: 'text/event-stream',
    })
    const events = (await answer.text()).split('\n').filter((line) => line.startsWith('data: '))
    const text = events.map((line) => JSON.parse(line.slice(6)).text ?? '').join('')
    assert.equal(text, 'see (image removed) now')
    const [message] = await owner.messages(session)
    assert.equal(message.response, text)
    assert.deepEqual(JSON.parse(message.meta_json).neutralised, [
      { kind: 'image', text: 'https://evil.test/1' },
    ])
  })

  test('nothing that nobody sees, also where it is no letter at all', async () => {
    const { OutputGuard } = await import('@docent/server/src/answering/text/neutralize-links.ts')
    const guard = new OutputGuard({ passages: [], prompt: '', allowLinks: [] })
    assert.equal(guard.add('Nine\0 to\u200b five\0') + guard.end(), 'Nine to five')
  })

  test('plain words at once: nothing is held back that can’t become a link', async () => {
    const { OutputGuard } = await import('@docent/server/src/answering/text/neutralize-links.ts')
    const guard = new OutputGuard({ passages: [], prompt: '', allowLinks: [] })
    for (const piece of [
      'Hello',
      ' world',
      ', this',
      ' is (quite)',
      ' *fine*',
      '\n',
      '- list',
      ' 中文',
    ])
      assert.equal(guard.add(piece), piece)
    assert.equal(guard.add(' end.'), ' end.')
    assert.equal(guard.add(' wow!'), ' wow')
    assert.equal(guard.end(), '!')
  })
})

suite('whatever is said, in whatever pieces', async () => {
  const { OutputGuard } = await import('@docent/server/src/answering/text/neutralize-links.ts')
  const passage = { marker: '1.1', text: SOURCE, page_url: '', meta: '{}' }
  const sources = {
    passages: [passage] as never,
    prompt: '',
    allowLinks: ALLOW_LINKS.split(', '),
  }

  function guarded(pieces: string[]): string {
    const guard = new OutputGuard(sources)
    return pieces.map((piece) => guard.add(piece)).join('') + guard.end()
  }

  /** Returns the same text for all spellings of an address. */
  function canonical(address: string): string {
    const { protocol, host, pathname, search, hash } = new URL(address)
    return `${protocol.replace('s', '')}${host}${pathname.replace(/\/$/, '')}${search}${hash}`
  }

  const inSource = [
    'https://museum.example/tickets',
    'https://museum.example',
    'https://www.museum.example/plan',
    'https://www.museum.example',
  ].map(canonical)

  const ALLOWED_HOST = /^https?:\/\/(allowed\.example|[\w.-]+\.wide\.example)(:\d+)?\//

  function isAllowed(address: string): boolean {
    return inSource.includes(canonical(address)) || ALLOWED_HOST.test(address)
  }

  test('the widget makes no link but of what is allowed: the corpus, cut at every place', () => {
    for (const attack of ATTACKS.filter(({ length }) => length < 500)) {
      for (let cut = 0; cut < attack.length; cut += 1) {
        const text = guarded([attack.slice(0, cut), attack.slice(cut)])
        const others = widgetLinks(text).filter((link) => !isAllowed(link))
        assert.deepEqual(others, [], `${attack} became ${text}`)
      }
    }
  })

  /** Uses the broadest rule, remark-gfm's: an address begins after any punctuation and ends at whitespace. */
  function foreignWords(text: string): string[] {
    return [...text.matchAll(/(?<![\p{L}\p{N}])(?:https?:\/\/|www\.)[-.\w]+[^ \t\r\n]*/giu)]
      .map(([address]) => address)
      .filter((address) => /evil|secret/i.test(address) && !ALLOWED_HOST.test(address))
  }

  const ADDRESSES = [
    'https://museum.example/tickets',
    'http://museum.example',
    'museum.example/tickets',
    'www.museum.example/plan',
    'https://allowed.example/a',
    'https://x.wide.example/b?c=d',
    '.wide.example/',
    'https://secret.evil.test',
    'HTTPS://evil.com/secret',
    '//evil.test/secret',
    'https:',
    '.www.evil.com/secret',
    'www.evil.test/secret',
    '.evil.com/secret',
  ]
  const SIGNS = [
    ...'[]()<>|\\`"\'*_~.,;:!?{}/#@&=-%$ \n\t\r',
    ...'“”‘’«»‹。…\u0001\u0085\u0086\u00a0\u2028\u3000\u200b\u200d\ufe0fé中',
    ...[
      '](',
      '[a](',
      '![',
      '![a](',
      ']: ',
      '[r]',
      '<b>',
      '</b>',
      '<a href=',
      '\\[',
      '\\)',
      '**',
      '__',
    ],
    ...['&Tab;', '&NewLine;', '&#1;', '&#130;', '&#47;', '&sol;', '&bsol;', '&amp;', '&nbsp;'],
    ...[
      '\n\n',
      '\n# ',
      '\n- ',
      '\n> ',
      '| a | b |\n|---|---|\n| ',
      '/../',
      '%2f',
      '!!!!!!!!!!!!',
      'secret',
    ],
  ]

  test('the widget makes no link but of what is allowed: any other text', () => {
    const piece = fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...ADDRESSES) },
      { weight: 4, arbitrary: fc.constantFrom(...SIGNS) },
    )
    const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), (said, size) => {
        const shown = guarded(said.match(new RegExp(`.{1,${size}}`, 'gsu'))!)
        assert.deepEqual(
          [...widgetLinks(shown).filter((link) => !isAllowed(link)), ...foreignWords(shown)],
          [],
          shown,
        )
      }),
      { numRuns: 5_000 },
    )
  })
})
