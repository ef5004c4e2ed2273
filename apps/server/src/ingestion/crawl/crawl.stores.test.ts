import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { page, startCrawling, startPages } from '../../../test/crawling.ts'
import { makePdf, type PlacedText } from '../../../test/files/make-pdf.ts'
import type { Tables } from '../../database/tables.ts'

suite('a whole site as one source', () => {
  test('is read page by page, each cited by its own address', async (t) => {
    const { site, crawl, stored, ask } = await startCrawling(t, {
      '/': page(
        'Home',
        'Welcome to the zoo.',
        '/lions',
        'tigers?x=1#top',
        'https://example.com/elsewhere',
      ),
      '/lions': page('Lions', 'Lions sleep twenty hours each day.', '/', '/lions#more'),
      '/tigers?x=1': page('Tigers', 'Tigers swim very well.', '/deep/one'),
      '/deep/one': page(
        'Deep',
        'Penguins waddle at noon.',
        '/style.css',
        '/logo.png',
        'mailto:a@b.c',
      ),
    })
    const source = await crawl()
    assert.equal(source.status, 'success')
    assert.equal(source.title, 'Home')
    assert.ok(source.tokens > 10 && source.file_size > 400)
    assert.deepEqual(await stored(), ['/', '/deep/one', '/lions', '/tigers?x=1'])
    const meta = JSON.parse(source.meta_json)
    assert.equal(meta.progress.percent, 100)
    assert.equal(meta.progress.indexed, 4)
    const counts = Map.groupBy(site.requests, ({ path }) => path)
    for (const [path, asked] of counts) assert.equal(asked.length, 1, `${path} is asked for once`)

    const { text, receipts } = await ask('When do penguins waddle?')
    assert.equal(text, 'Penguins waddle at noon. [1.1]')
    assert.equal(receipts[0]!.url, `${site.origin}/deep/one`)
  })

  test('fetches nothing again that did not change, takes what did, and forgets what is gone', async (t) => {
    const { site, crawl, again, stored, ask } = await startCrawling(t, {
      '/': page('Home', 'Welcome.', '/a', '/b', '/c'),
      '/a': page('A', 'The aardvark eats ants.', '/d'),
      '/b': page('B', 'The badger digs burrows.'),
      '/c': page('C', 'The camel carries cargo.'),
      '/d': page('D', 'The donkey drinks dew.'),
    })
    const { uuid } = await crawl()
    const second = JSON.parse((await again(uuid)).meta_json)
    assert.equal(second.final_url, `${site.origin}/`)
    assert.deepEqual([second.progress.indexed, second.progress.unchanged], [0, 5])
    const pages = site.requests.filter(({ path }) => !/robots|sitemap/.test(path))
    assert.ok(pages.every(({ conditional, status }) => conditional && status === 304))

    site.pages['/b'] = page('B', 'The badger now naps nightly.')
    site.pages['/'] = page('Home', 'Welcome back, friends.', '/a', '/b')
    const third = JSON.parse((await again(uuid)).meta_json)
    assert.equal(third.progress.indexed, 2)
    assert.deepEqual(await stored(), ['/', '/a', '/b', '/d'])
    assert.match((await ask('When does the badger nap?')).text, /naps nightly/)
    assert.match((await ask('What does the camel carry?')).text, /did not find/)
  })

  test('stays on its origin, heeds robots.txt, and never reaches what a redirect points at elsewhere', async (t) => {
    const { site, crawl, stored } = await startCrawling(t, {
      '/robots.txt':
        'User-agent: *\nDisallow: /private\nAllow: /private/open$\n\nUser-agent: other\nDisallow: /\n',
      '/': page(
        'Home',
        'Start.',
        '/private/x',
        '/private/open',
        '/to-internal',
        'INTERNAL/direct',
        '/loop-a',
        '/refresh',
        '/away',
      ),
      '/private/x': page('X', 'Not for robots.'),
      '/private/open': page('Open', 'This one is allowed.'),
      '/to-internal': { status: 302, headers: { location: 'INTERNAL/latest/meta-data/' } },
      '/loop-a': { status: 302, headers: { location: '/loop-b' } },
      '/loop-b': { status: 302, headers: { location: '/loop-a' } },
      '/refresh': '<meta http-equiv="refresh" content="0; url=/new-home"><p>Moved.</p>',
      '/new-home': page('New', 'The new home of things.'),
      '/away':
        '<meta http-equiv="Refresh" content="1;URL=\'INTERNAL/refreshed\'"><p>Gone away.</p>',
    })
    await crawl()
    assert.deepEqual(await stored(), ['/', '/new-home', '/private/open'])
    assert.ok(!site.requests.some(({ path }) => path === '/private/x'))
    assert.deepEqual(site.inner, [])
  })

  test('is left alone where robots.txt says so of its start, and asked again where it can’t say', async (t) => {
    const { site, crawl } = await startCrawling(t, {
      '/robots.txt': 'User-agent: *\nDisallow: /closed',
      '/closed': page('Closed', 'Nobody should read this.'),
      '/': page('Home', 'Anybody may read this.'),
    })
    const closed = await crawl({}, '/closed')
    assert.equal(closed.status, 'error:download')
    assert.match(JSON.parse(closed.meta_json).error, /robots\.txt/)
    assert.ok(!site.requests.some(({ path }) => path === '/closed'))

    let failures = 1
    site.pages['/robots.txt'] = () => (failures-- > 0 ? { status: 503 } : 'User-agent: *\nAllow: /')
    site.requests.length = 0
    assert.equal((await crawl()).status, 'success')
    assert.ok(
      site.requests.findIndex(({ path }) => path === '/') > 1,
      'after its robots.txt could be read',
    )
  })

  test('and a single page are not led on to another service of the same private host', async (t) => {
    const { site, owner, chatbot } = await startCrawling(t, {
      '/to-internal': { status: 302, headers: { location: 'INTERNAL/latest/meta-data/' } },
      '/moved': { status: 301, headers: { location: '/new' } },
      '/new': page('New', 'It moved on this very site.'),
    })
    const read = async (path: string, more: object = {}) => {
      const url = site.origin + path
      const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
        url,
        ...more,
      })
      return (await owner.settled(body.uuid)).status
    }
    assert.equal(await read('/to-internal'), 'error:download')
    assert.equal(await read('/to-internal', { crawl: {} }), 'error:download')
    assert.equal(await read('/moved'), 'success')
    assert.deepEqual(site.inner, [])
  })

  test('is bounded by pages, by depth, and by the paths that are wanted', async (t) => {
    const { crawl, site, stored } = await startCrawling(t, {
      '/': page('Home', 'Start here.', '/trap/0', '/docs/a', '/blog/b', '/docs/old/c'),
      '/trap/*': (path) => page('Trap', `Endless ${path}.`, `/trap/${Number(path.slice(6)) + 1}`),
      '/docs/a': page('A', 'About things.'),
      '/blog/b': page('B', 'Blog things.'),
      '/docs/old/c': page('C', 'Old things.'),
    })
    const many = await crawl({ max_pages: 7 })
    assert.equal(JSON.parse(many.meta_json).progress.done, 7)
    site.requests.length = 0
    await crawl({ max_depth: 1, max_pages: 50 })
    assert.ok(!site.requests.some(({ path }) => path === '/trap/1'))
    const chosen = await crawl({ include: ['/docs'], exclude: ['/docs/old', '*secret'] })
    assert.equal(JSON.parse(chosen.meta_json).progress.done, 2)
    assert.ok((await stored()).length > 0)
  })

  test('finds pages by sitemaps: nested, gzipped, pointing at themselves', async (t) => {
    const { crawl, stored, site } = await startCrawling(t, {})
    const list = (tag: string, ...urls: string[]) =>
      `<?xml version="1.0"?><${tag}set>${urls.map((url) => `<${tag}><loc>${url}</loc></${tag}>`).join('')}</${tag}set>`
    const { origin } = site
    Object.assign(site.pages, {
      '/robots.txt': `Sitemap: ${origin}/index.xml`,
      '/index.xml': list(
        'sitemap',
        `${origin}/index.xml`,
        `${origin}/part.xml.gz`,
        `${origin}/missing.xml`,
      ),
      '/part.xml.gz': {
        body: gzipSync(
          list('url', `${origin}/hidden?a=1&amp;b=2`, 'https://example.com/off', 'nonsense'),
        ),
      },
      '/': page('Home', 'No links here.'),
      '/hidden?a=1&b=2': page('Hidden', 'Only the sitemap knows.'),
    })
    await crawl()
    assert.deepEqual(await stored(), ['/', '/hidden?a=1&b=2'])
  })

  test('may hold documents, cited by their address and page', async (t) => {
    const text = (line: string): PlacedText[] => [[50, 700, line]]
    const body = makePdf([text('The first page is about apples.'), text('Pears follow later.')])
    const { site, crawl, ask } = await startCrawling(t, {
      '/': page('Home', 'Start.', '/fruit.pdf'),
      '/fruit.pdf': { headers: { 'content-type': 'application/pdf' }, body },
    })
    await crawl()
    const [{ url, page: number }] = (await ask('When do pears follow?')).receipts
    assert.deepEqual([url, number], [`${site.origin}/fruit.pdf`, 2])
  })

  test('has each text once, and leaves out what asks to be', async (t) => {
    const { crawl, stored } = await startCrawling(t, {
      '/': page(
        'Home',
        'Start.',
        '/index.html',
        '/print?of=article',
        '/article',
        '/quiet',
        '/hushed',
        '/private.txt',
        '/nothing',
        '/binary',
        '/broken',
      ),
      '/index.html': page('Home', 'Start.', '/article'),
      '/article': `<link rel="canonical" href="/the-article">${page('Article', 'All about otters.')}`,
      '/the-article': `<link rel="canonical" href="/the-article">${page('Article', 'All about otters.')}`,
      '/print?of=article': page('Article', 'All about otters.'),
      '/quiet': `<meta name="robots" content="noindex">${page('Quiet', 'Do not list me.', '/from-quiet')}`,
      '/from-quiet': page('From quiet', 'But follow me.'),
      '/hushed': {
        headers: { 'x-robots-tag': 'none' },
        body: page('Hushed', 'Neither list me nor follow me.', '/from-hushed'),
      },
      '/from-hushed': page('From hushed', 'Nothing leads here.'),
      '/private.txt': {
        headers: { 'x-robots-tag': 'noindex', 'content-type': 'text/plain' },
        body: 'A file has no other way to say it.',
      },
      '/nothing': '<script>render()</script>',
      '/binary': { body: Buffer.from([0, 1, 2, 3, 0xff, 0xfe]) },
      '/broken': { status: 500, body: 'oops' },
    })
    const source = await crawl()
    const [first, ...rest] = await stored()
    assert.equal(first, '/')
    assert.equal(rest.filter((url) => /article/.test(url)).length, 1)
    assert.deepEqual(
      rest.filter((url) => !/article/.test(url)),
      ['/from-quiet'],
    )
    const meta = JSON.parse(source.meta_json)
    assert.equal(meta.progress.failed, 2)
    const [empty, broken] = meta.page_errors
    assert.match(empty.url, /nothing$/)
    assert.match(empty.error, /needs JavaScript/)
    assert.match(broken.url, /broken$/)
    assert.match(broken.error, /\(500\)\. Docent tried 3 times\./)
  })

  test('that answers nothing says why, and one that is deleted in the middle leaves nothing', async (t) => {
    const { crawl, site, owner, chatbot, services } = await startCrawling(t, {
      '/*': (path) => page(`Page ${path}`, `Text of ${path}.`, `${path}x`),
    })
    const gone = await startPages(t, {})
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
      url: `${gone.origin}/`,
      crawl: {},
    })
    assert.equal((await owner.settled(body.uuid)).status, 'error:not found')

    const endless = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
      url: `${site.origin}/`,
      crawl: { max_pages: 5000, max_depth: 50 },
    })
    while (site.requests.length < 10) await new Promise((resolve) => setTimeout(resolve, 10))
    await owner.json('POST', `/data-source/${endless.body.uuid}/delete`)
    const asked = site.requests.length
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.ok(site.requests.length <= asked + 3, 'the crawl ends')
    const tables = ['source_pages', 'source_visits', 'source_sitemaps', 'passages', 'revisions']
    for (const table of tables as (keyof Tables)[]) {
      assert.deepEqual(await services.db.selectFrom(table).selectAll().execute(), [])
    }
    assert.equal((await crawl({ max_pages: 3 })).status, 'success')
  })

  test('refuses settings out of bounds, and keeps the schedule that was asked for', async (t) => {
    const { owner, chatbot, site, services } = await startCrawling(t, {
      '/': page('Home', 'Hello there.'),
    })
    const url = `${site.origin}/`
    for (const bad of [
      { crawl: true },
      { crawl: { max_pages: 0 } },
      { crawl: { include: 'x' } },
      { refresh_hours: 0 },
    ]) {
      const { status } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
        url,
        ...bad,
      })
      assert.equal(status, 422, JSON.stringify(bad))
    }
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
      url,
      crawl: {},
      refresh_hours: 2,
    })
    const source = await owner.settled(body.uuid)
    assert.equal(source.status, 'success')
    const before = site.requests.length
    await services.db
      .updateTable('sources')
      .set({ due_at: Date.now() })
      .where('id', '=', source.uuid)
      .execute()
    while (site.requests.length === before) await new Promise((resolve) => setTimeout(resolve, 20))
    const again = await owner.settled(source.uuid)
    assert.equal(again.status, 'success')
    const row = await services.db.selectFrom('sources').select('due_at').executeTakeFirstOrThrow()
    assert.ok(row.due_at! > Date.now() + 7_000_000, 'and is due again in two hours')
  })
})

test('a page that is empty without its scripts says so', async (t) => {
  const { owner, chatbot, site } = await startCrawling(t, {
    '/': '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>',
  })
  const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
    url: `${site.origin}/`,
  })
  const source = await owner.settled(body.uuid)
  assert.equal(source.status, 'error:no text')
  assert.match(JSON.parse(source.meta_json).error, /JavaScript/)
})
