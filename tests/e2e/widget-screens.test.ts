import assert from 'node:assert/strict'
import { after, suite, type TestContext, test } from 'node:test'
import { startSite, startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import { watchedPage } from './stage/browser.ts'
import { stageMuseum } from './stage/stage.ts'

suite('the chat of visitors on small screens', needsChromium(), async () => {
  const server = await startTestServer({ after })
  const browser = await openBrowser({ after })
  const chatbot = await stageMuseum(server.owner)

  async function visit(t: TestContext, address: string, [width, height]: [number, number]) {
    const { page, context, complaints } = await watchedPage(browser, [server.address, address], {
      viewport: { width, height },
    })
    t.after(async () => {
      await context.close()
      assert.deepEqual(complaints, [])
    })
    await page.goto(address)
    return page
  }

  /** Opens the widget on another site. */
  async function openWidget(t: TestContext, size: [number, number], language = 'en') {
    const site = await startSite(t, (_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<!doctype html><html lang="en"><title>A site</title>
         <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
         <body><script src="${server.address}/widget.js" data-chatbot="${chatbot}" data-language="${language}" async></script></body></html>`,
      )
    })
    const page = await visit(t, site, size)
    await page.getByRole('button', { name: 'Museum guide' }).click()
    const chat = page.frameLocator('iframe')
    await chat.locator('.suggestions').waitFor()
    return { page, chat }
  }

  const shareAddress = `${server.address}/c/${chatbot}`
  const boxOf = async (element: Locator) => (await element.boundingBox())!
  const scrolled = (chat: FrameLocator | Page) =>
    chat.locator('.chat-scroll').evaluate((element) => element.scrollTop)

  /** Simulates an on-screen keyboard or pinch zoom. */
  const cover = (page: Page, change: { height: number; offsetTop: number; scale: number }) =>
    page.evaluate((values) => {
      for (const [name, value] of Object.entries(values))
        Object.defineProperty(visualViewport, name, { value, configurable: true })
      visualViewport!.dispatchEvent(new Event('resize'))
    }, change)

  async function staysInSight(page: Page, panel: Locator, field: Locator) {
    await cover(page, { height: 320, offsetTop: 40, scale: 1 })
    assert.deepEqual(await boxOf(panel), { x: 0, y: 40, width: 360, height: 320 })
    const { y, height } = await boxOf(field)
    assert.ok(y >= 40 && y + height <= 360, `the field is at ${y}`)
    await cover(page, { height: 100, offsetTop: 200, scale: 3 })
    assert.equal((await boxOf(panel)).height, 320, 'zooming in does not make it smaller')
    await cover(page, { height: 640, offsetTop: 0, scale: 1 })
    assert.deepEqual(await boxOf(panel), { x: 0, y: 0, width: 360, height: 640 })
  }

  test('fills one that is low, and leaves room on one that is not', async (t) => {
    const { page } = await openWidget(t, [640, 480])
    const frame = page.locator('iframe')
    assert.deepEqual(await boxOf(frame), { x: 0, y: 0, width: 640, height: 480 })
    await page.setViewportSize({ width: 640, height: 300 })
    assert.deepEqual(await boxOf(frame), { x: 0, y: 0, width: 640, height: 300 })
    await page.setViewportSize({ width: 640, height: 481 })
    assert.deepEqual(await boxOf(frame), { x: 220, y: 20, width: 400, height: 373 })
  })

  test('a keyboard over the page leaves the field in sight', async (t) => {
    const { page, chat } = await openWidget(t, [360, 640])
    await staysInSight(page, page.locator('iframe'), chat.getByLabel('Your question'))
    const share = await visit(t, shareAddress, [360, 640])
    await share.locator('.suggestions').waitFor()
    await staysInSight(share, share.locator('.visitor'), share.getByLabel('Your question'))
  })

  test('the field and some of the conversation are in sight beside a keyboard on a phone held sideways', async (t) => {
    const { page, chat } = await openWidget(t, [640, 180])
    const { y, height } = await boxOf(chat.getByLabel('Your question'))
    assert.ok(y + height <= 180, `the field ends at ${y + height}`)
    const room = (await boxOf(chat.locator('.chat-scroll'))).height
    assert.ok(room >= 60, `${room} pixels are left`)
    assert.equal(await page.locator('iframe').evaluate((frame) => frame.clientHeight), 180)
  })

  test('begins with the greeting, and goes to the end with the first question', async (t) => {
    for (const size of [
      [360, 320],
      [640, 300],
    ] as [number, number][]) {
      const { chat } = await openWidget(t, size)
      const share = await visit(t, shareAddress, size)
      await share.locator('.suggestions').waitFor()
      assert.deepEqual([await scrolled(chat), await scrolled(share)], [0, 0])
    }
    const { chat } = await openWidget(t, [360, 320])
    await chat.getByLabel('Your question').fill('When is the museum open?')
    await chat.getByLabel('Your question').press('Enter')
    await chat.locator('.turn[data-state=done]').waitFor()
    assert.ok((await scrolled(chat)) > 0)
  })

  test('suggested questions keep within the page, each in its own direction', async (t) => {
    const long = 'Is there a lower price for schoolchildren who come on a weekday before noon?'
    const word = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung?'
    await server.owner.json('POST', `/chatbot/${chatbot}/widget/update`, {
      suggested_questions: [long, word, 'متى يفتح المتحف؟'],
    })
    for (const language of ['en', 'ar']) {
      const { chat } = await openWidget(t, [360, 640], language)
      const found = await chat.locator('.suggestions button').evaluateAll((buttons) =>
        buttons.map((button) => {
          const { left, right } = button.getBoundingClientRect()
          const isWithin = left >= 0 && right <= innerWidth
          return [isWithin, getComputedStyle(button).direction]
        }),
      )
      assert.deepEqual(found, [
        [true, 'ltr'],
        [true, 'ltr'],
        [true, 'rtl'],
      ])
    }
  })
})
