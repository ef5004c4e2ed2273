import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { page, type Reply, startCrawling } from './crawling.ts'
import { startSite } from './harness.ts'

/** Answers with each of these in turn, and goes on with the last one. */
function inTurn(...replies: Reply[]): () => Reply {
  return () => (replies.length > 1 ? replies.shift()! : replies[0]!)
}

const timesAsked = (requests: { path: string }[], asked: string) =>
  requests.filter(({ path }) => path === asked).length

suite('a page of a site that fails for now', () => {
  test('is asked again, while others have their turn', async (t) => {
    const { site, crawl, stored } = await startCrawling(t, {
      '/': page('Home', 'Start.', '/shaky', '/steady'),
      '/shaky': inTurn({ status: 503 }, { status: 500 }, page('Shaky', 'Here after all.')),
      '/steady': page('Steady', 'Always here.'),
    })
    const source = await crawl()
    assert.deepEqual(await stored(), ['/', '/shaky', '/steady'])
    const { progress, page_errors } = JSON.parse(source.meta_json)
    assert.deepEqual([progress.done, progress.indexed, progress.failed], [3, 3, 0])
    assert.deepEqual(page_errors, [])
    const order = site.requests.map(({ path }) => path).filter((path) => /sha|stea/.test(path))
    assert.deepEqual(order, ['/shaky', '/steady', '/shaky', '/shaky'])
  })

  test('three times is told of, and so is one that asks for longer than a crawl can wait', async (t) => {
    const { site, crawl } = await startCrawling(t, {
      '/': page('Home', 'Start.', '/broken', '/closed', '/forbidden'),
      '/broken': { status: 502 },
      '/closed': { status: 503, headers: { 'retry-after': '3600' } },
      '/forbidden': { status: 403 },
    })
    const source = await crawl()
    assert.equal(source.status, 'success')
    const errors = JSON.parse(source.meta_json).page_errors as { url: string; error: string }[]
    const told = new Map(errors.map(({ url, error }) => [url.replace(site.origin, ''), error]))
    assert.equal(
      told.get('/broken'),
      'The site has trouble of its own (502). It was tried 3 times.',
    )
    assert.equal(told.get('/closed'), 'The site has trouble of its own (503).')
    assert.match(told.get('/forbidden')!, /does not let this server read the page \(403\)/)
    assert.equal(timesAsked(site.requests, '/broken'), 3)
    assert.equal(timesAsked(site.requests, '/closed'), 1)
    assert.equal(timesAsked(site.requests, '/forbidden'), 1)
  })

  test('because it is asked too often leaves the whole site alone for as long as it says', async (t) => {
    const times: { path: string; at: number }[] = []
    const { crawl, stored, site } = await startCrawling(t, {})
    const busy = inTurn({ status: 429, headers: { 'retry-after': '2' } }, page('Busy', 'At last.'))
    const note = (path: string, reply: () => Reply) => () => {
      times.push({ path, at: Date.now() })
      return reply()
    }
    Object.assign(site.pages, {
      '/': page('Home', 'Start.', '/busy', '/next'),
      '/busy': note('/busy', busy),
      '/next': note('/next', () => page('Next', 'Me, too.')),
    })
    await crawl()
    assert.deepEqual(await stored(), ['/', '/busy', '/next'])
    const [refused, ...after] = times
    assert.equal(refused!.path, '/busy')
    assert.ok(after.every(({ at }) => at - refused!.at >= 1_990))
  })

  test('because it was cut half way is asked again', async (t) => {
    let visits = 0
    const half = page('Half', 'A page with a beginning and an end.')
    const origin = await startSite(t, ({ url }, response) => {
      response.setHeader('content-type', 'text/html')
      if (url === '/half' && visits++ === 0) {
        response.setHeader('content-length', half.length)
        response.write(half.slice(0, 40), () => response.destroy())
      } else if (url === '/half') response.end(half)
      else if (url === '/') response.end(page('Home', 'Start.', '/half'))
      else response.writeHead(404).end()
    })
    const { read } = await startCrawling(t, {})
    const source = await read(origin, { crawl: {} })
    assert.equal(JSON.parse(source.meta_json).progress.indexed, 2)
    assert.equal(visits, 2)
  })
})

test('a site of which no page can be read says why, in the words of the first one', async (t) => {
  const { site, read } = await startCrawling(t, {
    '/': '<!doctype html><title>App</title><div id="root"></div><script src="/app.js"></script>',
  })
  const { status, meta_json } = await read('/', { crawl: {} })
  assert.equal(status, 'error:no text')
  assert.match(JSON.parse(meta_json).error, /No page could be read.*install Chromium/)
  assert.equal(timesAsked(site.requests, '/'), 1)
})
