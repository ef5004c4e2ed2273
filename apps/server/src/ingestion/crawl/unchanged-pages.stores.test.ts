import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { page, startCrawling } from '../../../test/crawling.ts'
import { startSite, until } from '../../../test/harness.ts'
import {
  DIMENSIONS,
  type LocalEmbeddings,
  startEmbeddings,
} from '../../../test/local-embeddings.ts'

const REPORT = page('Hours', 'The house is open from 9 to 17.')

/** A site and a server, with a local embeddings endpoint whose requests are counted. */
async function startCounting(t: TestContext, pages: Parameters<typeof startCrawling>[1]) {
  const embeddings = await startEmbeddings(t)
  const crawling = await startCrawling(t, pages, {
    EMBEDDER: 'endpoint:test',
    EMBEDDINGS_URL: embeddings.url,
    EMBEDDINGS_DIMENSIONS: String(DIMENSIONS),
  })
  const { site, services, again } = crawling
  /** Reads the source again and returns the request to the site and the number of embedded texts. */
  const readAgain = async (uuid: string, url = '/') => {
    const before = embedded(embeddings)
    const source = await again(uuid)
    assert.equal(source.status, 'success', source.meta_json)
    const asked = site.requests.find(({ path }) => path === url)
    return { source, asked, embedded: embedded(embeddings) - before }
  }
  const texts = async () => {
    const shown = services.db.selectFrom('passages').select(['lead', 'text']).orderBy('position')
    return (await shown.execute()).map(({ lead, text }) => `${lead}: ${text}`)
  }
  /** As if another version had written it. */
  const setReader = (reader: string) =>
    services.db.updateTable('source_visits').set({ reader }).execute()
  const setLead = (lead: string) => services.db.updateTable('passages').set({ lead }).execute()
  return { ...crawling, embeddings, readAgain, texts, setReader, setLead }
}

function embedded({ requests }: LocalEmbeddings): number {
  return requests.reduce((sum, { body }) => sum + body.input.length, 0)
}

suite('a page that has not changed', () => {
  test('is not sent again, and not embedded again', async (t) => {
    const { site, read, readAgain, texts, ask } = await startCounting(t, { '/': REPORT })
    const { uuid, title, tokens, file_size } = await read('/')
    const before = await texts()
    const { source, asked, embedded } = await readAgain(uuid)
    assert.deepEqual([asked?.status, embedded], [304, 0])
    assert.deepEqual([source.title, source.tokens, source.file_size], [title, tokens, file_size])
    assert.equal(JSON.parse(source.meta_json).final_url, `${site.origin}/`)
    assert.deepEqual(await texts(), before)
    assert.match((await ask('When is the house open?')).text, /from 9 to 17/)

    site.pages['/'] = page('Hours', 'The house is open from 10 to 18.')
    const changed = await readAgain(uuid)
    assert.deepEqual([changed.asked?.status, changed.embedded], [200, 1])
    assert.deepEqual(await texts(), ['Hours: The house is open from 10 to 18.'])
    assert.equal((await readAgain(uuid)).asked?.status, 304)
  })

  test('is known by its date as well', async (t) => {
    const date = 'Wed, 21 Oct 2015 07:28:00 GMT'
    const asked: (string | undefined)[] = []
    const origin = await startSite(t, ({ headers }, response) => {
      asked.push(headers['if-modified-since'])
      const isKnown = headers['if-modified-since'] === date
      response.writeHead(isKnown ? 304 : 200, { 'last-modified': date })
      response.end(isKnown ? undefined : 'The house is open.')
    })
    const { read, readAgain } = await startCounting(t, {})
    const { uuid } = await read(`${origin}/`)
    assert.equal((await readAgain(uuid)).embedded, 0)
    assert.deepEqual(asked, [undefined, date])
  })

  test('is not embedded again where its site can’t tell', async (t) => {
    const sent = (body: string) => ({ headers: { etag: '' }, body })
    const { site, read, readAgain, texts } = await startCounting(t, { '/': sent(REPORT) })
    const { uuid } = await read('/')
    const { asked, embedded } = await readAgain(uuid)
    assert.deepEqual([asked?.conditional, asked?.status, embedded], [false, 200, 0])
    // Every passage has the title in its lead, so a new title changes the passages.
    site.pages['/'] = sent(REPORT.replace('Hours', 'Visit'))
    const changed = await readAgain(uuid)
    assert.deepEqual([changed.source.title, changed.embedded], ['Visit', 1])
    assert.deepEqual(await texts(), ['Visit: The house is open from 9 to 17.'])
  })

  test('is read anew by another reader, and stored anew if it comes out otherwise', async (t) => {
    const { read, readAgain, texts, setReader, setLead } = await startCounting(t, { '/': REPORT })
    const { uuid } = await read('/')
    await setReader('another')
    const same = await readAgain(uuid)
    assert.deepEqual([same.asked?.conditional, same.embedded], [false, 0])
    assert.equal((await readAgain(uuid)).asked?.status, 304)

    await setReader('another')
    await setLead('As it was read once')
    const other = await readAgain(uuid)
    assert.deepEqual([other.asked?.conditional, other.embedded], [false, 1])
    assert.deepEqual(await texts(), ['Hours: The house is open from 9 to 17.'])
  })

  test('is another one after its address has led elsewhere', async (t) => {
    const { site, read, readAgain, texts } = await startCounting(t, {
      '/': REPORT,
      '/new': page('New', 'The house has moved.'),
    })
    const { uuid } = await read('/')
    site.pages['/'] = { status: 302, headers: { location: '/new' } }
    await readAgain(uuid)
    assert.deepEqual(await texts(), ['New: The house has moved.'])
    assert.equal((await readAgain(uuid, '/new')).asked?.status, 304)
    site.pages['/'] = REPORT
    assert.deepEqual((await readAgain(uuid)).asked?.status, 200)
    assert.deepEqual(await texts(), ['Hours: The house is open from 9 to 17.'])
  })

  test('and asks not to be found now, is refused', async (t) => {
    let tag = 'all'
    const { read, again } = await startCounting(t, {
      '/': () => ({ headers: { 'x-robots-tag': tag }, body: REPORT }),
    })
    const { uuid } = await read('/')
    tag = 'noindex'
    assert.match(JSON.parse((await again(uuid)).meta_json).error, /asks not to be indexed/)
  })
})

test('a page whose reading was not finished is fetched in full the next time', async (t) => {
  const { site, services, owner, embeddings, read, texts } = await startCounting(t, { '/': REPORT })
  const { uuid } = await read('/')
  embeddings.state = () => 'down'
  site.pages['/'] = page('Hours', 'The house is open from 10 to 18.')
  await owner.json('POST', '/data-sources/url/re-scrape', { uuids: [uuid] })
  const get = async () => (await owner.json('GET', `/data-source/${uuid}`)).body
  await until(async () => JSON.parse((await get()).meta_json).waiting)
  assert.deepEqual(await texts(), ['Hours: The house is open from 9 to 17.'])

  embeddings.state = () => 'up'
  await services.db.updateTable('sources').set({ due_at: 1 }).execute()
  services.sourceWakeSignal.wake()
  assert.equal((await owner.settled(uuid)).status, 'success')
  assert.deepEqual(await texts(), ['Hours: The house is open from 10 to 18.'])
})

test('a page of a site is read anew by another reader, and stored anew if it comes out otherwise', async (t) => {
  const { read, readAgain, texts, setReader, setLead } = await startCounting(t, {
    '/': page('Home', 'Welcome to the house.', '/hours'),
    '/hours': REPORT,
  })
  const { uuid } = await read('/', { crawl: {} })
  const before = await texts()
  const known = await readAgain(uuid, '/hours')
  assert.deepEqual([known.asked?.status, known.embedded], [304, 0])

  await setReader('another')
  const same = await readAgain(uuid, '/hours')
  assert.deepEqual([same.asked?.conditional, same.embedded], [false, 0])
  assert.equal(JSON.parse(same.source.meta_json).progress.unchanged, 2)

  await setReader('another')
  await setLead('As it was read once')
  const other = await readAgain(uuid, '/hours')
  assert.deepEqual([other.asked?.conditional, other.embedded], [false, 2])
  assert.deepEqual((await texts()).sort(), before.sort())
  assert.equal((await readAgain(uuid, '/hours')).asked?.status, 304)
})
