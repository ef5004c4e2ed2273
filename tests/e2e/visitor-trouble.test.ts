import assert from 'node:assert/strict'
import { after, suite, type TestContext, test } from 'node:test'
import { scriptedModel, startTestServer, until } from '@docent/server/test/harness.ts'
import { insertMessages } from '@docent/server/test/insert-messages.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { loadWords } from '@docent/words/load-words.ts'
import type { Language } from '@docent/words/words.ts'
import type { Page } from 'playwright-core'
import { assertAccessible } from './stage/accessibility.ts'
import { watchedPage } from './stage/browser.ts'

const REFUSED = /ERR_|status of [45]\d\d/

suite('a visitor is told in his language', needsChromium(), async () => {
  const script = scriptedModel()
  const server = await startTestServer({ after }, { models: [script.model] })
  const { owner } = server
  const browser = await openBrowser({ after })

  async function visit(t: TestContext, language: Language, chatbot: string) {
    const { page, context, complaints } = await watchedPage(browser, [server.address], {
      locale: language,
      expected: REFUSED,
    })
    t.after(async () => {
      await context.close()
      assert.deepEqual(complaints, [])
    })
    await page.goto(`${server.address}/c/${chatbot}`)
    const words = await loadWords(language)
    await page.getByLabel(words.chat.question).waitFor()
    return { page, words }
  }

  const ask = async (page: Page, question: string) => {
    await page.locator('textarea').fill(question)
    await page.keyboard.press('Enter')
  }
  const answered = (page: Page) => page.locator('.turn[data-state=done]').last().waitFor()
  const say = (text: string) => {
    script.say(text)
    script.finish()
  }
  const said = async (page: Page, text: string) => {
    const notice = page.locator('.turn').last().locator('.notice span')
    // Wait, because the previous turn may still be the last one.
    await notice.getByText(text, { exact: true }).waitFor()
  }

  test('that the conversation is full, and sees older messages when they ask for them', async (t) => {
    const chatbot = await owner.createChatbot({ visibility: 'public' })
    const { page, words } = await visit(t, 'de', chatbot)
    say('Eins.')
    await ask(page, 'Die erste Frage?')
    await answered(page)
    const { db } = server.services
    const [session] = await db
      .selectFrom('sessions')
      .select('id')
      .where('chatbot_id', '=', chatbot)
      .execute()
    await insertMessages(db, session!.id, 250)
    await page.reload()
    const turns = page.locator('.turn')
    await until(async () => ((await turns.count()) === 200 ? true : undefined))
    const older = page.getByRole('button', { name: words.chat.older })
    const first = await turns.first().elementHandle()
    await older.scrollIntoViewIfNeeded()
    await older.click()
    await until(async () => ((await turns.count()) === 251 ? true : undefined))
    await turns.getByText('Die erste Frage?').waitFor()
    assert.equal(await older.count(), 0)
    const { y } = (await first!.boundingBox())!
    assert.ok(y > 0 && y < page.viewportSize()!.height / 2, `what was read is in sight, at ${y}`)

    await insertMessages(db, session!.id, 749)
    await ask(page, 'Noch eine?')
    await said(page, words.reasons.conversationFull)
    await page.getByRole('button', { name: words.chat.newChat }).click()
    say('Neu.')
    await ask(page, 'Noch eine?')
    await answered(page)
  })

  test('that he has asked too much, and when he may ask again', async (t) => {
    const chatbot = await owner.createChatbot({ visibility: 'public', rate_limit: [1, 170] })
    const { page } = await visit(t, 'de', chatbot)
    say('Eins.')
    await ask(page, 'Eine Frage?')
    await answered(page)
    await ask(page, 'Noch eine?')
    await said(page, 'Zu viele Nachrichten. Versuchen Sie es in 3 Minuten erneut.')
    const rate_limit_message = 'Langsam, bitte!'
    await owner.json('POST', `/chatbot/${chatbot}/update`, { rate_limit_message })
    await page.locator('.notice button').click()
    await page.locator('.turn').getByText(rate_limit_message).waitFor()
    await said(page, rate_limit_message)
  })

  test('that the month’s budget is spent', async (t) => {
    const chatbot = await owner.createChatbot({ visibility: 'public' })
    const { page } = await visit(t, 'zh', chatbot)
    say('十。')
    await ask(page, '多少？')
    await answered(page)
    await owner.json('POST', `/chatbot/${chatbot}/usage/budget`, { token_budget: 5 })
    await ask(page, '还有呢？')
    const notice = page.locator('.notice span')
    await notice.waitFor()
    assert.match(
      await notice.innerText(),
      /^此聊天机器人已达到本月上限。 请\d+(天|小时|分钟|秒钟)后重试。$/,
    )
  })

  test('that the answer failed, also when he comes back', async (t) => {
    const chatbot = await owner.createChatbot({ visibility: 'public' })
    const { page } = await visit(t, 'fr', chatbot)
    script.fail('Broken')
    await ask(page, 'Ça marche ?')
    await said(page, 'Le chatbot n’a pas pu répondre. Réessayez plus tard.')
    await page.reload()
    await said(page, 'Le chatbot n’a pas pu répondre. Réessayez plus tard.')
  })

  test('that his rating could not be stored, and may rate again', async (t) => {
    const chatbot = await owner.createChatbot({ visibility: 'public' })
    const { page, words } = await visit(t, 'de', chatbot)
    say('Eins.')
    await ask(page, 'Eine Frage?')
    await answered(page)
    const rating = async () => {
      const [{ uuid }] = (await owner.json('GET', `/chatbot/${chatbot}/conversations`)).body
      return JSON.parse((await owner.messages(uuid))[0].feedback_json)
    }
    const notHelpful = page.getByRole('button', { name: words.chat.notHelpful })
    const lost = page.getByRole('alert').getByText(words.chat.notRated)
    await page.route('**/feedback', (route) => route.abort())
    await notHelpful.click()
    await lost.waitFor()
    assert.equal(await notHelpful.getAttribute('aria-pressed'), 'false')
    await assertAccessible(page, 'a rating that could not be stored')
    const comment = page.getByLabel(words.chat.whatWasMissing)
    await comment.fill('Die Öffnungszeiten.')
    const refused = page.waitForEvent('requestfailed')
    await comment.press('Enter')
    await refused
    await lost.waitFor()
    await page.unroute('**/feedback')
    const stored = page.waitForResponse('**/feedback')
    await notHelpful.click()
    await stored
    assert.equal(await lost.count(), 0)
    assert.deepEqual(await rating(), { rating: 'down' })
    await comment.press('Enter')
    await page.getByText(words.chat.thanks).waitFor()
    assert.deepEqual(await rating(), { rating: 'down', comment: 'Die Öffnungszeiten.' })
  })

  test('that the conversation is gone, and asks in a new one when he tries again', async (t) => {
    const chatbot = await owner.createChatbot({ visibility: 'public' })
    const { page, words } = await visit(t, 'es', chatbot)
    say('Uno.')
    await ask(page, '¿Una pregunta?')
    await answered(page)
    const [{ uuid }] = (await owner.json('GET', `/chatbot/${chatbot}/conversations`)).body
    await owner.json('POST', `/session/${uuid}/delete`)
    await ask(page, '¿Otra?')
    await said(page, words.reasons.conversationGone)
    const opened: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') opened.push(request.url())
    })
    await page.getByRole('button', { name: words.chat.helpful, exact: true }).click()
    await page.getByRole('alert').getByText(words.chat.notRated).waitFor()
    assert.deepEqual(opened, [], 'what is gone can’t be rated in a new one')
    say('Dos.')
    await page.locator('.notice button').click()
    await page.locator('.turn').getByText('Dos.').waitFor()
    await owner.json('POST', `/chatbot/${chatbot}/update`, { visibility: 'private' })
    await ask(page, '¿Y ahora?')
    await said(page, words.reasons.conversationGone)
    await page.locator('.notice button').click()
    await page.locator('.turn').getByText(words.chat.notHere).waitFor()
  })

  test('that the conversation he goes back to is gone, and is in a new one', async (t) => {
    const chatbot = await owner.createChatbot({ visibility: 'public' })
    const { page, words } = await visit(t, 'fr', chatbot)
    say('Un.')
    await ask(page, 'Une question ?')
    await answered(page)
    await page.getByRole('button', { name: words.chat.newChat }).click()
    const [{ uuid }] = (await owner.json('GET', `/chatbot/${chatbot}/conversations`)).body
    await owner.json('POST', `/session/${uuid}/delete`)
    await page.getByRole('button', { name: words.chat.goBack }).click()
    const gone = page.getByText(words.chat.previousGone)
    await gone.waitFor()
    await assertAccessible(page, 'a conversation that is gone')
    say('Deux.')
    await ask(page, 'Une autre ?')
    await page.locator('.turn').getByText('Deux.').waitFor()
    assert.equal(await gone.count(), 0)
    assert.equal(await page.locator('.turn').count(), 1)
  })

  test('that the server is busy, broken or not there', async (t) => {
    const chatbot = await owner.createChatbot({ visibility: 'public' })
    const { page, words } = await visit(t, 'ar', chatbot)
    const full = 'The server’s disk is full, so nothing can be saved.'
    const { reasons, chat } = words
    const answers: [status: number, code: string, error: string, said: string][] = [
      [503, 'disk_full', full, reasons.unavailable],
      [
        500,
        'internal',
        'Something went wrong on the server.',
        `${reasons.wentWrong} ${reasons.tryAgainLater}`,
      ],
      [404, 'not_found', 'There is no such chatbot.', chat.notHere],
    ]
    for (const [status, code, error, sentence] of answers) {
      await page.route('**/session', (route) => route.fulfill({ status, json: { code, error } }))
      await ask(page, 'سؤال؟')
      await said(page, sentence)
      await page.unroute('**/session')
    }
    await page.route('**/session', (route) => route.abort())
    await ask(page, 'سؤال؟')
    await said(page, chat.noConnection)
  })

  test('that his question is too long, of which nothing is lost', async (t) => {
    const settings = { visibility: 'public', model: 'docent-quote' }
    const chatbot = await owner.createChatbot(settings)
    const { page, words } = await visit(t, 'de', chatbot)
    const field = page.getByLabel(words.chat.question)
    const send = page.getByRole('button', { name: words.chat.send })
    await field.fill('x'.repeat(32_001))
    const sentence = 'Die Frage ist zu lang: 32.001 von höchstens 32.000 Zeichen.'
    await page.getByRole('alert').getByText(sentence).waitFor()
    await assertAccessible(page, 'a question that is too long')
    await field.press('Enter')
    assert.equal(await page.locator('.turn').count(), 0)
    assert.equal(await send.isDisabled(), true)
    await field.press('Backspace')
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await send.click()
    await answered(page)
    assert.equal((await page.locator('.question').innerText()).length, 32_000)
    await owner.json('POST', `/chatbot/${chatbot}/update`, { model: 'scripted' })
    await ask(page, 'x'.repeat(32_000))
    await said(page, words.reasons.tooLarge)
  })
})
