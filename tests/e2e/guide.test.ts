import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import type { Found } from '@docent/guide/render/write-guide.ts'
import { startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { assertAccessible, assertFits } from './stage/accessibility.ts'
import { PHONE, watchedPage } from './stage/browser.ts'

const ROOT = join(import.meta.dirname, '../..')

suite('the guide', needsChromium(), async () => {
  const server = await startTestServer({ after })
  const browser = await openBrowser({ after })
  const { address } = server

  test('has no dead link, picture or heading, and no page that nothing leads to', async (t) => {
    const pages = new Map<string, string>()
    const anchors: { from: string; to: string }[] = []
    const files = new Set<string>()
    const queue = ['/guide']
    for (let path = queue.pop(); path; path = queue.pop()) {
      if (pages.has(path)) continue
      const response = await fetch(address + path)
      assert.equal(response.status, 200, path)
      assert.match(response.headers.get('content-security-policy')!, /default-src 'none'/)
      const html = await response.text()
      pages.set(path, html)
      for (const [, attribute, target] of html.matchAll(/ (href|src)="([^"]*)"/g)) {
        if (/^https?:/.test(target!)) {
          assert.equal(attribute, 'href', `${path} loads ${target}`)
          continue
        }
        const url = new URL(target!, address + path)
        if (!url.pathname.startsWith('/guide') || /\.\w+$/.test(url.pathname)) {
          files.add(url.pathname)
          continue
        }
        if (url.hash) anchors.push({ from: path, to: url.pathname + url.hash })
        queue.push(url.pathname)
      }
    }
    for (const file of files) {
      const { status } = await fetch(address + file)
      assert.equal(status, 200, file)
    }
    const dead = anchors.filter(({ to }) => {
      const [path, id] = to.split('#')
      return !pages.get(path!)?.includes(` id="${id}"`)
    })
    assert.deepEqual(dead, [])
    const documents = globSync(['docs/**/*.md', '*.md'], { cwd: ROOT }).length
    // The guide leaves out the project's README and adds a list of decisions.
    assert.equal(pages.size, documents)
    t.diagnostic(`${pages.size} pages, ${files.size} files, ${anchors.length} links to headings`)
  })

  test('answers an unknown page with a page', async () => {
    for (const path of [
      '/guide/nothing',
      '/guide/../package',
      '/guide/a/b/c',
      '/guide/%2e%2e%2fx',
    ]) {
      const response = await fetch(address + path)
      assert.equal(response.status, 404, path)
    }
    assert.match(await (await fetch(`${address}/guide/nothing`)).text(), /page does not exist/)
    assert.equal((await fetch(`${address}/guide/images/..%2fsearch.json`)).status, 404)
  })

  test('every page is readable on a phone and on a desk, light and dark, and asks nobody else', async () => {
    const { page, complaints, foreign } = await watchedPage(browser, [address], {
      viewport: PHONE,
      colorScheme: 'dark',
    })
    await page.goto(`${address}/guide`)
    const paths = await page
      .locator('.contents a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
    for (const path of paths.filter((one) => one.startsWith('/guide'))) {
      await page.goto(address + path)
      await assertFits(page, path)
      await assertAccessible(page, path)
    }
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    for (const path of ['/guide', paths.find((one) => one.startsWith('/guide/'))!]) {
      await page.goto(address + path)
      await assertAccessible(page, path)
    }
    assert.deepEqual(complaints, [])
    assert.deepEqual(foreign, [])
  })

  test('is searched by keyboard, and a result leads to its heading', async () => {
    const { page, complaints } = await watchedPage(browser, [address])
    await page.goto(`${address}/guide`)
    const sections: Found[] = await (await fetch(`${address}/guide/search.json`)).json()
    const section = sections.find(({ url }) => /^\/guide\/(?!project|decisions).*#/.test(url))!
    await page.keyboard.press('/')
    await page.keyboard.type(section.heading)
    await page.getByRole('option', { name: section.heading }).first().waitFor()
    assert.equal(await page.getByRole('option').first().getAttribute('aria-selected'), 'true')
    await page.getByRole('combobox').fill(`${section.heading} ${section.page}`)
    const url = await page.getByRole('option').locator('a').first().getAttribute('href')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${address}${url}`)
    await page.getByRole('combobox').fill('xyzzy')
    await page.getByText('No results. Try other words.').waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('#results').isVisible(), false)
    assert.deepEqual(complaints, [])
  })

  test('fits a phone with its outline, copy buttons, search and neighbors', async () => {
    const sections: Found[] = await (await fetch(`${address}/guide/search.json`)).json()
    const isGuide = ({ url }: Found) => /^\/guide\/(?!project|decisions).*#/.test(url)
    const names = sections.filter(isGuide).map(({ url }) => url.split('#')[0]!)
    const { page, context } = await watchedPage(browser, [address], { viewport: PHONE })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    for (const path of new Set(names)) {
      await page.goto(address + path)
      if ((await page.locator('.code').count()) > 0) break
    }
    await page.getByText('On this page').first().click()
    await page.locator('.outline-fold a').first().click()
    await page.waitForURL(/#/)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    assert.equal(copied, await page.locator('.code code').first().textContent())
    await page.getByRole('combobox').fill('chatbot')
    await page.getByRole('option').first().waitFor()
    const box = (await page.locator('#results').boundingBox())!
    assert.ok(box.x >= 0 && box.x + box.width <= PHONE.width, JSON.stringify(box))
    await page.keyboard.press('Escape')
    const next = page.locator('a[rel="next"]')
    await next.click()
    await page.locator('a[rel="prev"]').click()
    await page.waitForURL((url) => names.includes(url.pathname))
  })

  test('keeps the colours that were chosen, and opens its contents on a phone', async () => {
    const { page } = await watchedPage(browser, [address], { viewport: PHONE })
    await page.goto(`${address}/guide`)
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    await page.getByRole('button', { name: 'Switch theme' }).click()
    assert.equal(await theme(), 'dark')
    await page.reload()
    assert.equal(await theme(), 'dark')
    assert.equal(await page.locator('.contents').isVisible(), false)
    await page.getByRole('button', { name: 'Contents' }).click()
    const link = page.locator('.contents li a[href^="/guide/"]').first()
    const title = (await link.textContent())!
    await link.click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    await page.getByRole('button', { name: 'Contents' }).click()
    await page.getByRole('link', { name: 'Back to the console' }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/guide'))
  })
})
