import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { type Ends, startSite, startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import type { Page } from 'playwright-core'
import { assertAccessible, assertFits } from './stage/accessibility.ts'
import { consoleVisits } from './stage/browser.ts'
import { createAccount } from './stage/stage.ts'

const NARROW = { width: 390, height: 760 }

const textFile = (name: string, text: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
})

suite('sources in the console', needsChromium(), async () => {
  const server = await startTestServer(
    { after },
    { environment: { ALLOW_PRIVATE_HOSTS: '127.0.0.1', MAX_UPLOAD_MB: '1' } },
  )
  const { owner } = server
  const browser = await openBrowser({ after })
  const cookie = await createAccount(server)
  const visit = consoleVisits(browser, server.address, cookie)

  const choose = (page: Page, ...files: ReturnType<typeof textFile>[]) =>
    page.locator('input[type=file]').setInputFiles(files)
  const listSources = async (chatbot: string) =>
    (await owner.json('GET', `/chatbot/${chatbot}/data-sources`)).body
  /** Starts a site. The returned function adds it as a source and opens the source once it is read. */
  const startLamps = async (t: Ends) => {
    const site = await startSite(t, (_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<title>Lamps</title><p>Oil lamps hang in every room.')
    })
    const chatbot = await owner.createChatbot({ name: 'Lamps' })
    return async (options: object) => {
      const given = { url: `${site}/`, ...options }
      const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, given)
      await owner.settled(body.uuid)
      return `/chatbots/${chatbot}/sources/${body.uuid}`
    }
  }

  test('a file that can never be taken is not offered to be tried again, one that got lost is', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Refused' })
    const page = await visit(t, `/chatbots/${chatbot}/sources`, /413|415|ERR_|Failed to load/)
    const row = (name: string) => page.locator('.upload', { hasText: name })
    const retry = (name: string) => row(name).getByRole('button', { name: 'Try again' })
    await page.getByRole('heading', { name: 'No sources yet' }).waitFor()
    await choose(
      page,
      textFile('virus.exe', 'MZ\0\u0001\0'),
      textFile('long.txt', 'lamp '.repeat(300_000)),
    )
    await row('virus.exe').getByText('This file type is not supported.').waitFor()
    await row('long.txt').getByText('The file is larger than 1 MB.').waitFor()
    assert.deepEqual([await retry('virus.exe').count(), await retry('long.txt').count()], [0, 0])

    await page.route('**/data-source/upload', (route) => route.abort())
    await choose(page, textFile('lost.txt', 'Lamps.'))
    await row('lost.txt').getByText('Cannot reach the server.').waitFor()
    await page.unroute('**/data-source/upload')
    await retry('lost.txt').click()
    await page.getByRole('link', { name: 'lost.txt' }).waitFor()

    // A rejected file was not uploaded, so the user may choose it again.
    await choose(page, textFile('virus.exe', 'MZ\0\u0001\0'))
    await row('virus.exe').nth(1).waitFor()
    assert.equal(await page.getByText('Already uploaded').count(), 0)
  })

  test('on a phone, a name has its × beside it, and what can be done stands below the reason', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Narrow' })
    const page = await visit(t, `/chatbots/${chatbot}/sources`, /ERR_|Failed to load/)
    await page.setViewportSize(NARROW)
    await page.route('**/data-source/upload', (route) => route.abort())
    await choose(page, textFile('a-rather-long-name-of-a-file-about-lamps.txt', 'Lamps.'))
    const boxOf = async (selector: string) =>
      (await page.locator(`.upload ${selector}`).boundingBox())!
    await page.locator('.upload .button').waitFor()
    const [name, close] = [await boxOf('.upload-name'), await boxOf('.icon-button')]
    const [note, retry] = [await boxOf('.upload-note'), await boxOf('.button')]
    assert.ok(close.y < name.y + name.height && close.x >= name.x + name.width, 'beside the name')
    assert.ok(retry.y >= note.y + note.height, 'below the reason')
    await assertFits(page, 'a failed upload')
    await assertAccessible(page, 'a failed upload')
  })

  test('a file that is there already is uploaded again only when that is wanted', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Twice' })
    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    const [lions, tigers] = [textFile('lions.txt', 'Lions.'), textFile('tigers.txt', 'Tigers.')]
    await choose(page, lions, tigers)
    await page.getByRole('button', { name: /^All 2$/ }).waitFor()

    await choose(page, lions, tigers, textFile('zebras.txt', 'Zebras.'))
    await page.getByText('lions.txt, tigers.txt').waitFor()
    await page.getByText('Already uploaded with the same name and size').waitFor()
    await page.getByRole('button', { name: /^All 3$/ }).waitFor()
    await assertAccessible(page, 'files that are there already')
    await page.getByRole('button', { name: 'Close: Already uploaded' }).click()
    await page.locator('.upload').waitFor({ state: 'detached' })
    assert.equal((await listSources(chatbot)).length, 3)

    // A file of the same name with another size is a different file.
    await choose(page, lions, textFile('tigers.txt', 'Tigers swim.'))
    await page.getByRole('button', { name: /^All 4$/ }).waitFor()
    await page.getByRole('button', { name: 'Upload anyway' }).click()
    await page.getByRole('button', { name: /^All 5$/ }).waitFor()
    await page.locator('.upload').waitFor({ state: 'detached' })
  })

  test('a site that was read says how many pages it has, and how many had nothing or are gone', async (t) => {
    const pages: Record<string, string> = {
      '/': '<title>Lamps</title><p>Lamps of all kinds. <a href="/oil">Oil</a> <a href="/gas">Gas</a> <a href="/none">None</a>',
      '/oil': '<title>Oil</title><p>Oil lamps hang in every room of the house.',
      '/gas': '<title>Gas</title><p>Gas lamps stand along the whole street.',
      '/none': '<title>None</title><meta name="robots" content="noindex"><p>Not for searches.',
    }
    const site = await startSite(t, (request, response) => {
      const body = pages[request.url!]
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' })
      response.end(body)
    })
    const chatbot = await owner.createChatbot({ name: 'Site' })
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
      url: site,
      crawl: {},
    })
    await owner.settled(body.uuid)
    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    await page.locator('.source-facts').getByText('Pages: 3', { exact: true }).waitFor()

    delete pages['/gas']
    await owner.json('POST', `/data-source/${body.uuid}/retry`)
    await owner.settled(body.uuid)
    await page.reload()
    await page.locator('.source-facts').getByText('Pages: 2', { exact: true }).waitFor()
    await page.locator('.source-title').click()
    await page.getByText('Pages: 2', { exact: true }).waitFor()
    await page.getByText('Skipped: 1', { exact: true }).waitFor()
    await page.getByText('Removed: 1', { exact: true }).waitFor()
  })

  test('a page or a site says how often it is read again, and a site how far it is gone through', async (t) => {
    const add = await startLamps(t)
    const crawl = {
      max_pages: 2_500,
      max_depth: 3,
      include: ['/docs/', '/help'],
      exclude: ['/old'],
    }
    const page = await visit(t, await add({ crawl, refresh_hours: 36 }))
    const terms = page.locator('.terms > div')
    await terms.first().waitFor()
    assert.deepEqual(
      (await terms.allInnerTexts()).map((text) => text.split('\n').filter(Boolean)),
      [
        ['Automatic refresh', 'Every 36 hours'],
        ['Maximum pages', '2,500'],
        ['Maximum link depth', '3'],
        ['Include paths', '/docs/', '/help'],
        ['Exclude paths', '/old'],
      ],
    )
    await assertAccessible(page, 'how a site is read')
    await page.setViewportSize(NARROW)
    await assertFits(page, 'how a site is read')

    await page.goto(server.address + (await add({ refresh_hours: 168 })))
    await page.locator('.terms').getByText('Weekly').waitFor()
    assert.equal(await terms.count(), 1)
    await page.goto(server.address + (await add({})))
    await page.locator('.terms').getByText('Never').waitFor()
  })

  test('a page that failed says whether it still answers, and when it is tried next', async (t) => {
    let isOpen = true
    const site = await startSite(t, ({ url }, response) => {
      response.writeHead(isOpen && url === '/' ? 200 : 403, { 'content-type': 'text/html' })
      response.end('<title>Lamps</title><p>Oil lamps hang in every room.')
    })
    const chatbot = await owner.createChatbot({ name: 'Lamps' })
    const add = async (url: string, more: object = {}) => {
      const given = { url: site + url, ...more }
      const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, given)
      return (await owner.settled(body.uuid)).uuid
    }
    const read = await add('/', { refresh_hours: 24 })
    await add('/never', { refresh_hours: 24 })
    await add('/once')
    isOpen = false
    await owner.json('POST', `/data-source/${read}/retry`)
    await owner.settled(read)
    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    const row = (title: string) => page.locator('.source-row', { hasText: title })
    const still = /Answers use the version from \w+ \d+, \d{4}/
    const next = /Next attempt: \w+ \d+, \d{4}/
    await row('Lamps').getByText(still).getByText(next).waitFor()
    await row('/never').getByText(next).waitFor()
    assert.equal(await row('/never').getByText(still).count(), 0)
    assert.equal(
      await row('/once')
        .getByText(/Answers use|Next attempt/)
        .count(),
      0,
    )
    await assertAccessible(page, 'failed sources')
    await page.setViewportSize(NARROW)
    await assertFits(page, 'failed sources')
    await row('Lamps').locator('.source-title').click()
    await page.locator('.notice').getByText(still).getByText(next).waitFor()
  })

  test('how a site or a page is read is changed: only what was changed is sent, a wrong number is told at its field', async (t) => {
    const add = await startLamps(t)
    const crawl = { max_pages: 2_500, max_depth: 3, include: ['/'], exclude: [] }
    const page = await visit(t, await add({ crawl, refresh_hours: 36 }), /422/)
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/url/update')) sent.push(request.postDataJSON())
    })
    const dialog = page.getByRole('dialog', { name: 'Edit import settings' })
    const pages = dialog.getByLabel('Maximum pages')
    const again = dialog.getByLabel('Automatic refresh')
    const save = dialog.getByRole('button', { name: 'Save' })
    const open = async () => {
      await page.getByRole('button', { name: 'More: Lamps' }).click()
      await page.getByRole('menuitem', { name: 'Edit import settings' }).click()
      await dialog.waitFor()
    }
    const saved = async () => {
      await save.click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('Saved', { exact: true }).last().waitFor()
      return (await page.locator('.terms').innerText()).split('\n').filter(Boolean)
    }

    await open()
    assert.equal(await pages.inputValue(), '2500')
    assert.equal(await dialog.getByLabel('Include paths').inputValue(), '/')
    assert.equal(await again.locator('option:checked').innerText(), 'Every 36 hours')
    assert.ok(await pages.evaluate((field) => field === document.activeElement))
    assert.ok(await save.isDisabled(), 'nothing is changed')
    await assertAccessible(page, 'changing how a site is read')
    await page.setViewportSize(NARROW)
    await assertFits(page, 'changing how a site is read')
    await pages.fill('20000')
    await save.click()
    const isOver = await pages.evaluate((field: HTMLInputElement) => field.validity.rangeOverflow)
    assert.ok(isOver, 'the browser says so in its own words')
    assert.deepEqual(sent, [])
    await pages.fill('40')
    await dialog.getByLabel('Maximum link depth').fill('0')
    await dialog.getByLabel('Exclude paths').fill('/old\n/print')
    await again.selectOption('Daily')
    assert.deepEqual(await saved(), [
      ...['Automatic refresh', 'Daily', 'Maximum pages', '40'],
      ...['Maximum link depth', '0', 'Include paths', '/'],
      ...['Exclude paths', '/old', '/print'],
    ])

    await open()
    await dialog.getByLabel('Include paths').fill(`/docs\n/${'x'.repeat(500)}`)
    await save.click()
    await dialog.getByText('Include paths (2): must have at most 500 characters').waitFor()
    await dialog.getByLabel('Include paths').fill('/')
    await again.selectOption('Never')
    assert.deepEqual((await saved()).slice(0, 2), ['Automatic refresh', 'Never'])
    assert.deepEqual(sent, [
      { crawl: { max_pages: 40, max_depth: 0, exclude: ['/old', '/print'] }, refresh_hours: 24 },
      { crawl: { include: ['/docs', `/${'x'.repeat(500)}`] } },
      { refresh_hours: null },
    ])

    await page.goto(server.address + (await add({})))
    await open()
    assert.equal(await pages.count(), 0, 'a page has no limits')
    await again.selectOption('Weekly')
    assert.deepEqual(await saved(), ['Automatic refresh', 'Weekly'])
  })

  test('the list is searched by address, too, and is as it was after a look at a source', async (t) => {
    const site = await startSite(t, (request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(`<title>Page ${request.url!.length}</title><p>Oil lamps hang in every room.`)
    })
    const chatbot = await owner.createChatbot({ name: 'Searched' })
    for (const path of ['/opening', '/tickets-and-tours'])
      await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, { url: site + path })
    await owner.createPair(chatbot, 'Where are tickets?', 'At the door.')
    for (const { uuid } of await listSources(chatbot)) await owner.settled(uuid)

    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    const titles = page.locator('.source-title')
    const found = page.getByRole('link', { name: 'Page 18' })
    await titles.nth(2).waitFor()
    await page.getByRole('searchbox').pressSequentially('Tickets')
    await page.getByRole('link', { name: 'Page 8' }).waitFor({ state: 'detached' })
    assert.equal(await titles.count(), 2)
    await page.getByRole('button', { name: /^Web pages 2/ }).click()
    await page.getByRole('link', { name: 'Where are tickets?' }).waitFor({ state: 'detached' })

    const isAsItWas = async () => {
      await page.getByRole('button', { name: /^Web pages 2/, pressed: true }).waitFor()
      assert.equal(await page.getByRole('searchbox').inputValue(), 'Tickets')
      await found.waitFor()
      assert.equal(await titles.count(), 1)
    }
    await found.click()
    await page.getByRole('heading', { name: 'Page 18' }).waitFor()
    await page.getByRole('link', { name: 'All sources' }).click()
    await isAsItWas()
    await found.click()
    await page.getByRole('heading', { name: 'Page 18' }).waitFor()
    await page.goBack()
    await isAsItWas()
    await page.reload()
    await isAsItWas()

    await page.getByRole('link', { name: 'Sources', exact: true }).click()
    await titles.nth(2).waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), '')
  })

  test('several sources are read again at once, pages and pairs, and none that is being read', async (t) => {
    let isHeld = false
    const visits: string[] = []
    const site = await startSite(t, (request, response) => {
      visits.push(request.url!)
      if (isHeld && request.url === '/slow') return
      response.setHeader('content-type', 'text/html')
      response.end(`<title>Page ${request.url}</title><p>Oil lamps hang in every room.`)
    })
    const chatbot = await owner.createChatbot({ name: 'Again' })
    for (const path of ['/a', '/b', '/slow'])
      await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, { url: site + path })
    await owner.createPair(chatbot, 'Where are tickets?', 'At the door.')
    const before = await listSources(chatbot)
    for (const { uuid } of before) await owner.settled(uuid)
    isHeld = true
    await owner.json('POST', `/data-source/${before[2].uuid}/retry`)

    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    await page.getByText('Reading').waitFor()
    visits.length = 0
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url())
    })
    await page.getByLabel('Select all').check()
    await assertAccessible(page, 'several sources selected')
    await page.setViewportSize(NARROW)
    await assertFits(page, 'several sources selected')
    await page.getByRole('button', { name: 'Refresh now', exact: true }).click()
    await page.getByText('Select all').waitFor()
    await page.locator('.badge.good').nth(2).waitFor()
    const [a, b, , pair] = before
    for (const { uuid } of [a, b, pair]) await owner.settled(uuid)
    assert.deepEqual(
      visits.filter((path) => path !== '/robots.txt').sort(),
      ['/a', '/b'],
      'the slow one is not begun anew',
    )
    assert.deepEqual(
      sent.map((url) => new URL(url).pathname.replace('/api/v1', '')),
      ['/data-sources/url/re-scrape', `/data-source/${pair.uuid}/retry`],
    )

    await page.getByLabel('Select Page /slow').check()
    await page.getByText('1 selected').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Refresh now', exact: true }).count(), 0)
  })

  test('one byte is one byte, and a long document counts its passages as such', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Small' })
    const upload = await owner.upload(chatbot, 'x.txt', 'x')
    const { uuid } = (await upload.json()) as { uuid: string }
    await owner.settled(uuid)
    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    await page.locator('.source-facts').getByText('1 byte', { exact: true }).waitFor()
    await page.locator('.source-facts').getByText('1 token', { exact: true }).waitFor()

    const progress = { percent: 32, done: 32, found: 100, of: 'passages' }
    await page.route('**/data-sources', async (route) => {
      const list = (await (await route.fetch()).json()) as object[]
      const working = { status: 'embedding', meta_json: JSON.stringify({ progress }) }
      await route.fulfill({ json: list.map((source) => ({ ...source, ...working })) })
    })
    await page.reload()
    await page.getByText('Indexing · 32 of 100 passages').waitFor()
  })
})
