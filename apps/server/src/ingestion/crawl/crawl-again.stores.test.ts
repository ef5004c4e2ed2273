import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { page, startCrawling } from '../../../test/crawling.ts'
import { Client, startSite, temporaryFolder } from '../../../test/harness.ts'
import { readConfig } from '../../config.ts'
import { startServer } from '../../main.ts'

const canonical = (href: string, html: string) => `<link rel="canonical" href="${href}">${html}`

/** Paths that were sent again in full. Every crawl requests robots.txt. */
const fetched = (requests: { path: string; status: number }[]) =>
  requests
    .filter(({ path, status }) => status === 200 && path !== '/robots.txt')
    .map(({ path }) => path)

const progressOf = (source: { meta_json: string }) => JSON.parse(source.meta_json).progress

suite('a second crawl', () => {
  test('fetches nothing that did not change, whatever there was at an address', async (t) => {
    const { site, crawl, again, stored } = await startCrawling(t, {
      '/': { status: 301, headers: { location: '/welcome' } },
      '/welcome': page('Home', 'Start.', '/article?from=home', '/copy', '/quiet', '/old', '/file'),
      '/article?from=home': canonical('/article', page('Article', 'All about otters.', '/deep')),
      '/copy': page('Article', 'All about otters.', '/behind-copy'),
      '/quiet': `<meta name="robots" content="noindex">${page('Quiet', 'Do not list me.', '/behind-quiet')}`,
      '/old': '<meta http-equiv="refresh" content="0; url=/new"><p>Moved.</p>',
      '/new': page('New', 'The new home of things.'),
      '/file': { body: Buffer.from([0, 1, 2, 3, 0xff, 0xfe]) },
      '/deep': page('Deep', 'Otters dive deep.'),
      '/behind-copy': page('Behind a copy', 'Beavers build dams.'),
      '/behind-quiet': page('Behind the quiet one', 'Badgers dig.'),
    })
    const { origin } = site
    site.pages['/sitemap.xml'] =
      `<sitemapindex><sitemap><loc>${origin}/pages.xml</loc></sitemap></sitemapindex>`
    site.pages['/pages.xml'] = `<urlset><url><loc>${origin}/listed</loc></url></urlset>`
    site.pages['/listed'] = page('Listed', 'Only the sitemap knows.')
    const { uuid } = await crawl()
    const all = [
      '/article',
      '/behind-copy',
      '/behind-quiet',
      '/deep',
      '/listed',
      '/new',
      '/welcome',
    ]
    assert.deepEqual(await stored(), all)
    for (let run = 0; run < 2; run++) {
      const progress = progressOf(await again(uuid))
      assert.deepEqual(fetched(site.requests), [])
      assert.deepEqual([progress.indexed, progress.unchanged], [0, all.length])
      assert.deepEqual(await stored(), all)
    }
    site.pages['/article?from=home'] = canonical('/article', page('Article', 'Otters have moved.'))
    assert.equal(progressOf(await again(uuid)).indexed, 2, 'the article, and what it was a copy of')
    assert.deepEqual(await stored(), [
      '/article',
      '/behind-copy',
      '/behind-quiet',
      '/copy',
      '/listed',
      '/new',
      '/welcome',
    ])
  })

  test('from a start that leads on by itself fetches nothing either', async (t) => {
    const { site, crawl, again, stored } = await startCrawling(t, {
      '/': '<meta http-equiv="refresh" content="0; url=/en/"><p>Choose a language.</p>',
      '/en/': page('English', 'This is the English part.', '/', '/en/more'),
      '/en/more': page('More', 'There is more of it.'),
    })
    const { uuid } = await crawl()
    assert.deepEqual(await stored(), ['/en/', '/en/more'])
    await again(uuid)
    assert.deepEqual(fetched(site.requests), [])
    assert.deepEqual(await stored(), ['/en/', '/en/more'])
  })

  test('that gets a page in full and finds the same text in it keeps what it has', async (t) => {
    const { crawl, again, services } = await startCrawling(t, {
      '/': { headers: { etag: '' }, body: page('Home', 'The same as ever.') },
    })
    const { uuid } = await crawl()
    const passages = () => services.db.selectFrom('passages').select('id').execute()
    const before = await passages()
    const progress = progressOf(await again(uuid))
    assert.deepEqual([progress.indexed, progress.unchanged], [0, 1])
    assert.deepEqual(await passages(), before)
  })

  test('loses neither a page that fails for now, nor what is found by it alone', async (t) => {
    const { site, crawl, again, stored } = await startCrawling(t, {
      '/': page('Home', 'Start.', '/shelf'),
      '/shelf': page('Shelf', 'Books by their names.', '/book'),
      '/book': page('Book', 'Once upon a time.'),
      '/listed': page('Listed', 'Only the sitemap knows.'),
    })
    site.pages['/sitemap.xml'] = `${site.origin}/listed`
    const { uuid } = await crawl()
    const all = ['/', '/book', '/listed', '/shelf']
    assert.deepEqual(await stored(), all)
    for (const status of [500, 403]) {
      for (const path of ['/shelf', '/sitemap.xml']) {
        const working = site.pages[path]!
        site.pages[path] = { status }
        await again(uuid)
        assert.deepEqual(await stored(), all, `${path} is in trouble`)
        site.pages[path] = working
      }
    }
    delete site.pages['/sitemap.xml']
    await again(uuid)
    assert.deepEqual(await stored(), ['/', '/book', '/shelf'])
    delete site.pages['/shelf']
    await again(uuid)
    assert.deepEqual(await stored(), ['/'])
  })

  test('forgets what it knew of addresses that nothing leads to any more', async (t) => {
    const { site, crawl, again, services } = await startCrawling(t, {
      '/': page('Home', 'Start.', '/a', '/b'),
      '/a': page('A', 'One.'),
      '/b': page('A', 'One.'),
    })
    const { uuid } = await crawl()
    const visits = async () =>
      (await services.db.selectFrom('source_visits').select('url').orderBy('url').execute()).map(
        ({ url }) => url.replace(site.origin, ''),
      )
    assert.deepEqual(await visits(), ['/', '/a', '/b'])
    site.pages['/'] = page('Home', 'Start again.', '/a')
    await again(uuid)
    assert.deepEqual(await visits(), ['/', '/a'])
  })
})

test('a crawl that a stop cut short goes on where it was', async (t) => {
  const reached = Promise.withResolvers<void>()
  const asked: { path: string; again: boolean }[] = []
  let isHeld = true
  const site = await startSite(t, ({ url, headers }, response) => {
    const number = Number(url!.slice(1))
    asked.push({ path: url!, again: headers['if-none-match'] === `"${url}"` })
    if (Number.isNaN(number) || number > 9) response.writeHead(404).end()
    else if (number === 5 && isHeld) reached.resolve()
    else if (asked.at(-1)!.again) response.writeHead(304).end()
    else {
      response.writeHead(200, { 'content-type': 'text/html', etag: `"${url}"` })
      response.end(page(`Page ${number}`, `This is number ${number}.`, `/${number + 1}`))
    }
  })
  const config = readConfig({
    DATA_DIR: temporaryFolder(t),
    PORT: '0',
    LOG_LEVEL: 'silent',
    ALLOW_PRIVATE_HOSTS: '127.0.0.1',
  })
  const first = await startServer(config)
  const before = new Client(first.address, first.firstToken!)
  const chatbot = await before.createChatbot()
  const { body } = await before.json('POST', `/chatbot/${chatbot}/data-source/url`, {
    url: `${site}/0`,
    crawl: {},
  })
  await reached.promise
  await first.stop(0)
  isHeld = false
  asked.length = 0

  const second = await startServer(config)
  t.after(() => second.stop(0))
  const source = await new Client(second.address, before.token).settled(body.uuid)
  assert.equal(source.status, 'success', source.meta_json)
  assert.deepEqual(
    asked.filter(({ again }) => again).map(({ path }) => path),
    ['/0', '/1', '/2', '/3', '/4'],
  )
  const { progress } = JSON.parse(source.meta_json)
  assert.deepEqual([progress.unchanged, progress.indexed], [5, 5])
})
