import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { scriptedModel, startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import type { Page } from 'playwright-core'

/** Opens a page of another site, which may call the service only as CORS allows. */
async function openPageElsewhere(t: TestContext): Promise<Page> {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Elsewhere</title>')
  })
  await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening))
  t.after(() => site.close())
  const page = await (await openBrowser(t)).newPage()
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  return page
}

test(
  'a page of another origin chats with a token: pre-flight, stream and headers',
  needsChromium(),
  async (t) => {
    const script = scriptedModel()
    const { owner } = await startTestServer(t, { models: [script.model] })
    const page = await openPageElsewhere(t)
    await page.exposeFunction('say', (text: string) => script.say(text))
    await page.exposeFunction('finish', () => script.finish())

    const seen = await page.evaluate(
      async ({ base, token }) => {
        const { say, finish } = globalThis as unknown as Record<string, (text?: string) => void>
        const call = (method: string, path: string, body?: object) =>
          fetch(base + path, {
            method,
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            ...(body && { body: JSON.stringify(body) }),
          })
        const create = async (path: string, body?: object) =>
          ((await (await call('POST', path, body)).json()) as { uuid: string }).uuid

        const chatbot = await create('/chatbot/create', { name: 'Bot' })
        const session = await create(`/chatbot/${chatbot}/session/create`)
        say!('Grüße ')
        const answer = await call('POST', `/session/${session}/message/stream`, { query: 'Hallo?' })
        const reader = answer.body!.getReader()
        let text = ''
        for (const [said, next] of [
          ['Grüße ', 'Welt '],
          ['Grüße Welt ', '👋'],
          ['Grüße Welt 👋', undefined],
        ]) {
          while (text !== said)
            text += new TextDecoder('utf-8', { fatal: true }).decode((await reader.read()).value)
          if (next) say!(next)
          else finish!()
        }
        const { done } = await reader.read()
        const message = answer.headers.get('x-message-uuid')
        const stored = (await (await call('GET', `/message/${message}`)).json()) as {
          response: string
        }
        const deleted = await call('DELETE', `/chatbot/${chatbot}/delete`)
        const missing = await call('GET', `/chatbot/${chatbot}`)
        return {
          type: answer.headers.get('content-type'),
          done,
          stored: stored.response,
          deleted: await deleted.json(),
          missing: missing.status,
          code: ((await missing.json()) as { code: string }).code,
          requestId: missing.headers.get('x-request-id') !== null,
        }
      },
      { base: owner.base, token: owner.token },
    )

    assert.deepEqual(seen, {
      type: 'text/plain; charset=utf-8',
      done: true,
      stored: 'Grüße Welt 👋',
      deleted: { success: true },
      missing: 404,
      code: 'not_found',
      requestId: true,
    })
  },
)

test(
  'a page of another origin uploads a file and reads why a bad token is refused',
  needsChromium(),
  async (t) => {
    const { owner } = await startTestServer(t)
    const chatbot = await owner.createChatbot()
    const page = await openPageElsewhere(t)

    const seen = await page.evaluate(
      async ({ url, token }) => {
        const form = new FormData()
        form.append('file', new File(['Open daily.'], 'Größe.txt'))
        const upload = (authorization: string) =>
          fetch(url, { method: 'POST', headers: { authorization }, body: form })
        const taken = await upload(`Bearer ${token}`)
        const refused = await upload('Bearer wrong')
        return {
          name: ((await taken.json()) as { file_name: string }).file_name,
          refused: refused.status,
          code: ((await refused.json()) as { code: string }).code,
        }
      },
      { url: `${owner.base}/chatbot/${chatbot}/data-source/upload`, token: owner.token },
    )

    assert.deepEqual(seen, { name: 'Größe.txt', refused: 401, code: 'unauthorized' })
  },
)

test(
  'the API reference lists every operation and tries one out with a token',
  needsChromium(),
  async (t) => {
    const { address, owner } = await startTestServer(t)
    const page = await (await openBrowser(t)).newPage({ viewport: { width: 1280, height: 900 } })
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    const { paths } = (await (await fetch(`${address}/openapi.json`)).json()) as { paths: object }
    const operations = Object.values(paths).flatMap((methods) => Object.keys(methods))

    await page.goto(`${address}/docs`)
    await page.getByRole('heading', { name: 'Docent' }).waitFor()
    const fit = await page.locator('meta[name=viewport]').getAttribute('content')
    assert.match(fit ?? '', /width=device-width/)
    assert.equal(await page.title(), 'Docent API')
    const wayBack = page.getByRole('link', { name: 'Back to the console' })
    assert.equal(await wayBack.getAttribute('href'), '/')
    await page
      .locator('.opblock')
      .nth(operations.length - 1)
      .waitFor()
    assert.equal(await page.locator('.opblock').count(), operations.length)

    await page.locator('button.authorize').first().click()
    await page.locator('.dialog-ux input').first().fill(owner.token)
    await page.locator('.dialog-ux button.authorize').first().click()
    await page.locator('.dialog-ux button.btn-done').first().click()

    const models = page.locator('.opblock', { has: page.locator('[data-path="/api/v1/models"]') })
    await models.locator('.opblock-summary-control').click()
    await models.getByRole('button', { name: 'Execute' }).click()
    const answer = models.locator('.live-responses-table')
    assert.equal((await answer.locator('tbody .response-col_status').textContent())?.trim(), '200')
    assert.match((await answer.locator('.highlight-code').first().textContent())!, /docent-quote/)
    assert.deepEqual(complaints, [])
  },
)
