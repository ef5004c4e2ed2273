import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Pages, page, startCrawling } from '../../../test/crawling.ts'

// All other requests wait while the thread works on a single site.
const MOST_MS = 1_500

function lines(count: number, line: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => line(i)).join('\n')
}

function file(body: string): { body: Buffer } {
  return { body: Buffer.from(body) }
}

/** The longest time without a turn for others, in CPU time of the thread, because the machine may be busy. */
function watchTurns() {
  let longest = 0
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    longest = Math.max(longest, process.threadCpuUsage(before).user / 1000)
    before = process.threadCpuUsage()
  }, 1)
  return () => {
    clearInterval(timer)
    return longest
  }
}

/** Crawls a site of two pages and these files. */
async function crawlWith(t: TestContext, files: (origin: string) => Pages, settings: object = {}) {
  const { crawl, stored, site } = await startCrawling(t, {
    '/': page('Home', 'The museum is open daily.'),
    '/hidden': page('Hidden', 'Only the sitemap knows it.'),
  })
  Object.assign(site.pages, files(site.origin))
  const longestTurn = watchTurns()
  const { status, meta_json } = await crawl(settings)
  const ms = longestTurn()
  assert.equal(status, 'success', meta_json)
  assert.ok(ms < MOST_MS, `everybody waited for ${ms} ms`)
  return stored()
}

suite('a site holds nobody else up', () => {
  test('by a sitemap that is nested deeply', async (t) => {
    const sitemap = { body: gzipSync('<a>'.repeat(200_000)) }
    assert.deepEqual(await crawlWith(t, () => ({ '/sitemap.xml': sitemap })), ['/'])
  })

  test('by a sitemap that unpacks to millions of lines', async (t) => {
    const [addresses, words] = ['https:\n'.repeat(6_000_000), 'a\n'.repeat(20_000_000)]
    const packed = [addresses, words].map((text) => ({ body: gzipSync(text) }))
    const pages = await crawlWith(t, (origin) => ({
      '/robots.txt': file(lines(3, (i) => `Sitemap: ${origin}/${i}.gz`)),
      '/0.gz': packed[0]!,
      '/1.gz': packed[1]!,
      '/2.gz': file(`${origin}/hidden`),
    }))
    assert.deepEqual(pages, ['/', '/hidden'])
  })

  test('by addresses without an end', async (t) => {
    const long = 'x'.repeat(4_000_000)
    const pages = await crawlWith(t, (origin) => ({
      '/sitemap.xml': file(`<a><loc>${origin}/${long}</loc><loc>${origin}/hidden</loc></a>`),
      '/': file(page('Home', 'The museum is open daily.', `/${long}`)),
    }))
    assert.deepEqual(pages, ['/', '/hidden'])
  })

  for (const [what, rules] of [
    ['the same rule over and over', lines(40_000, () => 'Disallow:/p')],
    ['many rules', lines(35_000, (i) => `Disallow:/${i}x`)],
    ['many rules with stars', lines(30_000, (i) => `Disallow:/*${i}x$`)],
    ['rules of all lengths', lines(900, (i) => `Disallow:/p${'p'.repeat(i)}`)],
  ] as const) {
    test(`by a robots.txt with ${what}, and a sitemap to compare it with`, async (t) => {
      const files = (origin: string) => ({
        '/robots.txt': file(`User-agent:*\nAllow:/$\n${rules}\nSitemap:${origin}/list.txt`),
        '/list.txt': file(lines(50_000, (i) => `${origin}/p${i}`)),
      })
      await crawlWith(t, files, { max_pages: 2 })
    })
  }

  test('by a robots.txt that gives many rules to many', async (t) => {
    const agents = lines(20_000, (i) => `User-agent:${i}`)
    const rules = `Disallow:/hidden\n${lines(20_000, () => 'Allow:/')}`
    const pages = await crawlWith(t, (origin) => ({
      '/robots.txt': file(`${agents}\nUser-agent:*\n${rules}`),
      '/sitemap.xml': file(`${origin}/hidden`),
    }))
    assert.deepEqual(pages, ['/'])
  })
})
