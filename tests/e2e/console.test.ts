import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { startTestServer, until } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { consoleVisits } from './stage/browser.ts'
import { askAll, createAccount, stageMuseum } from './stage/stage.ts'

const PUMP = `To start the pump, open the valve and run this command:

\`\`\`sh
pump start --tank "<b>1</b>"
\`\`\`

Then wait for the water.
`

// Longer than the limit for joined passages, so that the last passage begins in the middle.
const FILLING = `To fill all tanks:

\`\`\`
${Array.from({ length: 200 }, (_, tank) => `pump fill --tank ${tank}`).join('\n')}
\`\`\`

The filter is rinsed with vinegar every autumn.
`

suite('the console', needsChromium(), async () => {
  const server = await startTestServer({ after })
  const browser = await openBrowser({ after })
  const cookie = await createAccount(server)

  const visit = consoleVisits(browser, server.address, cookie)

  test('takes many files at once, shows why one is refused, and lists the rest as they become ready', async (t) => {
    const chatbot = await server.owner.createChatbot({ name: 'Files' })
    const page = await visit(t, `/chatbots/${chatbot}/sources`, /415|Failed to load resource/)
    await page.getByRole('heading', { name: 'No sources yet' }).waitFor()
    await page.locator('input[type=file]').setInputFiles([
      {
        name: 'lions.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from('# Lions\n\nLions sleep a lot.'),
      },
      { name: 'tigers.txt', mimeType: 'text/plain', buffer: Buffer.from('Tigers swim well.') },
      {
        name: 'virus.exe',
        mimeType: 'application/octet-stream',
        buffer: Buffer.from([77, 90, 0, 1, 2, 0]),
      },
    ])
    await page.getByRole('alert').getByText('This file type is not supported.').waitFor()
    await page.getByRole('link', { name: 'Lions' }).waitFor()
    await page.getByRole('link', { name: 'tigers.txt' }).waitFor()
    await page.locator('.badge.good').nth(1).waitFor()
    assert.equal(await page.locator('.source-row').count(), 2)
  })

  test('writes a pair, changes it, renames a page, says why it failed, and deletes several', async (t) => {
    const { owner } = server
    const chatbot = await owner.createChatbot({ name: 'Sources' })
    const page = await visit(t, `/chatbots/${chatbot}/sources`)

    await page.getByRole('button', { name: 'Add question' }).click()
    await page.getByLabel('Question', { exact: true }).fill('When are you open?')
    await page.getByLabel('Answer', { exact: true }).fill('Daily.')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'More: When are you open?' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Answer', { exact: true }).fill('Daily from 9 to 17.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const pairs = (await owner.json('GET', `/chatbot/${chatbot}/data-sources`)).body
    assert.deepEqual(
      pairs.map(({ meta_json }: { meta_json: string }) => JSON.parse(meta_json).answer),
      ['Daily from 9 to 17.'],
    )

    await page.getByRole('button', { name: 'Add web page' }).click()
    await page.getByLabel('URL').fill('http://127.0.0.1/closed')
    await page.getByLabel('Crawl the whole site').check()
    await page.getByLabel('Maximum pages').fill('5')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('The address is private or reserved').waitFor()
    await page.getByRole('button', { name: /^More: http/ }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByLabel('New title').fill('The site')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'The site' }).click()
    await page.getByRole('heading', { name: 'The site' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The address is private or reserved').waitFor()

    await page.getByRole('link', { name: 'All sources' }).click()
    await page.getByLabel('Select all').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No sources yet' }).waitFor()
    assert.deepEqual((await owner.json('GET', `/chatbot/${chatbot}/data-sources`)).body, [])
  })

  test('changes settings with the model as a list, and the chat beside them follows', async (t) => {
    const chatbot = await stageMuseum(server.owner)
    const page = await visit(t, `/chatbots/${chatbot}/settings`, /404/)
    const models = page.getByLabel('Model').locator('option')
    await models.getByText('default').waitFor({ state: 'attached' })
    assert.deepEqual(await models.allInnerTexts(), ['docent-quote (server default)'])
    const ask = async () => {
      await page.getByLabel('Your question').fill('What does a ticket cost?')
      await page.keyboard.press('Enter')
    }
    await ask()
    await page.getByRole('button', { name: /^Source 1/ }).waitFor()

    await page.getByLabel('Name', { exact: true }).fill('Renamed guide')
    await page.getByLabel('Show citations').uncheck()
    await page.getByText('Unsaved changes').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Start new conversation' }).click()
    await page.getByText('Welcome to the Lantern Museum').waitFor()
    await ask()
    await page.locator('.turn[data-state=done]').waitFor()
    assert.equal(await page.locator('.chip').count(), 0)
    const { body } = await server.owner.json('GET', `/chatbot/${chatbot}`)
    assert.equal(body.name, 'Renamed guide')
    assert.equal(body.meta.visibility, 'public', 'what was not changed is as it was')

    await page.getByRole('button', { name: 'Delete chatbot' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete chatbot' }).click()
    await page.waitForURL('**/chatbots')
    assert.equal((await server.owner.json('GET', `/chatbot/${chatbot}`)).status, 404)
    await page.goBack()
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  })

  test('keeps the chat beside the settings while other pages are looked at, and the one before a new one', async (t) => {
    const { owner } = server
    const chatbot = await stageMuseum(owner)
    const page = await visit(t, `/chatbots/${chatbot}/settings`, /404/)
    const asked = page.locator('.question')
    const previous = page.getByRole('button', { name: 'Show previous' })
    const begin = page.getByRole('button', { name: 'Start new conversation' })
    const answered = page.locator('.turn[data-state=done]')
    const lookAway = async () => {
      await page.getByRole('link', { name: 'Sources', exact: true }).click()
      await page.getByRole('link', { name: 'Visiting us' }).waitFor()
      await page.getByRole('link', { name: 'Settings' }).click()
    }
    await page.getByRole('button', { name: 'What does a ticket cost?' }).click()
    await answered.waitFor()
    const question = page.getByLabel('Your question')
    await question.fill('And for')
    await lookAway()
    await asked.getByText('What does a ticket cost?').waitFor()
    assert.equal(await question.inputValue(), 'And for')

    await begin.click()
    await page.getByRole('button', { name: 'When is the museum open?' }).waitFor()
    await begin.click()
    await previous.click()
    await asked.getByText('What does a ticket cost?').waitFor()
    assert.equal(await previous.count(), 0, 'an empty one is nothing to go back to')

    await begin.click()
    await page.getByRole('button', { name: 'When is the museum open?' }).click()
    await answered.waitFor()
    await lookAway()
    await asked.getByText('When is the museum open?').waitFor()
    await previous.click()
    await asked.getByText('What does a ticket cost?').waitFor()
    await previous.click()
    await asked.getByText('When is the museum open?').waitFor()
    assert.equal((await owner.json('GET', `/chatbot/${chatbot}/conversations`)).body.length, 2)

    for (const { uuid } of (await owner.json('GET', `/chatbot/${chatbot}/conversations`)).body)
      await owner.json('POST', `/session/${uuid}/delete`)
    await lookAway()
    await page.getByRole('button', { name: 'When is the museum open?' }).waitFor()
    assert.equal(await asked.count(), 0)

    await page.getByRole('button', { name: 'When is the museum open?' }).click()
    await answered.waitFor()
    const [{ uuid }] = (await owner.json('GET', `/chatbot/${chatbot}/conversations`)).body
    await owner.json('POST', `/session/${uuid}/delete`)
    await question.fill('What does a ticket cost?')
    await question.press('Enter')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.turn[data-state=done]').getByText('12 euros').waitFor()
  })

  test('leads from a citation to the passage in its source', async (t) => {
    const chatbot = await stageMuseum(server.owner)
    const page = await visit(t, `/chatbots/${chatbot}/settings`)
    await page.getByRole('button', { name: 'What does a ticket cost?' }).click()
    await page.getByRole('button', { name: /^Source 1/ }).click()
    await page.getByRole('link', { name: 'Show in source' }).click()
    const cited = page.locator('.passage-card[data-cited=true]')
    await cited.waitFor()
    assert.match(await cited.innerText(), /Cited here[\s\S]*A ticket costs 12 euros/)
  })

  test('shows conversations with their transcript, rating and citations', async (t) => {
    const { owner } = server
    const chatbot = await stageMuseum(owner)
    const session = await askAll(owner, chatbot, ['When is the museum open?'])
    const [message] = await owner.messages(session)
    await owner.json('POST', `/message/${message.uuid}/feedback`, { rating: 'up' })
    const page = await visit(t, `/chatbots/${chatbot}/sessions`)
    await page.getByRole('link', { name: 'When is the museum open?' }).click()
    await page.getByText('docent-quote').waitFor()
    await page.locator('.transcript').getByText('Helpful').waitFor()
    const heads = page.locator('.transcript').getByRole('heading')
    assert.deepEqual(await heads.allTextContents(), ['Visitor', 'Answer'])
    await page.getByRole('button', { name: /^Source 1/ }).click()
    await page.locator('dialog mark.cited').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'No conversations yet' }).waitFor()
  })

  test('shows the code of a cited passage as code, without its fences, to owners and visitors', async (t) => {
    const { owner } = server
    const chatbot = await owner.createChatbot({ visibility: 'public', show_citations: true })
    const upload = await owner.upload(chatbot, 'pump.md', PUMP)
    await owner.settled(((await upload.json()) as { uuid: string }).uuid)
    const other = await owner.upload(chatbot, 'filling.md', FILLING)
    await owner.settled(((await other.json()) as { uuid: string }).uuid)
    const session = await askAll(owner, chatbot, ['How do I start the pump?'])
    const page = await visit(t, `/chatbots/${chatbot}/sessions/${session}`)
    const passage = page.locator('dialog .passage')
    const open = () => page.getByRole('button', { name: /^Source 1/ }).click()
    const isReadable = async () => {
      const code = passage.locator('mark.cited code')
      assert.equal(await code.innerText(), 'pump start --tank "<b>1</b>"')
      assert.doesNotMatch(await passage.innerText(), /`/)
    }
    await open()
    await passage.getByText('Then wait for the water.').waitFor()
    await isReadable()
    await page.goto(`${server.address}/c/${chatbot}`)
    await page.getByLabel('Your question').fill('How do I start the pump?')
    await page.keyboard.press('Enter')
    await open()
    await isReadable()
    await page.keyboard.press('Escape')
    await page.getByLabel('Your question').fill('When is the filter rinsed with vinegar?')
    await page.keyboard.press('Enter')
    await page
      .locator('.turn[data-state=done]')
      .nth(1)
      .getByRole('button', { name: /^Source 1/ })
      .click()
    const prose = passage.getByText('The filter is rinsed with vinegar every autumn.')
    await prose.waitFor()
    assert.match(
      await passage.locator('code').innerText(),
      /^pump fill --tank [1-9]\d[^T]+--tank 199\s*$/,
    )
  })

  test('turns an unanswered question into a pair that answers it from then on', async (t) => {
    const { owner } = server
    const chatbot = await stageMuseum(owner)
    const long = `Any lions? ${'Roar! '.repeat(3000)}`
    const questions = ['Do you rent zebras?', 'do you rent zebras?', 'Any parking?', long]
    const asked = await askAll(owner, chatbot, questions)
    for (const { uuid } of await owner.messages(asked))
      await owner.json('POST', `/message/${uuid}/feedback`, { rating: 'down' })
    const page = await visit(t, `/chatbots/${chatbot}/unanswered`)
    await page.getByText('Asked 2 times').waitFor()
    const { height } = (await page.getByRole('link', { name: /^Any lions/ }).boundingBox())!
    assert.ok(height < 200, 'one that is long leaves room for the others')
    await page.getByRole('button', { name: /^Dismiss: Any lions/ }).click()
    await page.getByRole('link', { name: 'Any parking?' }).click()
    await page.waitForURL(`**/sessions/${asked}`)
    await page.locator('.transcript').getByText('Any parking?').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Dismiss: Any parking?' }).press('Enter')
    await page.getByText('Any parking?').waitFor({ state: 'detached' })
    await page.locator('a:focus', { hasText: /zebras/ }).waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().press('Enter')
    await page.locator('a:focus', { hasText: 'Any parking?' }).waitFor()
    await page.getByRole('button', { name: /^Dismiss: do you rent zebras/i }).press('Enter')
    await page.locator('a:focus', { hasText: 'Any parking?' }).waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().press('Enter')
    await page.locator('a:focus', { hasText: /zebras/ }).waitFor()
    await page.getByRole('button', { name: 'Dismiss: Any parking?' }).click()
    await page.getByText('Any parking?').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Add answer: do you rent zebras/i }).click()
    await page.getByLabel('Answer', { exact: true }).fill('No, zebras stay in the zoo.')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('heading', { name: 'No unanswered questions' }).waitFor()
    await page.locator('main:focus').waitFor()
    const { body: sources } = await owner.json('GET', `/chatbot/${chatbot}/data-sources`)
    await owner.settled(sources.at(-1).uuid)
    const session = await owner.createSession(chatbot)
    assert.match(await (await owner.ask(session, 'Do you rent zebras?')).text(), /No, zebras stay/)
  })

  test('what can be undone does not run out under the keyboard or the pointer', async (t) => {
    const chatbot = await stageMuseum(server.owner)
    await askAll(server.owner, chatbot, ['Do you rent zebras?'])
    const page = await visit(t, `/chatbots/${chatbot}/unanswered`)
    const dismiss = page.getByRole('button', { name: /^Dismiss: / })
    const undo = page.getByRole('status').getByRole('button', { name: 'Undo' })
    await dismiss.waitFor()
    await page.clock.install()
    await dismiss.press('Enter')
    await undo.focus()
    await page.clock.fastForward('01:00')
    await undo.hover()
    await undo.blur()
    await page.clock.fastForward('01:00')
    assert.ok(await undo.isVisible())
    await page.mouse.move(5, 300)
    await page.clock.fastForward('01:00')
    await undo.waitFor({ state: 'detached' })
  })

  test('plots the use, and has the same numbers as a table', async (t) => {
    const { owner } = server
    const chatbot = await stageMuseum(owner)
    await askAll(owner, chatbot, ['When is the museum open?', 'Do you rent zebras?'])
    const page = await visit(t, `/chatbots/${chatbot}/usage`)
    const plots = page.locator('.plot figcaption')
    await plots.first().waitFor()
    const { body: days } = await owner.json('GET', `/chatbot/${chatbot}/usage/days`)
    const percent = `${Math.round((days[0].answered / days[0].messages) * 100)}%`
    assert.deepEqual((await plots.allInnerTexts()).slice(0, 2), [
      'Messages\n2',
      `Answered\n${percent}`,
    ])
    const rate = page.locator('.facts .card', { hasText: 'Conversations per day' })
    assert.match(await rate.innerText(), /0\.03$/, 'one in thirty days')
    await page.getByText('Show as table').click()
    const today = new Date().toISOString().slice(0, 10)
    const row = await page.getByRole('row', { name: today }).innerText()
    assert.match(row, new RegExp(`${today}\\s+2\\s+${days[0].answered}\\s+1`))
  })

  test('makes an API token, shows it once, and revokes it', async (t) => {
    const page = await visit(t, '/tokens')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByLabel('Name', { exact: true }).fill('website')
    await page.getByLabel('Write').uncheck()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const token = await page.getByRole('textbox', { name: 'Token' }).inputValue()
    const call = () =>
      fetch(`${server.address}/api/v1/user`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal((await call()).status, 200)
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByText('Read, Chat').waitFor()
    await page.getByRole('button', { name: 'Revoke: website' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke: website' }).waitFor({ state: 'detached' })
    assert.equal((await call()).status, 401)
  })

  test('opens a private chatbot to visitors and shows what they get', async (t) => {
    const chatbot = await stageMuseum(server.owner, { visibility: 'private' })
    const page = await visit(t, `/chatbots/${chatbot}/share`, /422/)
    await page.getByRole('button', { name: 'Make public' }).click()
    const link = await page.getByRole('textbox', { name: 'Share page' }).inputValue()
    assert.equal(link, `${server.address}/c/${chatbot}`)
    const look = `/chatbot/${chatbot}/widget`
    await server.owner.json('POST', `${look}/update`, { greeting: 'Set by a colleague.' })
    await page.getByLabel('Title').fill('Ask the museum')
    await page.getByLabel('Allowed sites').fill('not an address')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('alert').getByText('Allowed sites (1): must be a URL').waitFor()
    await page.getByLabel('Allowed sites').fill('example.org')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Ask the museum' }).waitFor()
    // The preview shows unsaved input, so check the stored settings.
    const sites = page.getByLabel('Allowed sites')
    await until(async () => (await sites.inputValue()) === 'https://example.org' || undefined)
    const { title, greeting } = (await server.owner.json('GET', look)).body
    assert.deepEqual([title, greeting], ['Ask the museum', 'Set by a colleague.'])
  })
})
