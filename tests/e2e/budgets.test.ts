import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { loadWords } from '@docent/words/load-words.ts'
import { signIn, watchedPage } from './stage/browser.ts'
import { createAccount, stageMuseum } from './stage/stage.ts'

const KILOBYTE = 1_000
const USABLE_MS = 1_500

suite('what a browser has to load', needsChromium(), async () => {
  const server = await startTestServer({ after })
  const browser = await openBrowser({ after })
  const cookie = await createAccount(server)
  const chatbot = await stageMuseum(server.owner)

  test('the console: less than 250 kB; how soon it is usable with a quarter of the speed is told', async (t) => {
    const { page, context } = await watchedPage(browser, [server.address])
    await signIn(context, server.address, cookie)
    let bytes = 0
    page.on('requestfinished', async (request) => {
      const { responseBodySize } = await request.sizes()
      bytes += responseBodySize
    })
    // Warm up: the server compresses the pages at the first request.
    await page.goto(`${server.address}/chatbots`)
    await page.getByRole('link', { name: 'Museum guide' }).waitFor()
    const loaded = bytes
    const devtools = await context.newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
    // Report the best of a few tries without asserting it, because other work on the machine slows the page.
    let ms = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 6 && ms >= USABLE_MS; tries++) {
      await devtools.send('Network.clearBrowserCache')
      const started = performance.now()
      await page.goto(`${server.address}/chatbots`)
      await page.getByRole('link', { name: 'Museum guide' }).waitFor()
      ms = Math.min(ms, performance.now() - started)
    }
    t.diagnostic(`${Math.round(loaded / KILOBYTE)} kB, usable after ${Math.round(ms)} ms`)
    assert.ok(loaded > 50 * KILOBYTE && loaded < 250 * KILOBYTE, `${loaded} bytes`)
  })

  test('the widget: less than 25 kB before the chat is opened', async (t) => {
    const script = await fetch(`${server.address}/widget.js`)
    const size = Number(script.headers.get('content-length'))
    const look = await fetch(`${server.address}/api/v1/public/chatbot/${chatbot}?channel=widget`)
    const total = size + (await look.text()).length
    t.diagnostic(`${total} bytes`)
    assert.equal(script.headers.get('content-encoding'), 'gzip')
    assert.ok(size > 500 && total < 25 * KILOBYTE)
  })

  test('the guide: less than 6 kB of scripts, with its search', async (t) => {
    const html = await (await fetch(`${server.address}/guide`)).text()
    const scripts = [...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path]) => path)
    assert.equal(scripts.length, 2)
    const responses = await Promise.all(scripts.map((path) => fetch(server.address + path)))
    const sizes = responses.map(({ headers }) => Number(headers.get('content-length')))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    t.diagnostic(`${total} bytes`)
    assert.ok(total > 500 && total < 6 * KILOBYTE)
  })

  test('the chat of visitors: its words in their language, and none of the console', async (t) => {
    const language = 'fr'
    const { page, context } = await watchedPage(browser, [server.address], { locale: language })
    t.after(() => context.close())
    const scripts: Promise<string>[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) scripts.push(response.text())
    })
    await page.goto(`${server.address}/c/${chatbot}`)
    const { chat, failures, tokens } = await loadWords(language)
    await page.getByLabel(chat.question).waitFor()
    const sent = (await Promise.all(scripts)).join('')
    assert.ok(sent.includes(chat.suggestions))
    assert.ok(!sent.includes(failures.leads_away) && !sent.includes(tokens.shownOnce))
  })
})
