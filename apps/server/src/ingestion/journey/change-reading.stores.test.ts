import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { page, startCrawling } from '../../../test/crawling.ts'
import { startSite, startTestServer } from '../../../test/harness.ts'

const HOUR_MS = 3_600_000
const limits = { max_pages: 1, max_depth: 3, include: [], exclude: ['/old'] }

const metaOf = (source: { meta_json: string }) => JSON.parse(source.meta_json)

/** A site of three pages, of which the first was read, and a function that changes its settings. */
async function startReading(t: Parameters<typeof startCrawling>[0]) {
  const crawling = await startCrawling(t, {
    '/': page('Home', 'Start.', '/a', '/b'),
    '/a': page('A', 'Apples are red.'),
    '/b': page('B', 'Bears are brown.'),
  })
  const { owner, services, crawl } = crawling
  const { uuid } = await crawl(limits)
  const change = (body: unknown, of = uuid, caller = owner) =>
    caller.json('POST', `/data-source/${of}/url/update`, body)
  const dueIn = async () => {
    const columns = ['due_at', 'id'] as const
    const query = services.db.selectFrom('sources').select(columns).where('id', '=', uuid)
    const { due_at } = await query.executeTakeFirstOrThrow()
    return due_at === null ? null : Math.round((due_at - Date.now()) / HOUR_MS)
  }
  return { ...crawling, uuid, change, dueIn }
}

suite('how a site is read can be changed', () => {
  test('in what is named, from the next crawl on, and nothing that was read is lost', async (t) => {
    const { site, uuid, change, again, stored } = await startReading(t)
    const { status, body } = await change({ crawl: { max_pages: 10, exclude: ['/b'] } })
    assert.equal(status, 200)
    assert.equal(body.uuid, uuid)
    assert.equal(body.status, 'success')
    const changed = { max_pages: 10, max_depth: 3, include: [], exclude: ['/b'] }
    assert.deepEqual(metaOf(body).crawl, changed)
    assert.equal(metaOf(body).url, `${site.origin}/`)
    assert.deepEqual(await stored(), ['/'])
    assert.deepEqual(metaOf(await again(uuid)).crawl, changed)
    assert.deepEqual(await stored(), ['/', '/a'])
    assert.deepEqual(
      metaOf((await change({})).body).crawl,
      changed,
      'nothing named, nothing changed',
    )
  })

  test('in when it is read again, at once or never by itself', async (t) => {
    const { change, dueIn } = await startReading(t)
    assert.equal(await dueIn(), null)
    for (const [refresh_hours, due] of [
      [48, 48],
      [24, 24],
      // The planned read stays as it is. The new interval applies after it.
      [72, 24],
      [null, null],
    ] as const) {
      const { body } = await change({ refresh_hours })
      assert.equal(metaOf(body).refresh_hours, refresh_hours ?? undefined)
      assert.equal('refresh_hours' in metaOf(body), refresh_hours !== null)
      assert.equal(await dueIn(), due)
    }
    await change({ refresh_hours: 5 })
    await change({ crawl: { max_pages: 2 } })
    assert.equal(await dueIn(), 5, 'limits leave the time alone')
  })

  test('by two at once, both of whom have their way', async (t) => {
    const { owner, uuid, change } = await startReading(t)
    const changes = [
      { crawl: { max_pages: 7 } },
      { crawl: { max_depth: 2 } },
      { crawl: { include: ['/a'] } },
      { crawl: { exclude: [] }, refresh_hours: 12 },
    ]
    const replies = await Promise.all(changes.map((body) => change(body)))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    const { body } = await owner.json('GET', `/data-source/${uuid}`)
    const { crawl, refresh_hours } = metaOf(body)
    const all = { max_pages: 7, max_depth: 2, include: ['/a'], exclude: [] }
    assert.deepEqual([crawl, refresh_hours], [all, 12])
  })

  test('but not by others, not with what is no limit, and only of sites', async (t) => {
    const { owner, stranger, chatbot, uuid, change, read } = await startReading(t)
    assert.equal((await change({ refresh_hours: 1 }, uuid, stranger)).status, 404)
    for (const wrong of [
      { crawl: { max_pages: '7' } },
      { crawl: { max_pages: 0 } },
      { crawl: { max_pages: null } },
      { crawl: { max_depth: 51 } },
      { crawl: { include: '/a' } },
      { crawl: { exclude: [''] } },
      { crawl: null },
      { refresh_hours: 0 },
      { refresh_hours: 1.5 },
      { refresh_hours: '24' },
    ]) {
      const { status, body } = await change(wrong)
      assert.equal(status, 422, JSON.stringify(wrong))
      assert.equal(body.details[0].loc[1], Object.keys(wrong)[0])
    }
    const pair = await owner.createPair(chatbot, 'When?', 'Now.')
    const ofPair = await change({ refresh_hours: 1 }, pair)
    assert.equal(ofPair.status, 422)
    assert.match(ofPair.body.error, /only pages and sites/)
    const single = await read('/a')
    const ofPage = await change({ crawl: { max_pages: 5 }, refresh_hours: 1 }, single.uuid)
    assert.equal(ofPage.status, 422)
    assert.deepEqual(ofPage.body.details[0].loc, ['body', 'crawl'])
    const daily = await change({ refresh_hours: 24 }, single.uuid)
    assert.deepEqual([daily.status, metaOf(daily.body).refresh_hours], [200, 24])
    const untouched = metaOf((await owner.json('GET', `/data-source/${uuid}`)).body)
    assert.deepEqual([untouched.crawl, untouched.refresh_hours], [limits, undefined])
  })
})

suite('what could not be read', () => {
  test('is tried again when it would have been read again, and serves as it was until then', async (t) => {
    const { address, owner, chatbot, site, services, ...reading } = await startReading(t)
    const { uuid, change, dueIn } = reading
    await change({ refresh_hours: 5 })
    const home = site.pages['/']!
    delete site.pages['/']
    const comeDue = async () => {
      site.requests.length = 0
      await services.db.updateTable('sources').set({ due_at: Date.now() }).execute()
      while (site.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      return owner.settled(uuid)
    }
    const failed = await comeDue()
    assert.equal(failed.status, 'error:not found')
    assert.equal(await dueIn(), 5)
    const asked = { query: 'Start' }
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/search`, asked)
    assert.equal(body.length, 1)
    const metrics = await fetch(`${address}/metrics`)
    assert.match(await metrics.text(), /^docent_queue_depth 0$/m, 'nobody has to wait for it')

    assert.equal((await change({ refresh_hours: 3 })).body.status, failed.status)
    assert.equal(await dueIn(), 3)
    site.pages['/'] = home
    assert.equal((await comeDue()).status, 'success')
    assert.equal(await dueIn(), 3)
  })

  test('is not tried again where nobody asked for it', async (t) => {
    const { site, again, uuid, change, dueIn } = await startReading(t)
    delete site.pages['/']
    assert.equal((await again(uuid)).status, 'error:not found')
    assert.equal(await dueIn(), null)
    await change({ refresh_hours: 3 })
    assert.equal(await dueIn(), 3)
    await change({ refresh_hours: null })
    assert.equal(await dueIn(), null)
  })
})

test('a crawl that is under way goes on as it began and keeps what was changed meanwhile', async (t) => {
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const site = await startSite(t, async ({ url }, response) => {
    const number = Number(url!.slice(1))
    if (Number.isNaN(number)) return void response.writeHead(404).end()
    if (number === 1) {
      reached.resolve()
      await goOn.promise
    }
    response.setHeader('content-type', 'text/html')
    response.end(page(`Page ${number}`, `This is number ${number}.`, `/${number + 1}`))
  })
  const environment = { ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  const { owner, services } = await startTestServer(t, { environment })
  const chatbot = await owner.createChatbot()
  const given = { url: `${site}/0`, crawl: { max_pages: 3 }, refresh_hours: 100 }
  const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, given)
  await reached.promise
  const change = { crawl: { max_pages: 5 }, refresh_hours: 10 }
  await owner.json('POST', `/data-source/${body.uuid}/url/update`, change)
  goOn.resolve()
  const first = metaOf(await owner.settled(body.uuid))
  assert.equal(first.progress.indexed, 3)
  assert.deepEqual([first.crawl.max_pages, first.refresh_hours], [5, 10])
  const { due_at } = await services.db
    .selectFrom('sources')
    .select('due_at')
    .executeTakeFirstOrThrow()
  assert.equal(Math.round((due_at! - Date.now()) / HOUR_MS), 10)

  await owner.json('POST', `/data-source/${body.uuid}/retry`)
  const { indexed, unchanged } = metaOf(await owner.settled(body.uuid)).progress
  assert.deepEqual([indexed, unchanged], [2, 3])
})
