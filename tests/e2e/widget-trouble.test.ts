import assert from 'node:assert/strict'
import { after, suite, type TestContext, test } from 'node:test'
import { startSite, startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import type { Page } from 'playwright-core'
import { assertAccessible } from './stage/accessibility.ts'
import { DESKTOP, watchedPage } from './stage/browser.ts'
import { startCuttingProxy } from './stage/cutting-proxy.ts'
import { stageMuseum } from './stage/stage.ts'

const PHONE = { width: 390, height: 844 }
const AWAY = /ERR_|does not respond/

suite('the widget, when something is amiss', needsChromium(), async () => {
  const server = await startTestServer({ after })
  const browser = await openBrowser({ after })
  const chatbot = await stageMuseum(server.owner)

  /** Opens a site with these tags. Its connection to the server can be cut. */
  async function visit(
    t: TestContext,
    tags: (address: string) => string,
    { expected = AWAY, viewport = DESKTOP } = {},
  ) {
    const { address, cut, mend } = await startCuttingProxy(t, server.address)
    const site = await startSite(t, (_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<!doctype html><html lang="en"><title>A site</title><link rel="icon" href="data:,">
         <body><main><h1>A site</h1></main>${tags(address)}</body></html>`,
      )
    })
    const { page, context, complaints, foreign } = await watchedPage(browser, [address, site], {
      expected,
      viewport,
    })
    const warnings: string[] = []
    page.on('console', (message) => {
      if (message.text().startsWith('Docent:')) warnings.push(message.text())
    })
    await page.goto(site)
    t.after(async () => {
      await context.close()
      assert.deepEqual([complaints, foreign], [[], []])
    })
    return { page, site, address, cut, mend, warnings }
  }

  const tag = (address: string, id = chatbot) =>
    `<script src="${address}/widget.js" data-chatbot="${id}" async></script>`
  const launcher = (page: Page, name = 'Museum guide') => page.getByRole('button', { name })
  const question = (page: Page) => page.frameLocator('iframe').getByLabel('Your question')
  const closed = (page: Page) => page.locator('docent-widget[open]').waitFor({ state: 'detached' })
  const warned = async (page: Page, warnings: string[], times: number) => {
    while (warnings.length < times) await page.waitForEvent('console')
  }
  /** Checks that the browser's error shows in the frame, and that the button has the focus again. */
  const hasFailed = async (page: Page) => {
    await page.waitForFunction(() =>
      document.querySelector('docent-widget')?.shadowRoot?.activeElement?.matches('button'),
    )
    while (!page.frames()[1]?.url().startsWith('chrome-error:')) await page.waitForTimeout(20)
  }

  test('a frame that could not be loaded is closed on a phone, by its button and by Escape', async (t) => {
    const { page, cut } = await visit(t, tag, { viewport: PHONE })
    await launcher(page).waitFor()
    cut()
    await launcher(page).click()
    await hasFailed(page)
    await launcher(page).click()
    await closed(page)
    await launcher(page).click()
    await hasFailed(page)
    await page.keyboard.press('Escape')
    await closed(page)
  })

  test('so is one that the site does not let through, though the server answers', async (t) => {
    const { page } = await visit(t, tag, { viewport: PHONE })
    await page.route('**/widget/*', (route) => route.abort())
    await launcher(page).click()
    await hasFailed(page)
    await launcher(page).click()
    await closed(page)
    await page.unroute('**/widget/*')
    await launcher(page).click()
    await question(page).waitFor()
  })

  test('says that the chat is being loaded, or could not be, and tries again, in the language of the tag', async (t) => {
    const german = (address: string) => tag(address).replace(' async', ' data-language="de"')
    const { page, cut, mend } = await visit(t, german, { viewport: PHONE })
    await launcher(page).waitFor()
    cut()
    await launcher(page).click()
    await page.getByText('Wird geladen …').waitFor()
    await page.getByText('Der Chat konnte nicht geladen werden.').waitFor()
    assert.equal(await page.locator('iframe').isVisible(), false, 'not the browser’s own error')
    const retry = page.getByRole('button', { name: 'Erneut versuchen' })
    await assertAccessible(page, 'a chat that could not be loaded')
    await retry.click()
    await page.getByText('Wird geladen …').waitFor()
    await retry.waitFor()
    mend()
    await retry.click()
    await page.frameLocator('iframe').getByLabel('Ihre Frage').waitFor()
    assert.ok(await page.locator('iframe').isVisible())
    assert.equal(await page.locator('.cover').count(), 0)
  })

  test('a chat whose server is slow says that it is being loaded, and shows itself', async (t) => {
    const { page } = await visit(t, tag)
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    await launcher(page).waitFor()
    await page.route('**/public/chatbot/**', async (route) => {
      await answered
      await route.continue()
    })
    await launcher(page).click()
    await page.frameLocator('iframe').getByRole('status').getByText('Loading…').waitFor()
    assert.equal(await page.locator('.cover').count(), 0)
    answer()
    await question(page).waitFor()
  })

  test('once the chat is there, a phone shows nothing over it', async (t) => {
    const { page } = await visit(t, tag, { viewport: PHONE })
    await launcher(page).click()
    await question(page).waitFor()
    await launcher(page).waitFor({ state: 'hidden' })
    await page.frameLocator('iframe').getByRole('button', { name: 'Close' }).click()
    await closed(page)
    await launcher(page).waitFor()
  })

  test('Escape closes what could not be loaded wherever the reader is on the page, and then only in the widget', async (t) => {
    const { page, cut, mend } = await visit(t, tag)
    await launcher(page).waitFor()
    cut()
    await launcher(page).click()
    await hasFailed(page)
    await page.getByRole('heading', { name: 'A site' }).click()
    await page.keyboard.press('Escape')
    await closed(page)
    mend()
    await launcher(page).click()
    await question(page).waitFor()
    await page.getByRole('heading', { name: 'A site' }).click()
    await page.keyboard.press('Escape')
    assert.ok(await page.locator('iframe').isVisible(), 'the site may use Escape for itself')
  })

  test('a frame that could not be loaded is loaded anew when it is opened again, and then kept', async (t) => {
    const { page, cut, mend } = await visit(t, tag)
    await launcher(page).waitFor()
    cut()
    await launcher(page).click()
    await hasFailed(page)
    mend()
    await launcher(page).click()
    await closed(page)
    await launcher(page).click()
    await question(page).fill('Half a question')
    await launcher(page).click()
    await closed(page)
    await launcher(page).click()
    assert.equal(await question(page).inputValue(), 'Half a question')
    assert.equal(await page.locator('iframe').count(), 1)
  })

  test('a page that was loaded while the server was away gets its button later', async (t) => {
    const { page, site, cut, mend, warnings } = await visit(t, tag)
    await launcher(page).waitFor()
    cut()
    // The browser caches the script for some minutes.
    await page.goto(site)
    await warned(page, warnings, 1)
    assert.equal(await launcher(page).count(), 0)
    mend()
    await launcher(page).click()
    await question(page).waitFor()
    assert.equal(warnings.length, 1)
    assert.match(warnings[0]!, /does not respond/)
  })

  test('after a minute it is tried again only when the page is online or looked at', async (t) => {
    const { page, site, cut, mend, warnings } = await visit(t, tag)
    await launcher(page).waitFor()
    cut()
    await page.clock.install()
    const asked: string[] = []
    page.on('requestfailed', (request) => asked.push(request.url()))
    await page.goto(site)
    while (asked.length < 7) await page.clock.runFor(1_000)
    await page.clock.runFor(3_600_000)
    assert.equal(asked.length, 7)
    mend()
    await page.evaluate(() => dispatchEvent(new Event('online')))
    await launcher(page).waitFor()
    assert.equal(warnings.length, 1)
  })

  test('a refusal is told as one, and not tried again', async (t) => {
    const hidden = await stageMuseum(server.owner, { visibility: 'private' })
    const refused = /404|not available on this site/
    const { page, warnings } = await visit(t, (address) => tag(address, hidden), {
      expected: refused,
    })
    let requests = 0
    page.on('request', (request) => {
      if (request.url().includes('/public/')) requests++
    })
    await warned(page, warnings, 1)
    await page.reload()
    await warned(page, warnings, 2)
    await page.waitForTimeout(2_500)
    assert.equal(requests, 1)
    assert.match(warnings[1]!, /not available on this site/)
    assert.equal(await page.locator('docent-widget').count(), 0)
  })

  test('the same tag twice is one button, and another chatbot stands beside it', async (t) => {
    const other = await stageMuseum(server.owner, { name: 'Shop' })
    const { page } = await visit(
      t,
      (address) => `${tag(address)}${tag(address)}${tag(address, other)}`,
    )
    await launcher(page).waitFor()
    await launcher(page, 'Shop').waitFor()
    assert.equal(await page.locator('docent-widget').count(), 2)
    for (const name of ['Shop', 'Museum guide']) {
      await launcher(page, name).click()
      const chat = page.frameLocator('docent-widget[open] iframe')
      await chat.getByRole('heading', { name }).waitFor()
      await launcher(page, name).click()
      await page.locator('docent-widget[open]').waitFor({ state: 'detached' })
    }
  })

  test('of two chatbots on a page, one is open at a time, and the other keeps what was written', async (t) => {
    const other = await stageMuseum(server.owner, { name: 'Shop' })
    const { page } = await visit(t, (address) => `${tag(address)}${tag(address, other)}`)
    const opened = page.locator('docent-widget[open]')
    const chat = page.frameLocator('docent-widget[open] iframe')
    const isShown = (name: string) => chat.getByRole('heading', { name }).waitFor()
    await launcher(page, 'Museum guide').click()
    await isShown('Museum guide')
    await page.keyboard.type('When is')
    await launcher(page, 'Shop').click()
    await isShown('Shop')
    assert.equal(await opened.count(), 1)
    await page.keyboard.type('What does')
    assert.equal(await chat.getByLabel('Your question').inputValue(), 'What does')
    await launcher(page, 'Museum guide').click()
    await isShown('Museum guide')
    assert.equal(await opened.count(), 1)
    await page.keyboard.type(' it open?')
    assert.equal(await chat.getByLabel('Your question').inputValue(), 'When is it open?')
  })

  test('a tag that is put into the page again, with another body, shows its button again', async (t) => {
    const { page, address } = await visit(t, tag)
    await launcher(page).waitFor()
    await page.evaluate(
      ([src, id]) => {
        document.body.replaceChildren()
        const script = document.createElement('script')
        script.src = src!
        script.dataset.chatbot = id!
        document.body.append(script)
      },
      [`${address}/widget.js`, chatbot],
    )
    await launcher(page).click()
    await question(page).waitFor()
  })

  test('a tag that lacks something says what', async (t) => {
    const { page, warnings } = await visit(
      t,
      (address) =>
        `<script src="${address}/widget.js"></script>
         <script src="${address}/widget.js" data-chatbot="${chatbot}" type="module"></script>`,
      { expected: /^Docent:/ },
    )
    await warned(page, warnings, 2)
    assert.match(warnings[0]!, /data-chatbot/)
    assert.match(warnings[1]!, /type="module"/)
    assert.equal(await page.locator('docent-widget').count(), 0)
  })
})
