import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, type TestContext, test } from 'node:test'
import { startSite, startTestServer, temporaryFolder } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import type { FrameLocator, Page } from 'playwright-core'
import { assertAccessible } from './stage/accessibility.ts'
import { PHONE, watchedPage } from './stage/browser.ts'
import { stageMuseum } from './stage/stage.ts'

suite('the widget', needsChromium(), async () => {
  const server = await startTestServer({ after })
  const browser = await openBrowser({ after })

  /** Starts another site. Its content policy allows only itself and Docent, and nothing inline. */
  async function startHost(t: TestContext, chatbot: string, more = ''): Promise<string> {
    return startSite(t, (_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.setHeader('content-security-policy', `default-src 'self' ${server.address}`)
      response.end(
        `<!doctype html><html lang="en"><title>A site</title><body><main><h1>A site</h1></main>
         <script src="${server.address}/widget.js" data-chatbot="${chatbot}" ${more} async></script></body></html>`,
      )
    })
  }

  async function visit(
    t: TestContext,
    site: string,
    options: Parameters<typeof watchedPage>[2] = {},
  ) {
    const watched = await watchedPage(browser, [server.address, site], options)
    await watched.page.goto(site)
    t.after(async () => {
      await watched.context.close()
      assert.deepEqual([watched.complaints, watched.foreign], [[], []])
    })
    return watched.page
  }

  const chatOf = (page: Page): FrameLocator => page.frameLocator('iframe')
  const launcher = (page: Page) => page.getByRole('button', { name: 'Museum guide' })

  test('works on a site of another origin under a strict content policy', async (t) => {
    const chatbot = await stageMuseum(server.owner, { visibility: 'hybrid' })
    const site = await startHost(t, chatbot)
    const page = await visit(t, site)
    await launcher(page).waitFor()
    assert.equal(await page.locator('iframe').count(), 0, 'nothing is fetched before it is opened')
    await assertAccessible(page, 'a site with the widget')
    await launcher(page).click()
    await chatOf(page).getByRole('button', { name: 'When is the museum open?' }).click()
    await chatOf(page)
      .getByRole('button', { name: /^Source 1/ })
      .click()
    await chatOf(page).locator('mark.cited').waitFor()
    assert.equal(await chatOf(page).locator('.around').first().innerText(), '', 'only the passage')
    const passage = await chatOf(page).locator('.passage').innerText()
    assert.match(passage, /^Visiting us\n\nOpening hours\n\nThe museum is open every day/)
    await page.keyboard.press('Escape')
    await chatOf(page).locator('dialog').waitFor({ state: 'detached' })
    assert.ok(await page.locator('iframe').isVisible(), 'Escape closes the innermost only')

    await page.reload()
    await launcher(page).click()
    await chatOf(page).locator('.turn').waitFor()
    await chatOf(page).getByRole('button', { name: 'Start new conversation' }).click()
    await chatOf(page).getByText('Welcome to the Lantern Museum').waitFor()
    assert.equal(await chatOf(page).locator('.turn').count(), 0)
    const { body } = await server.owner.json('GET', `/chatbot/${chatbot}/conversations`)
    assert.equal(body[0].channel, 'widget')
  })

  test('keeps to its own conversation when another is begun in another tab', async (t) => {
    const chatbot = await stageMuseum(server.owner, { visibility: 'public' })
    const page = await visit(t, `${server.address}/c/${chatbot}`)
    await page.getByRole('button', { name: 'When is the museum open?' }).click()
    await page.locator('.turn[data-state=done]').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${server.address}/c/${chatbot}`)
    await other.locator('.turn').waitFor()
    await other.getByRole('button', { name: 'Start new conversation' }).click()
    await other.getByRole('button', { name: 'What does a ticket cost?' }).click()
    await other.locator('.turn[data-state=done]').waitFor()

    await page.getByRole('button', { name: 'Helpful', exact: true }).click()
    await page.getByLabel('Your question').fill('When is it closed?')
    await page.keyboard.press('Enter')
    await page.locator('.turn[data-state=done]').nth(1).waitFor()
    await page.getByRole('button', { name: 'Helpful', exact: true, pressed: true }).waitFor()
    const { body } = await server.owner.json('GET', `/chatbot/${chatbot}/conversations`)
    const held = body.map(({ messages, rated_up }: { messages: number; rated_up: number }) => {
      return { messages, rated_up }
    })
    assert.deepEqual(held, [
      { messages: 1, rated_up: 0 },
      { messages: 2, rated_up: 1 },
    ])
  })

  test('is in a conversation of its own in each tab, and in the last one in a new tab', async (t) => {
    const chatbot = await stageMuseum(server.owner, { visibility: 'public' })
    const opening = 'When is the museum open?'
    const price = 'What does a ticket cost?'
    const one = await visit(t, `${server.address}/c/${chatbot}`)
    const open = async () => {
      const page = await one.context().newPage()
      await page.goto(`${server.address}/c/${chatbot}`)
      return page
    }
    const ask = async (page: Page, question: string) => {
      await page.getByRole('button', { name: question }).click()
      await page.locator('.turn[data-state=done]').waitFor()
    }
    const asked = (page: Page) => page.locator('.turn .question').allInnerTexts()
    const reloaded = async (page: Page) => {
      await page.reload()
      await page.locator('.turn').waitFor()
      return asked(page)
    }
    const other = await open()
    await other.getByRole('button', { name: price }).waitFor()
    await ask(one, opening)
    await ask(other, price)
    assert.deepEqual([await asked(one), await asked(other)], [[opening], [price]])
    assert.deepEqual([await reloaded(one), await reloaded(other)], [[opening], [price]])
    const { body } = await server.owner.json('GET', `/chatbot/${chatbot}/conversations`)
    assert.deepEqual(
      body.map(({ messages }: { messages: number }) => messages),
      [1, 1],
    )

    const third = await open()
    await third.locator('.turn').waitFor()
    assert.deepEqual(await asked(third), [price])
    await one.getByRole('button', { name: 'Start new conversation' }).click()
    await ask(one, opening)
    assert.deepEqual(await reloaded(third), [price], 'also where it was only looked at')
    await one.getByRole('button', { name: 'Start new conversation' }).click()
    await third.getByRole('button', { name: 'Start new conversation' }).click()
    await ask(third, price)
    await one.reload()
    await one.getByRole('button', { name: opening }).waitFor()
    assert.deepEqual(await asked(one), [], 'an empty one stays empty')

    await server.owner.json('POST', `/session/${body[0].uuid}/delete`)
    await other.reload()
    await other.getByRole('button', { name: price }).waitFor()
    const last = await open()
    await last.locator('.turn').waitFor()
    assert.deepEqual(await asked(last), [price], 'what another tab has begun since is still there')
  })

  test('leads back from a new conversation, until something is asked in it or the page is left', async (t) => {
    const chatbot = await stageMuseum(server.owner, { visibility: 'public' })
    const page = await visit(t, `${server.address}/c/${chatbot}`)
    const beginAnew = page.getByRole('button', { name: 'Start new conversation' })
    const goBack = page.getByRole('button', { name: 'Return to previous conversation' })
    const turn = (question: string) => page.locator('.turn').getByText(question)
    const first = 'When is the museum open?'
    const second = 'What does a ticket cost?'
    await beginAnew.click()
    assert.equal(await goBack.count(), 0, 'there is none')
    await page.getByRole('button', { name: first }).click()
    await page.locator('.turn[data-state=done]').waitFor()
    // Simulate two accidental clicks.
    await beginAnew.click()
    await goBack.waitFor()
    await beginAnew.click()
    await page.getByRole('button', { name: second }).waitFor()
    assert.equal(await page.locator('.turn').count(), 0)
    await assertAccessible(page, 'a new conversation')
    await goBack.click()
    await turn(first).waitFor()
    assert.equal(await goBack.count(), 0)
    await page.reload()
    await turn(first).waitFor()

    await beginAnew.click()
    await goBack.waitFor()
    await page.getByRole('button', { name: second }).click()
    await page.locator('.turn[data-state=done]').waitFor()
    assert.equal(await goBack.count(), 0)
    await beginAnew.click()
    await goBack.waitFor()
    await page.reload()
    await page.getByRole('button', { name: second }).waitFor()
    assert.equal(await goBack.count(), 0, 'nothing is left on a shared machine')
  })

  test('a conversation that was still being opened when another was begun never comes back', async (t) => {
    const chatbot = await stageMuseum(server.owner, { visibility: 'public' })
    const page = await visit(t, `${server.address}/c/${chatbot}`)
    const first = page.getByRole('button', { name: 'When is the museum open?' })
    const begun = Promise.withResolvers<void>()
    await page.route('**/session', async (route) => {
      const response = await route.fetch()
      await begun.promise
      await route.fulfill({ response })
    })
    const opened = page.waitForResponse('**/session')
    await first.click()
    await page.locator('.turn').waitFor()
    await page.getByRole('button', { name: 'Start new conversation' }).click()
    await first.waitFor()
    begun.resolve()
    await (await opened).finished()
    await page.waitForTimeout(200)
    const kept = () =>
      page.evaluate(() => [...Object.values(localStorage), ...Object.values(sessionStorage)])
    assert.deepEqual(await kept(), ['null'])
    await page.reload()
    await first.waitFor()
    assert.equal(await page.locator('.turn').count(), 0)
    await page.unroute('**/session')
    await first.click()
    await page.locator('.turn[data-state=done]').waitFor()
    assert.equal((await kept()).length, 2)
  })

  test('can be tried out on a page that lies on the disk, by the line that the guide gives', async (t) => {
    const chatbot = await stageMuseum(server.owner)
    const guide = readFileSync(
      join(import.meta.dirname, '../../docs/tutorials/widget-on-your-site.md'),
      'utf8',
    )
    const [, line] = /```html\n(.*?)```/s.exec(guide)!
    const file = join(temporaryFolder(t), 'page.html')
    writeFileSync(
      file,
      line!.replace('http://127.0.0.1:3000', server.address).replace('CHATBOT_UUID', chatbot),
    )
    const { page, context, complaints } = await watchedPage(browser, [server.address])
    await page.goto(`file://${file}`)
    await launcher(page).click()
    await chatOf(page).getByRole('button', { name: 'When is the museum open?' }).click()
    await chatOf(page)
      .getByRole('button', { name: /^Source 1/ })
      .waitFor()
    await context.close()
    assert.deepEqual(complaints, [])
  })

  test('is opened and closed by the site, by Escape and by its own button', async (t) => {
    const chatbot = await stageMuseum(server.owner)
    const page = await visit(t, await startHost(t, chatbot))
    await launcher(page).waitFor()
    const isOpen = () => page.locator('iframe').isVisible()
    const call = (name: string) =>
      page.evaluate((method) => {
        const { Docent } = window as unknown as { Docent: Record<string, () => void> }
        return new Promise<string>((resolve) => {
          for (const type of ['docent:open', 'docent:close'])
            addEventListener(type, () => resolve(type), { once: true })
          Docent[method]!()
        })
      }, name)
    assert.equal(await call('open'), 'docent:open')
    await chatOf(page).getByLabel('Your question').waitFor()
    assert.equal(await isOpen(), true)
    assert.equal(await call('toggle'), 'docent:close')
    assert.equal(await isOpen(), false)
    await launcher(page).click()
    await page.keyboard.type('Typed at once')
    assert.equal(await chatOf(page).getByLabel('Your question').inputValue(), 'Typed at once')
    await page.keyboard.press('Escape')
    await page.locator('iframe').waitFor({ state: 'hidden' })
    await launcher(page).click()
    await chatOf(page).getByRole('button', { name: 'Close' }).click()
    await page.locator('iframe').waitFor({ state: 'hidden' })
  })

  test('wears the colour, title and place that its owner chose, and fills a phone', async (t) => {
    const chatbot = await stageMuseum(server.owner)
    await server.owner.json('POST', `/chatbot/${chatbot}/widget/update`, {
      color: '#ffe14d',
      title: 'Ask the museum',
      position: 'left',
      theme: 'dark',
    })
    const page = await visit(t, await startHost(t, chatbot, 'data-language="de"'), {
      viewport: PHONE,
    })
    const button = page.getByRole('button', { name: 'Ask the museum' })
    const { background, color, left } = await button.evaluate((element) => ({
      background: getComputedStyle(element).backgroundColor,
      color: getComputedStyle(element).color,
      left: element.getBoundingClientRect().left,
    }))
    assert.deepEqual([background, left], ['rgb(255, 225, 77)', 20])
    assert.equal(color, 'rgb(0, 0, 0)', 'dark on a light colour')
    await page.keyboard.press('Tab')
    const ring = await button.evaluate((element) => {
      const { outlineColor, boxShadow } = getComputedStyle(element)
      return [outlineColor, boxShadow]
    })
    assert.deepEqual(ring, ['rgb(0, 0, 0)', 'rgb(255, 255, 255) 0px 0px 0px 3px'])
    await button.click()
    await chatOf(page).getByRole('heading', { name: 'Ask the museum' }).waitFor()
    await chatOf(page).getByLabel('Ihre Frage').waitFor()
    const box = await page.locator('iframe').boundingBox()
    assert.deepEqual(box, { x: 0, y: 0, ...PHONE })
    const scheme = await chatOf(page)
      .locator('html')
      .evaluate((root) => getComputedStyle(root).colorScheme)
    assert.equal(scheme, 'dark')
  })

  test('looks and lies as it should, whatever the site says of everything on its pages', async (t) => {
    const chatbot = await stageMuseum(server.owner)
    const site = await startSite(t, (_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(
        `<!doctype html><html lang="en"><title>A site</title>
         <style>
           body > * {
             opacity: 0.3 !important; visibility: hidden; filter: blur(4px); pointer-events: none;
             position: relative; z-index: -1; transform: translateY(-300px); clip-path: inset(50%);
           }
         </style>
         <body><script src="${server.address}/widget.js" data-chatbot="${chatbot}" async></script></body></html>`,
      )
    })
    const page = await visit(t, site)
    await launcher(page).waitFor()
    const { y, height } = (await launcher(page).boundingBox())!
    assert.equal(y + height, page.viewportSize()!.height - 20)
    await launcher(page).click()
    await chatOf(page).getByLabel('Your question').waitFor()
    const { opacity, filter, zIndex } = await page.locator('docent-widget').evaluate((host) => {
      const { opacity, filter, zIndex } = getComputedStyle(host)
      return { opacity, filter, zIndex }
    })
    assert.deepEqual([opacity, filter, zIndex], ['1', 'none', 'auto'])
    await page.addStyleTag({ content: 'docent-widget { display: none }' })
    await launcher(page).waitFor({ state: 'hidden' })
  })

  test('does not appear where the owner does not allow it', async (t) => {
    const chatbot = await stageMuseum(server.owner)
    await server.owner.json('POST', `/chatbot/${chatbot}/widget/update`, {
      allowed_origins: ['https://allowed.example'],
    })
    const site = await startHost(t, chatbot)
    const refused: string[] = []
    const expected =
      /403|not available on this site|Framing|frame-ancestors|ERR_BLOCKED_BY_RESPONSE/
    const page = await visit(t, site, { expected })
    page.on('console', (message) => refused.push(message.text()))
    const warned = page.waitForEvent('console', (message) =>
      message.text().includes('not available on this site'),
    )
    await page.reload()
    await warned
    assert.equal(await page.locator('docent-widget').count(), 0)
    // The browser also blocks a page that frames the chat without the script.
    const blocked = page.waitForEvent('console', (message) =>
      /frame-ancestors/.test(message.text()),
    )
    await page.evaluate((src) => {
      const frame = document.createElement('iframe')
      frame.src = src
      document.body.append(frame)
    }, `${server.address}/widget/${chatbot}`)
    await blocked
  })

  test('keeps visitors apart, and tells one who asks too much what the owner wants to say', async (t) => {
    const chatbot = await stageMuseum(server.owner, {
      rate_limit: [2, 3600],
      rate_limit_message: 'Please come back later.',
    })
    const one = await visit(t, `${server.address}/c/${chatbot}`)
    const other = await visit(t, `${server.address}/c/${chatbot}`, { expected: /429/ })
    await one.getByLabel('Your question').fill('What does a ticket cost?')
    await one.keyboard.press('Enter')
    await one.getByRole('button', { name: /^Source 1/ }).waitFor()
    await other.reload()
    await other.getByLabel('Your question').fill('When is the museum open?')
    assert.equal(await other.locator('.turn').count(), 0)
    await other.keyboard.press('Enter')
    await other.getByRole('button', { name: /^Source 1/ }).waitFor()
    await other.getByLabel('Your question').fill('And then?')
    await other.keyboard.press('Enter')
    await other.locator('.notice').getByText('Please come back later.').waitFor()
  })

  test('leaves nothing to see of a private chatbot', async (t) => {
    const chatbot = await stageMuseum(server.owner, { visibility: 'private' })
    const page = await visit(t, `${server.address}/c/${chatbot}`, { expected: /404/ })
    await page.getByRole('heading', { name: 'This chat is not available' }).waitFor()
    assert.doesNotMatch(await page.content(), /Museum guide/)
    await assertAccessible(page, 'no chat')
  })
})
