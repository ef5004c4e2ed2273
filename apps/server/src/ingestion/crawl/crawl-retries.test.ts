import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { childrenRunning, workOf } from '../../../test/child-processes.ts'
import { page, type Reply, startCrawling } from '../../../test/crawling.ts'
import { startSite, until } from '../../../test/harness.ts'
import { DIMENSIONS, startEmbeddings } from '../../../test/local-embeddings.ts'

/** Gives these replies in turn, then repeats the last one. */
function inTurn(...replies: Reply[]): () => Reply {
  return () => (replies.length > 1 ? replies.shift()! : replies[0]!)
}

const timesAsked = (requests: { path: string }[], asked: string) =>
  requests.filter(({ path }) => path === asked).length

interface PageError {
  url: string
  error: string
  error_code: string
  error_params: object
}

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
    const errors = JSON.parse(source.meta_json).page_errors as PageError[]
    const told = new Map(errors.map(({ url, error }) => [url.replace(site.origin, ''), error]))
    assert.equal(told.get('/broken'), 'The site has a server error (502). Docent tried 3 times.')
    const broken = errors.find(({ url }) => url === `${site.origin}/broken`)
    assert.equal(broken?.error_code, 'site_trouble')
    assert.deepEqual(broken?.error_params, { status: 502, tried: 3 })
    assert.equal(told.get('/closed'), 'The site has a server error (503).')
    assert.match(told.get('/forbidden')!, /does not allow this server to read the page \(403\)/)
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
  const { error, error_code, error_params } = JSON.parse(meta_json)
  assert.match(error, /No page could be read.*install Chromium/)
  assert.equal(error_code, 'no_page_read')
  assert.deepEqual(error_params, { first: { code: 'needs_scripts' } })
  assert.equal(timesAsked(site.requests, '/'), 1)
})

suite('a crawl that can’t go on for a reason of our own', () => {
  const pages = Object.fromEntries(
    Array.from({ length: 8 }, (_, i) => [`/${i}`, page(`Page ${i}`, `It is open on day ${i}.`)]),
  )
  const home = page('Home', 'The museum is open daily.', ...Object.keys(pages))
  const all = ['/', ...Object.keys(pages)]

  test('waits for the embeddings endpoint, and goes on where it was', async (t) => {
    const local = await startEmbeddings(t)
    const environment = {
      EMBEDDINGS_URL: local.url,
      EMBEDDER: 'endpoint:test',
      EMBEDDINGS_DIMENSIONS: String(DIMENSIONS),
    }
    const { owner, services, chatbot, site, stored } = await startCrawling(
      t,
      { '/': home, ...pages },
      environment,
    )
    local.state = ({ body }) => (body.input.join().includes('day 3') ? 'down' : 'up')
    const path = `/chatbot/${chatbot}/data-source/url`
    const { uuid } = (await owner.json('POST', path, { url: site.origin, crawl: {} })).body
    const waiting = await until(async () => {
      const { body } = await owner.json('GET', `/data-source/${uuid}`)
      return JSON.parse(body.meta_json).waiting as string | undefined
    })
    assert.match(waiting, /embeddings endpoint .*Next attempt in 30 seconds/)
    assert.deepEqual(await stored(), all.slice(0, 4))

    local.state = () => 'up'
    site.requests.length = 0
    await services.db.updateTable('sources').set({ due_at: 1 }).execute()
    const { status, meta_json } = await owner.settled(uuid)
    assert.equal(status, 'success')
    assert.deepEqual(await stored(), all)
    const { indexed, unchanged, failed } = JSON.parse(meta_json).progress
    assert.deepEqual({ indexed, unchanged, failed }, { indexed: 5, unchanged: 4, failed: 0 })
  })

  test('reads a page again when the process that read it was killed', async (t) => {
    let isKilled = false
    const deep = () => (isKilled ? page('Deep', 'It is deep.') : '<b>'.repeat(1_000_000))
    const { crawl, stored } = await startCrawling(t, {
      '/': page('Home', 'The museum is open daily.', '/deep', '/0'),
      '/deep': deep,
      '/0': pages['/0']!,
    })
    const killing = until(() => {
      const [busy] = childrenRunning(process.pid, 'document-worker').filter(
        (id) => workOf(id) > 150,
      )
      if (busy === undefined) return undefined
      isKilled = true
      process.kill(busy, 'SIGKILL')
      return true
    })
    const { meta_json } = await crawl()
    await killing
    assert.deepEqual(JSON.parse(meta_json).page_errors, [])
    assert.deepEqual(await stored(), ['/', '/0', '/deep'])
  })
})
