import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, type TestContext, test } from 'node:test'
import { startSite, startTestServer, until } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { watchedPage } from '../e2e/stage/browser.ts'
import { stageMuseum } from '../e2e/stage/stage.ts'
import { ROOT } from './examples-in-text.ts'
import { packClient } from './pack-client.ts'

const SECRET = 'a signing secret'

suite('the examples', async () => {
  const { consumer, installed } = packClient({ after })
  for (const file of globSync('*.{ts,html}', { cwd: join(ROOT, 'examples') })) {
    cpSync(join(ROOT, 'examples', file), join(consumer, file))
  }
  const server = await startTestServer({ after })
  const chatbot = await stageMuseum(server.owner)
  const { token } = await server.tokenFor('owner', { scopes: ['chat'] })

  /** Starts an example in its own process, with a token of scope chat only. Returns its address. */
  async function start(t: TestContext, file: string, more = {}): Promise<string> {
    const environment = { DOCENT_URL: server.address, DOCENT_TOKEN: token, CHATBOT: chatbot }
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
      cwd: consumer,
      env: { ...environment, PORT: '0', ...more },
    })
    t.after(() => child.kill('SIGKILL'))
    child.stderr.pipe(process.stderr)
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
    return `http://127.0.0.1:${/"port":(\d+)/.exec(line)![1]}`
  }

  test('are each under a hundred lines', () => {
    for (const file of globSync('examples/*.{ts,html}', { cwd: ROOT })) {
      const lines = readFileSync(join(ROOT, file), 'utf8').trimEnd().split('\n').length
      assert.ok(lines < 100, `${file} has ${lines}`)
    }
  })

  test('the bot answers a mention in its thread, once, and heeds nobody without the secret', async (t) => {
    const said: { method: string; token: string | undefined; body: Record<string, string> }[] = []
    const chat = await startSite(t, async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const method = request.url!.slice(1)
      said.push({ method, token: request.headers.authorization, body: JSON.parse(body) })
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ok: true, ts: `reply-${said.length}` }))
    })
    const bot = await start(t, 'slack-bot.ts', {
      SLACK_API: chat,
      SLACK_TOKEN: 'xoxb-test',
      SLACK_SECRET: SECRET,
    })
    const send = (message: object, { secret = SECRET, age = 0 } = {}) => {
      const body = JSON.stringify(message)
      const time = String(Math.floor(Date.now() / 1000) - age)
      const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')
      return fetch(bot, {
        method: 'POST',
        headers: { 'x-slack-request-timestamp': time, 'x-slack-signature': `v0=${signature}` },
        body,
      })
    }
    const mention = (event_id: string, text: string, more = {}) => ({
      type: 'event_callback',
      event_id,
      event: { type: 'app_mention', channel: 'C1', ts: '17.1', text, ...more },
    })
    const verified = await send({ type: 'url_verification', challenge: 'prove it' })
    assert.equal(await verified.text(), 'prove it')
    assert.equal((await send(mention('E0', '<@U1> hi'), { secret: 'wrong' })).status, 401)
    assert.equal((await send(mention('E0', '<@U1> hi'), { age: 600 })).status, 401)

    const first = mention('E1', '<@U1> What does a ticket cost?')
    assert.deepEqual([(await send(first)).status, (await send(first)).status], [200, 200])
    await until(() => said.find(({ method }) => method === 'chat.update'))
    await send(
      mention('E2', '<@U1> When is the museum open every day?', { ts: '18.1', thread_ts: '17.1' }),
    )
    await until(() => said.find(({ body }) => body.text?.includes('9 to 17')))
    const posts = said.filter(({ method }) => method === 'chat.postMessage')
    assert.deepEqual(
      posts.map(({ body }) => [body.channel, body.thread_ts]),
      [
        ['C1', '17.1'],
        ['C1', '17.1'],
      ],
    )
    const answer = said.filter(({ body }) => body.ts === 'reply-1').at(-1)!
    assert.match(answer.body.text!, /A ticket costs 12 euros\. \[1\.1\]/)
    assert.ok(said.every((call) => call.token === 'Bearer xoxb-test'))
    const sessions = (await server.owner.json('GET', `/chatbot/${chatbot}/sessions`)).body
    assert.equal(sessions.length, 1, 'a thread is one conversation')
  })

  test('the search page finds passages while one types', needsChromium(), async (t) => {
    const address = await start(t, 'documentation-search.ts')
    const browser = await openBrowser(t)
    const { page, complaints, foreign } = await watchedPage(browser, [address])
    await page.goto(address)
    await page.getByLabel('Search').pressSequentially('tickets for children', { delay: 20 })
    await page.getByRole('heading', { name: 'Visiting us' }).first().waitFor()
    await page.locator('mark', { hasText: 'Children' }).first().waitFor()
    assert.match(await page.getByRole('status').innerText(), /\d found/)
    await page.getByLabel('Search').fill('')
    await page.locator('article').first().waitFor({ state: 'detached' })
    const html = await page.content()
    assert.ok(!html.includes(token), 'the token stays on the server')
    assert.deepEqual([complaints, foreign], [[], []])
  })

  test('the support widget answers visitors, with its sources', needsChromium(), async (t) => {
    const site = await startSite(t, (request, response) => {
      const file = request.url === '/' ? 'support-widget.html' : request.url!
      const isPage = file.endsWith('.html')
      const path = isPage
        ? join(consumer, file)
        : join(installed, file.replace('/client/', 'dist/'))
      response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript')
      const content = readFileSync(path, 'utf8')
      const placed = content.replace('http://127.0.0.1:3000', server.address)
      response.end(placed.replace('"CHATBOT"', `"${chatbot}"`))
    })
    const browser = await openBrowser(t)
    const { page, complaints, foreign } = await watchedPage(browser, [site, server.address])
    await page.goto(site)
    await page.getByText('Questions?').click()
    await page.getByText('Welcome to the Lantern Museum!').waitFor()
    await page.getByLabel('Your question').fill('What does a ticket cost?')
    await page.keyboard.press('Enter')
    await page.getByText('A ticket costs 12 euros. [1.1]').waitFor()
    await page.locator('.source', { hasText: '[1.1] Visiting us: “' }).waitFor()
    await page.getByLabel('Your question').fill('Do children under six enter free?')
    await page.keyboard.press('Enter')
    await page.locator('.answer', { hasText: 'Children under six enter free' }).waitFor()
    assert.deepEqual([complaints, foreign], [[], []])
  })
})
