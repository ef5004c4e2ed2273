import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, suite, test } from 'node:test'
import { scriptedModel, startSite, startTestServer, until } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { assertAccessible, assertLandmarks } from './stage/accessibility.ts'
import { consoleVisits } from './stage/browser.ts'
import { askAll, createAccount, stageMuseum } from './stage/stage.ts'

suite('what owners look into', needsChromium(), async () => {
  const script = scriptedModel()
  const server = await startTestServer(
    { after },
    { models: [script.model], environment: { ALLOW_PRIVATE_HOSTS: '127.0.0.1' } },
  )
  const { owner } = server
  const browser = await openBrowser({ after })
  const cookie = await createAccount(server)
  const quoting = { model: 'docent-quote' }

  const visit = consoleVisits(browser, server.address, cookie)

  test('the passages that a question would find, with their scores, lead to their place', async (t) => {
    const chatbot = await stageMuseum(owner, quoting)
    const page = await visit(t, `/chatbots/${chatbot}/search`)
    await page.getByRole('searchbox', { name: 'Question' }).fill('What does a ticket cost?')
    await page.keyboard.press('Enter')
    const best = page.locator('.passage-card').first()
    await best.getByText('A ticket costs 12 euros.').waitFor()
    const scores = await page.locator('.passage-score').allInnerTexts()
    const numbers = scores.map((text) => Number(/Score (-?[\d.]+)/.exec(text)![1]))
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => b - a),
      'the best first',
    )
    await page.reload()
    await best.getByText('A ticket costs 12 euros.').waitFor()
    await best.getByRole('link', { name: 'Visiting us' }).click()
    await page.locator('.passage-card[data-cited=true]').getByText('12 euros').waitFor()
    const { body } = await owner.json('GET', `/chatbot/${chatbot}/conversations`)
    assert.deepEqual(body, [], 'nothing is stored')
  })

  test('a webhook is made, shows its secret once, logs what it was told, and is deleted', async (t) => {
    const chatbot = await owner.createChatbot(quoting)
    const told: string[] = []
    const receiver = await startSite(t, (request, response) => {
      told.push(String(request.headers['webhook-id']))
      response.end()
    })
    const page = await visit(t, `/chatbots/${chatbot}/webhooks`, /422|Failed to load/)
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByLabel('URL').fill('not an address')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('alert').getByText('must be a URL').waitFor()
    await page.getByLabel('URL').fill(`${receiver}/hook`)
    await page.getByLabel('Answer finished').uncheck()
    await assertAccessible(page, 'a new webhook')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    assert.match(await page.getByLabel('Signing secret').inputValue(), /^whsec_/)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

    await owner.createPair(chatbot, 'When are you open?', 'Daily.')
    await page.getByRole('link', { name: `${receiver}/hook` }).click()
    await page.getByText('Source ready').waitFor()
    await page.getByText('Delivered').waitFor()
    assert.equal(told.length, 1)
    await page.getByRole('button', { name: 'Send test event' }).click()
    const test = page.getByRole('listitem').first()
    await test.getByText('Test', { exact: true }).waitFor()
    await test.getByText('Delivered').waitFor()
    assert.equal(told.length, 2)
    await assertAccessible(page, 'the log of a webhook')
    assert.doesNotMatch(await page.locator('body').innerText(), /whsec_/)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor()
  })

  test('a budget is set, shows when it is used up, stops answers, and is taken off', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Costly' })
    script.say('Ten tokens.')
    script.finish()
    await askAll(owner, chatbot, ['How much?'])
    const page = await visit(t, `/chatbots/${chatbot}/usage`, /429|Failed to load/)
    await page.getByText('Tokens used this month: 10').waitFor()
    await page.getByLabel('Tokens per month').fill('5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Tokens used this month: 10 of 5').waitFor()
    await assertAccessible(page, 'a budget that is used up')
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Your question').fill('And now?')
    await page.keyboard.press('Enter')
    await page
      .locator('.notice.danger')
      .getByText(/budget|tokens/i)
      .waitFor()
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByLabel('Tokens per month').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await until(async () => {
      const { body } = await owner.json('GET', `/chatbot/${chatbot}/usage`)
      return body.token_budget === null || undefined
    })
    await page.getByText('Tokens used this month: 10', { exact: true }).waitFor()
  })

  test('an answer tells the owner how sure it is, and a visitor nothing of the kind', async (t) => {
    const chatbot = await stageMuseum(owner, quoting)
    const page = await visit(t, `/chatbots/${chatbot}/settings`)
    await page.getByRole('button', { name: 'What does a ticket cost?' }).click()
    await page
      .locator('.answer-facts')
      .getByText(/Confidence: \d+%/)
      .waitFor()
    await page.locator('.answer-facts').getByText('docent-quote').waitFor()
    await assertAccessible(page, 'an answer with its facts')
    await page.goto(`${server.address}/c/${chatbot}`)
    await page.getByRole('button', { name: 'What does a ticket cost?' }).click()
    await page.getByRole('button', { name: 'Not helpful' }).waitFor()
    assert.equal(await page.locator('.answer-facts').count(), 0)
  })

  test('one token is one token', async (t) => {
    const chatbot = await stageMuseum(owner, quoting)
    const session = await askAll(owner, chatbot, ['What does a ticket cost?'])
    const meta = { model_used: 'tiny', actual_token_distribution: { total_tokens: 1 } }
    await server.services.db
      .updateTable('messages')
      .set({ meta: JSON.stringify(meta) })
      .where('session_id', '=', session)
      .execute()
    const page = await visit(t, `/chatbots/${chatbot}/sessions/${session}`)
    await page.locator('.answer-facts').getByText('1 token', { exact: true }).waitFor()
  })

  test('what a visitor missed is read in the transcript, and corrected there', async (t) => {
    const chatbot = await stageMuseum(owner, quoting)
    await askAll(owner, chatbot, ['Where is the museum?'])
    const page = await visit(t, `/c/${chatbot}`)
    await page.getByRole('button', { name: 'What does a ticket cost?' }).click()
    await page.getByRole('button', { name: 'Not helpful' }).click()
    await page.getByLabel('What was missing or wrong? (optional)').fill('And for groups?')
    await assertAccessible(page, 'a comment')
    await page.keyboard.press('Enter')
    await page.getByText('Thank you for your feedback.').waitFor()

    await page.goto(`${server.address}/chatbots/${chatbot}/sessions`)
    await page.getByRole('link', { name: 'Where is the museum?' }).waitFor()
    await page.getByRole('button', { name: 'Not helpful' }).click()
    await page.getByRole('link', { name: 'Where is the museum?' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'What does a ticket cost?' }).click()
    await page.getByText('And for groups?').waitFor()
    await page.getByRole('button', { name: /^Correct this answer/ }).click()
    const answer = page.getByLabel('Answer', { exact: true })
    assert.match(await answer.inputValue(), /^A ticket costs 12 euros\./)
    await answer.fill('12 euros; for groups 9 euros each.')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Answer added to the sources.').waitFor()
    const { body: sources } = await owner.json('GET', `/chatbot/${chatbot}/data-sources`)
    await owner.settled(sources.at(-1).uuid)
    const session = await owner.createSession(chatbot)
    const corrected = await (await owner.ask(session, 'What does a ticket cost?')).text()
    assert.match(corrected, /for groups 9 euros each/)
    await page.getByRole('link', { name: 'Unanswered' }).click()
    await page.getByRole('heading', { name: 'No unanswered questions' }).waitFor()
  })

  test('conversations are found by words and days, which stay in the address', async (t) => {
    const chatbot = await stageMuseum(owner, quoting)
    const old = await askAll(owner, chatbot, ['Where is the museum?', 'What does a ticket cost?'])
    await askAll(owner, chatbot, ['When is the museum open?'])
    await server.services.db
      .updateTable('sessions')
      .set({ created_at: Date.parse('2026-03-10'), modified_at: Date.parse('2026-03-11T12:00Z') })
      .where('id', '=', old)
      .execute()
    const page = await visit(t, `/chatbots/${chatbot}/sessions`)
    const first = page.getByRole('link', { name: 'Where is the museum?' })
    const second = page.getByRole('link', { name: 'When is the museum open?' })
    const field = page.getByRole('searchbox', { name: 'Search' })
    await second.waitFor()
    await field.pressSequentially('12 EUROS ticket')
    await second.waitFor({ state: 'detached' })
    await first.click()
    await page.waitForURL(`**/sessions/${old}?search=*`)
    await page.getByRole('link', { name: 'All conversations' }).click()
    await first.waitFor()
    await page.reload()
    await first.waitFor()
    assert.equal(await field.inputValue(), '12 EUROS ticket')
    assert.equal(await second.count(), 0)

    await field.fill('zebras')
    await page.getByRole('heading', { name: 'No conversations match' }).waitFor()
    await assertAccessible(page, 'no conversation found')
    await page.getByRole('link', { name: 'Conversations' }).click()
    await second.waitFor()
    assert.equal(await field.inputValue(), '')
    await page.getByLabel('To').fill('2026-03-11')
    await second.waitFor({ state: 'detached' })
    await page.getByLabel('From').fill('2026-03-11')
    await page.waitForURL('**/sessions?from=2026-03-11&to=2026-03-11')
    await first.waitFor()
    await page.getByLabel('To').fill('')
    await second.waitFor()
    // While a user types, the year temporarily has fewer than four digits.
    await page.getByLabel('From').press('Delete')
    await page.getByLabel('From').pressSequentially('03122026', { delay: 50 })
    await page.waitForURL('**/sessions?from=2026-03-12')
    await first.waitFor({ state: 'detached' })
    await second.waitFor()
  })

  test('conversations that are shown are downloaded as a table or as lines', async (t) => {
    const chatbot = await stageMuseum(owner, quoting)
    await askAll(owner, chatbot, ['Where is the museum?', '=1+1, "please"'])
    await askAll(owner, chatbot, ['When is the museum open?'])
    const page = await visit(t, `/chatbots/${chatbot}/sessions`)
    const second = page.getByRole('link', { name: 'When is the museum open?' })
    await second.waitFor()
    await assertAccessible(page, 'conversations that can be downloaded')
    const download = async (choice: string) => {
      await page.getByRole('button', { name: 'Download' }).press('Enter')
      const item = page.getByRole('menuitem', { name: choice })
      await item.waitFor()
      const rules = ['aria-command-name', 'aria-required-children', 'color-contrast']
      await assertAccessible(page, 'what conversations are downloaded as', rules)
      const begun = page.waitForEvent('download')
      await item.press('Enter')
      const file = await begun
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
    }
    const table = await download('Spreadsheet (CSV)')
    assert.match(table.name, /^conversations-museum-guide-\d{4}-\d\d-\d\d\.csv$/)
    assert.match(table.text, /^\ufeffsession_uuid,uuid,/)
    assert.match(table.text, /,When is the museum open\?,/)
    assert.match(table.text, /,"'=1\+1, ""please""",/)

    await page.getByRole('searchbox', { name: 'Search' }).fill('where')
    await second.waitFor({ state: 'detached' })
    const lines = await download('JSON Lines')
    assert.match(lines.name, /\.jsonl$/)
    const asked = lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).question)
    assert.deepEqual(asked, ['Where is the museum?', '=1+1, "please"'])
  })

  test('six newer messages do not push out the one whose “Undo” is about to be pressed', async (t) => {
    const chatbot = await owner.createChatbot(quoting)
    const questions = Array.from({ length: 8 }, (_, i) => `Do you rent zebra number ${i}?`)
    await askAll(owner, chatbot, questions)
    const page = await visit(t, `/chatbots/${chatbot}/unanswered`)
    const toasts = page.locator('.toast')
    const dismiss = async (question: string) => {
      const button = page.getByRole('button', { name: `Dismiss: ${question}` })
      await button.dispatchEvent('click')
      await button.waitFor({ state: 'detached' })
    }
    await page
      .getByRole('button', { name: /^Dismiss: / })
      .last()
      .waitFor()
    // Stop the clock, so that no toast expires.
    await page.clock.install()
    await dismiss(questions[0]!)
    const undo = await toasts.getByRole('button', { name: 'Undo' }).elementHandle()
    await undo!.focus()
    for (const question of questions.slice(1, 7)) await dismiss(question)
    assert.equal(await toasts.count(), 6)
    assert.ok(await undo!.evaluate((button) => button === document.activeElement))
    await undo!.hover()
    await undo!.evaluate((button) => (button as HTMLElement).blur())
    await dismiss(questions[7]!)
    assert.equal(await toasts.count(), 6)
    await undo!.click()
    await page.getByRole('link', { name: questions[0]! }).waitFor()
  })

  test('the preview follows the form before anything is saved', async (t) => {
    const chatbot = await stageMuseum(owner, quoting)
    const page = await visit(t, `/chatbots/${chatbot}/share`)
    const preview = page.frameLocator('iframe')
    await preview.getByRole('heading', { name: 'Museum guide' }).waitFor()
    await page.getByLabel('Title').fill('Ask us')
    await page.getByLabel('Greeting').fill('Good evening!')
    await preview.getByRole('heading', { name: 'Ask us' }).waitFor()
    await preview.getByText('Good evening!').waitFor()
    await assertLandmarks(page, 'the preview')
    assert.equal(await preview.getByRole('button', { name: 'Close' }).count(), 0)
    const { body } = await owner.json('GET', `/chatbot/${chatbot}/widget`)
    assert.equal(body.title, '', 'not saved')
  })

  test('several addresses are added at once; those that are taken are not sent twice', async (t) => {
    const chatbot = await owner.createChatbot(quoting)
    const site = await startSite(t, (_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<title>Lamps</title><p>Oil lamps hang in every room of the house.')
    })
    const page = await visit(t, `/chatbots/${chatbot}/sources`, /422|Failed to load/)
    await page.getByRole('button', { name: 'Add web page' }).click()
    const field = page.getByLabel('URL')
    await field.fill(`${site}/a\nftp://nowhere\n${site}/b`)
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('alert').getByText('must be a URL').waitFor()
    assert.equal(await field.inputValue(), `ftp://nowhere\n${site}/b`)
    await field.fill(`${site}/b`)
    await page.keyboard.press('Enter')
    await page.locator('.badge.good').nth(1).waitFor()
    const { body } = await owner.json('GET', `/chatbot/${chatbot}/data-sources`)
    assert.deepEqual(
      body.map(({ meta_json }: { meta_json: string }) => JSON.parse(meta_json).url),
      [`${site}/a`, `${site}/b`],
    )
  })

  test('a file on its way can be called back, and the rest goes on when the page is left', async (t) => {
    const chatbot = await owner.createChatbot(quoting)
    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/data-source/upload', async (route) => {
      await held
      await route.continue()
    })
    const file = (name: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(`${name}: lamps.`),
    })
    await page
      .locator('input[type=file]')
      .setInputFiles(['a.txt', 'b.txt', 'c.txt', 'd.txt'].map(file))
    await page.getByText('0 of 4 files uploaded').waitFor()
    await assertAccessible(page, 'files on their way')
    await page.getByRole('button', { name: 'Cancel: d.txt' }).click()
    await page.getByText('0 of 3 files uploaded').waitFor()
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    release()
    await page.getByRole('link', { name: 'Sources' }).click()
    await page.getByRole('button', { name: /^All 3$/ }).waitFor()
  })
})
