import assert from 'node:assert/strict'
import { after, suite, type TestContext, test } from 'node:test'
import { scriptedModel, startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import type { Page } from 'playwright-core'
import { assertAccessible } from './stage/accessibility.ts'
import { watchedPage } from './stage/browser.ts'
import { startCuttingProxy } from './stage/cutting-proxy.ts'

const HOSTILE = `# Rooms

**Bold** and <img src=x onerror="window.hacked=1"><script>window.hacked=1</script>

- [good](https://example.org/a) and [bad](javascript:window.hacked=1)
- \`code\`

| Room | Floor |
|------|------:|
| Maps | 2 |

\`\`\`js
const x = '<b>'
\`\`\`
`

const LOST = /ERR_|Failed to load resource/

suite('the chat', needsChromium(), async () => {
  const script = scriptedModel()
  const server = await startTestServer({ after }, { models: [script.model] })
  const browser = await openBrowser({ after })
  const chatbot = await server.owner.createChatbot({
    visibility: 'public',
    rate_limit: [10_000, 60],
    show_citations: true,
    // An answer may link only to addresses that its sources or its owner name.
    prompt: 'The rooms are listed at https://example.org/a',
  })
  await server.owner.createPair(chatbot, 'Which hours?', 'Daily from 9 to 17.')

  async function visit(t: TestContext, address = server.address, expected?: RegExp): Promise<Page> {
    const watched = await watchedPage(browser, [address], expected ? { expected } : {})
    await watched.page.goto(`${address}/c/${chatbot}`)
    await watched.page.getByLabel('Your question').waitFor()
    t.after(async () => {
      await watched.context.close()
      assert.deepEqual([watched.complaints, watched.foreign], [[], []])
    })
    return watched.page
  }

  const ask = async (page: Page, question: string) => {
    await page.getByLabel('Your question').fill(question)
    await page.keyboard.press('Enter')
  }
  const prose = (page: Page) => page.locator('.turn').last().locator('.prose')
  const finished = (page: Page) => page.locator('.turn[data-state=done]').last()

  test('draws Markdown while it streams, and never as HTML', async (t) => {
    const page = await visit(t)
    await ask(page, 'Which rooms?')
    for (const piece of HOSTILE.match(/[\s\S]{1,7}/g)!) script.say(piece)
    await prose(page).locator('table td').first().waitFor()
    assert.equal(await page.locator('.turn[data-state=streaming]').count(), 1)
    script.finish()
    await finished(page).waitFor()
    const seen = await prose(page).evaluate((element) => ({
      tags: [...new Set([...element.querySelectorAll('*')].map(({ tagName }) => tagName))].sort(),
      links: [...element.querySelectorAll('a')].map(({ href, rel, target }) => [href, rel, target]),
      hacked: 'hacked' in window,
    }))
    assert.deepEqual(seen, {
      tags: [
        'A',
        'BUTTON',
        'CODE',
        'DIV',
        'H3',
        'LI',
        'P',
        'PRE',
        'STRONG',
        'TABLE',
        'TBODY',
        'TD',
        'TH',
        'THEAD',
        'TR',
        'UL',
        'path',
        'svg',
      ],
      links: [['https://example.org/a', 'noopener noreferrer nofollow', '_blank']],
      hacked: false,
    })
    await assertAccessible(page, 'an answer with everything in it')
  })

  test('goes on by itself where a lost connection broke off, without a gap', async (t) => {
    const proxy = await startCuttingProxy(t, server.address)
    const page = await visit(t, proxy.address, LOST)
    await ask(page, 'Count, please')
    script.say('One, zwei – ')
    await prose(page).getByText('One, zwei –').waitFor()
    proxy.cut()
    script.say('drei, 四, ')
    await page.getByText('Connection lost. Reconnecting…').first().waitFor()
    script.say('five, ')
    proxy.mend()
    await prose(page).getByText('One, zwei – drei, 四, five,').waitFor()
    script.say('six.')
    script.finish()
    await finished(page).waitFor()
    assert.equal(await prose(page).innerText(), 'One, zwei – drei, 四, five, six.')
  })

  test('an answer goes on behind a proxy that says for a while that its server is not there', async (t) => {
    const proxy = await startCuttingProxy(t, server.address)
    const page = await visit(t, proxy.address, LOST)
    await ask(page, 'Are you back?')
    script.say('Before ')
    await prose(page).getByText('Before').waitFor()
    const said = [502, 503, 504]
    await page.route(/\/message\/\w+\/stream\?/, (route) => {
      const status = said.shift()
      return status
        ? route.fulfill({ status, contentType: 'text/html', body: '<h1>Not now</h1>' })
        : route.continue()
    })
    proxy.cut()
    proxy.mend()
    script.say('and after.')
    script.finish()
    await finished(page).waitFor()
    assert.equal(await prose(page).innerText(), 'Before and after.')
    assert.deepEqual(said, [])
  })

  test('a connection that has gone silent, as after sleep, is made again', async (t) => {
    const proxy = await startCuttingProxy(t, server.address)
    const page = await visit(t, proxy.address, LOST)
    await page.clock.install()
    await ask(page, 'Are you awake?')
    script.say('Half ')
    await prose(page).getByText('Half').waitFor()
    proxy.silence()
    script.say('asleep.')
    script.finish()
    await page.clock.fastForward(31_000)
    await page.getByText('Connection lost. Reconnecting…').first().waitFor()
    // The browser may retry on another silent connection, so cut that too.
    proxy.cut()
    proxy.mend()
    await finished(page).waitFor()
    assert.equal(await prose(page).innerText(), 'Half asleep.')
  })

  /** The server receives and answers the question, but the page gets no response. */
  const loseReplies = async (page: Page) => {
    await page.route('**/message/stream', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.route('**/messages', (route) => route.abort())
  }
  const stored = async (page: Page) => {
    const turns = await page.reload().then(() => page.locator('.turn'))
    await turns.first().waitFor()
    return turns.count()
  }

  test('a question whose reply is lost is sent again, and asked once', async (t) => {
    const page = await visit(t, server.address, LOST)
    await loseReplies(page)
    script.say('Once.')
    script.finish()
    await ask(page, 'How often?')
    await page.getByText('Connection lost. Reconnecting…').first().waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await finished(page).getByText('Once.').waitFor()
    assert.equal(await stored(page), 1)
  })

  test('so is one that is tried again by hand after it was given up', async (t) => {
    const page = await visit(t, server.address, LOST)
    await loseReplies(page)
    script.say('Only once.')
    script.finish()
    await ask(page, 'And how often now?')
    await page.locator('.notice').getByText('Cannot reach the server.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await finished(page).getByText('Only once.').waitFor()
    assert.equal(await stored(page), 1)
  })

  test('takes up an answer that still runs when the page is loaded again', async (t) => {
    const page = await visit(t)
    await ask(page, 'Still there?')
    script.say('Half ')
    await prose(page).getByText('Half').waitFor()
    await page.reload()
    await prose(page).getByText('Half').waitFor()
    script.say('and half.')
    script.finish()
    await finished(page).waitFor()
    assert.equal(await prose(page).innerText(), 'Half and half.')
    assert.equal(await page.locator('.turn').count(), 1)
  })

  test('is driven by the keyboard: Enter, Shift and Enter, arrow up, Escape', async (t) => {
    const page = await visit(t)
    const field = page.getByLabel('Your question')
    assert.ok(await field.evaluate((element) => element === document.activeElement))
    await page.keyboard.type('Two')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('lines')
    await page.keyboard.press('Enter')
    script.say('Well, ')
    await prose(page).getByText('Well').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Stopped.').waitFor()
    assert.equal(script.calls.at(-1)!.aborted, true, 'the model has stopped, too')
    await page.keyboard.press('ArrowUp')
    assert.equal(await field.inputValue(), 'Two\nlines')
  })

  test('says what failed and tries again', async (t) => {
    const page = await visit(t)
    await ask(page, 'Will it work?')
    script.fail('Broken')
    await page.locator('.notice.danger').getByText('The chatbot could not answer.').waitFor()
    script.say('Now it does.')
    script.finish()
    await page.getByRole('button', { name: 'Try again' }).click()
    await finished(page).getByText('Now it does.').waitFor()
  })

  test('an answer that broke off is cited as far as it came, and shows no marker without a citation', async (t) => {
    const page = await visit(t)
    await ask(page, 'When are you open?')
    script.say('Daily from 9 to 17 [1.1]. It')
    script.fail('Broken')
    await page.locator('.notice.danger').waitFor()
    await page.getByRole('button', { name: 'Source 1: Which hours?' }).waitFor()
    assert.equal(await prose(page).innerText(), 'Daily from 9 to 17 1. It')
    // Simulate a crash of the server before it stored the citations.
    await server.services.db
      .updateTable('messages')
      .set({ finish_reason: 'interrupted', citations: '{}', error_message: '' })
      .where('finish_reason', '=', 'error')
      .where('response', 'like', 'Daily%')
      .execute()
    await page.reload()
    await page.getByText('The answer was interrupted.').waitFor()
    assert.equal(await prose(page).innerText(), 'Daily from 9 to 17. It')
  })

  test('copies, rates, asks again, and cites with numbers that open the passage', async (t) => {
    const page = await visit(t)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await ask(page, 'When are you open?')
    script.say('Daily from 9 to 17. [1.1]')
    script.finish()
    await finished(page).waitFor()
    await page.getByRole('button', { name: 'Copy' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'Daily from 9 to 17.')
    await page.getByRole('button', { name: 'Not helpful' }).click()
    await page.locator('[aria-label="Not helpful"][aria-pressed=true]').waitFor()
    await page.getByRole('button', { name: 'Source 1: Which hours?' }).click()
    assert.equal(await page.locator('dialog mark.cited').innerText(), 'Daily from 9 to 17.')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Ask again' }).click()
    script.say('As before.')
    script.finish()
    await page.getByText('As before.').first().waitFor()
    assert.equal(await page.locator('.turn').count(), 2)
    await page.reload()
    await page.locator('[aria-label="Not helpful"][aria-pressed=true]').waitFor()
  })

  test('announces whole sentences, each once', async (t) => {
    const page = await visit(t)
    await ask(page, 'Tell me')
    for (const piece of [
      'The first ',
      'sentence. The ',
      'second **one',
      '** ends here. And',
      ' the rest',
    ])
      script.say(piece)
    await prose(page).getByText('the rest').waitFor()
    const log = page.getByRole('log')
    await log.getByText('The first sentence.').waitFor({ state: 'attached' })
    assert.doesNotMatch(await log.innerText(), /And/, 'no half sentence')
    script.finish()
    await finished(page).waitFor()
    await log.getByText('And the rest').waitFor({ state: 'attached' })
    const said = (await log.innerText()).replaceAll(/\s+/g, ' ')
    assert.equal(said.match(/first sentence/g)?.length, 1)
    assert.match(said, /The second one ends here\. And the rest/)
  })

  test('announces of tables and code what they say, and not how they are drawn', async (t) => {
    const page = await visit(t)
    await ask(page, 'Which rooms?')
    for (const piece of HOSTILE.slice(HOSTILE.indexOf('| Room')).match(/[\s\S]{1,7}/g)!)
      script.say(piece)
    script.finish()
    await finished(page).waitFor()
    const log = page.getByRole('log')
    await log.getByText("const x = '<b'").waitFor({ state: 'attached' })
    const said = (await log.innerText()).replaceAll(/\s+/g, ' ').trim()
    assert.equal(said, "Room Floor Maps 2 const x = '<b'")
  })

  test('draws once a frame while text pours in, and a long conversation stays as quick', async (t) => {
    const session = (await (
      await fetch(`${server.address}/api/v1/public/chatbot/${chatbot}/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ channel: 'share' }),
      })
    ).json()) as { uuid: string; secret: string }
    const now = Date.now()
    await server.services.db
      .insertInto('messages')
      .values(
        Array.from({ length: 300 }, (_, i) => ({
          id: `f${String(i).padStart(31, '0')}`,
          session_id: session.uuid,
          query: `Question ${i}`,
          response: 'An answer with **some** words.\n\n'.repeat(8),
          finish_reason: 'stop' as const,
          feedback: null,
          created_at: now,
          modified_at: now,
        })),
      )
      .execute()
    const page = await visit(t)
    await page.evaluate(
      ([key, value]) => localStorage.setItem(key!, value!),
      [`docent.visit.${chatbot}`, JSON.stringify(session)],
    )
    await page.reload()
    await page.locator('.turn').nth(199).waitFor()

    await ask(page, 'Pour')
    script.say('Pouring: ')
    await prose(page).getByText('Pouring').waitFor()
    // Measures the frame rate, and counts frames with new text. Waits longer until there are enough such frames.
    const watch = (longEnough: number, changes: number) =>
      page.evaluate(
        async ([longEnough, changes]) => {
          let frames = 0
          let drawn = 0
          let before = [...document.querySelectorAll('.prose')].at(-1)!.textContent!
          const started = performance.now()
          const elapsed = () => performance.now() - started
          while (elapsed() < longEnough! || (drawn < changes! && elapsed() < 30_000)) {
            await new Promise(requestAnimationFrame)
            frames += 1
            const text = [...document.querySelectorAll('.prose')].at(-1)!.textContent!
            if (text !== before) drawn += 1
            before = text
          }
          return { rate: (frames * 1000) / elapsed(), drawn }
        },
        [longEnough, changes],
      )
    const atRest = await watch(1_000, 0)
    const pouring = setInterval(() => script.say('word '), 5)
    const whilePouring = await watch(1_500, 4)
    clearInterval(pouring)
    script.finish()
    await finished(page).waitFor()
    const [before, during] = [Math.round(atRest.rate), Math.round(whilePouring.rate)]
    t.diagnostic(`${during} frames a second, ${before} at rest, after 200 turns`)
    // The frame rate depends on the machine's load, but text must still arrive frame by frame.
    assert.ok(whilePouring.drawn >= 4, `${whilePouring.drawn} frames with new text`)
    assert.ok(during >= before / 4, `${during} of ${before} frames a second`)
  })
})
