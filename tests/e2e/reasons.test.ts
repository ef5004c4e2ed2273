import assert from 'node:assert/strict'
import { after, suite, type TestContext, test } from 'node:test'
import { INTERRUPTED } from '@docent/server/src/features/messages/running-answers.store.ts'
import type { LanguageModel } from '@docent/server/src/models/model-catalog.ts'
import { ProviderError } from '@docent/server/src/models/provider-error.ts'
import { scriptedModel, startSite, startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { loadWords } from '@docent/words/load-words.ts'
import { fill, type Language } from '@docent/words/words.ts'
import { assertAccessible } from './stage/accessibility.ts'
import { signIn, watchedPage } from './stage/browser.ts'
import { ACCOUNT, createAccount, stageMuseum } from './stage/stage.ts'

suite('why something was refused', needsChromium(), async () => {
  const script = scriptedModel()
  const refused: LanguageModel = {
    name: 'refused',
    provider: 'example',
    // biome-ignore lint/correctness/useYield: the model fails before the first word
    async *stream() {
      throw new ProviderError('key', { provider: 'example', model: 'refused' })
    },
  }
  const environment = { ALLOW_PRIVATE_HOSTS: '127.0.0.1' }
  const server = await startTestServer({ after }, { models: [script.model, refused], environment })
  const browser = await openBrowser({ after })
  const cookie = await createAccount(server)
  const chatbot = await stageMuseum(server.owner)

  async function visit(t: TestContext, locale: Language, path: string, isSignedIn = true) {
    const { page, context, complaints } = await watchedPage(browser, [server.address], {
      locale,
      expected: /status of 4\d\d|status of 50\d/,
    })
    t.after(async () => {
      await context.close()
      assert.deepEqual(complaints, [])
    })
    if (isSignedIn) await signIn(context, server.address, cookie)
    await page.goto(server.address + path)
    return { page, words: await loadWords(locale) }
  }

  test('is said of each field, by its label, in the language of the reader', async (t) => {
    const { page, words } = await visit(t, 'de', `/chatbots/${chatbot}/share`)
    await page.getByLabel(words.share.questions).fill('1\n2\n3\n4\n5\n6\n7')
    await page.getByLabel(words.share.origins).fill('example.org\nnot an address')
    await page.getByRole('button', { name: words.common.save }).click()
    const alert = page.locator('form').getByRole('alert')
    await alert.waitFor()
    assert.deepEqual((await alert.innerText()).split('\n').toSorted(), [
      'Erlaubte Websites (2): muss eine URL sein, zum Beispiel https://example.org',
      'Vorgeschlagene Fragen: darf höchstens 6 Einträge haben',
    ])
    await assertAccessible(page, 'two fields that are not valid')
  })

  test('is said of sign-ins, passwords and files in the language of the reader', async (t) => {
    const { page, words } = await visit(t, 'fr', '/sign-in', false)
    await page.getByLabel(words.signIn.name).fill(ACCOUNT.name)
    await page.getByLabel(words.signIn.password, { exact: true }).fill('not the password')
    await page.getByRole('button', { name: words.signIn.submit }).click()
    await page.getByRole('alert').getByText(words.reasons.wrongPassword).waitFor()
    await page.getByLabel(words.signIn.password, { exact: true }).fill(ACCOUNT.password)
    await page.getByRole('button', { name: words.signIn.submit }).click()
    await page.getByRole('heading', { name: words.chatbots.title }).waitFor()

    await page.goto(`${server.address}/account`)
    await page.getByLabel(words.account.current).fill('not the password')
    await page.getByLabel(words.account.new).fill('another long password')
    await page.getByRole('button', { name: words.account.change }).click()
    const wrong = `${words.account.current} : ${words.reasons.notPassword}`
    await page.getByRole('alert').getByText(wrong).waitFor()

    await page.goto(`${server.address}/chatbots/${chatbot}/sources`)
    const file = { name: 'a.exe', mimeType: 'text/plain', buffer: Buffer.from('MZ\0\u0001') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('alert').getByText(words.reasons.unsupportedType).waitFor()
  })

  test('is said of what an address looks for', async (t) => {
    const path = `/chatbots/${chatbot}/sessions?search=%00`
    const { page, words } = await visit(t, 'de', path)
    const said = `${words.common.search}: ${words.reasons.notText}`
    const alert = page.getByRole('alert').locator('span')
    await alert.waitFor()
    assert.equal(await alert.innerText(), said)
    await page.getByLabel(words.common.search).fill('Turm')
    await page.getByText(words.sessions.nothingFound).waitFor()
  })

  test('is said by the code where the sentence adds nothing, also when a proxy answers', async (t) => {
    const { page, words } = await visit(t, 'es', `/chatbots/${chatbot}/sources`)
    await page.getByRole('link', { name: 'Visiting us' }).waitFor()
    const readAgain = async () => {
      await page.getByRole('button', { name: /Visiting us$/ }).click()
      await page.getByRole('menuitem', { name: words.sources.refreshNow }).click()
    }
    const answers: [status: number, body: string, said: string][] = [
      [404, '{"code":"not_found","error":"There is no such data source."}', words.reasons.notFound],
      [
        429,
        '{"code":"rate_limited","error":"Too many requests from this address."}',
        words.reasons.rateLimited,
      ],
      [503, '<h1>503 Service Temporarily Unavailable</h1>', words.reasons.unavailable],
    ]
    for (const [status, body, said] of answers) {
      await page.route('**/retry', (route) => route.fulfill({ status, body }))
      await readAgain()
      await page.locator('.toast', { hasText: said }).waitFor()
      await page.unroute('**/retry')
    }
  })

  test('of an answer is said to its owner, and why a provider failed in the words of the server', async (t) => {
    const { owner } = server
    const chatbot = await owner.createChatbot({ model: 'scripted', rate_limit: [2, 3600] })
    const change = (settings: object) => owner.json('POST', `/chatbot/${chatbot}/update`, settings)
    const { page, words } = await visit(t, 'de', `/chatbots/${chatbot}/settings`)
    const ask = async (question: string) => {
      await page.getByLabel(words.chat.question).fill(question)
      await page.keyboard.press('Enter')
    }
    const notice = page.locator('.turn').last().locator('.notice.danger')
    const tryAgain = async (said: string) => {
      await notice.getByRole('button', { name: words.chat.retry }).click()
      await notice.getByText(said, { exact: true }).waitFor()
    }
    script.say('Zehn.')
    script.finish()
    await ask('Wie viel?')
    await page.locator('.turn[data-state=done]').waitFor()

    await change({ model: 'refused' })
    await ask('Und jetzt?')
    const { message } = new ProviderError('key', { provider: 'example', model: 'refused' })
    await notice.getByText(message, { exact: true }).waitFor()
    await tryAgain(words.reasons.tooManyMessages)
    await change({ rate_limit_message: 'Too many tries, dear guest.' })
    await tryAgain('Too many tries, dear guest.')
    await owner.json('POST', `/chatbot/${chatbot}/usage/budget`, { token_budget: 5 })
    await tryAgain(words.reasons.tokensSpent)
    await page.route('**/message/stream', (route) => route.fulfill({ status: 502 }))
    await tryAgain(words.chat.noConnection)
  })

  test('of an answer is said in the language of the reader also when it is looked at again', async (t) => {
    const { owner, services } = server
    const chatbot = await owner.createChatbot({ model: 'scripted' })
    const { page, words } = await visit(t, 'fr', `/chatbots/${chatbot}/settings`)
    script.fail('Broken')
    await page.getByLabel(words.chat.question).fill('Ça marche ?')
    await page.keyboard.press('Enter')
    const notice = page.locator('.turn .notice.danger')
    const isSaid = (reason: string) => notice.getByText(reason, { exact: true }).waitFor()
    await isSaid(words.reasons.modelFailed)
    await page.getByRole('link', { name: words.shell.sources }).click()
    await page.getByRole('heading', { name: words.sources.title, exact: true }).waitFor()
    await page.goBack()
    await isSaid(words.reasons.modelFailed)
    const [{ uuid }] = (await owner.json('GET', `/chatbot/${chatbot}/conversations`)).body
    await page.goto(`${server.address}/chatbots/${chatbot}/sessions/${uuid}`)
    await isSaid(words.reasons.modelFailed)
    const ended = { finish_reason: 'interrupted', error_message: INTERRUPTED } as const
    await services.db.updateTable('messages').set(ended).where('session_id', '=', uuid).execute()
    await page.reload()
    await isSaid(words.chat.interrupted)
  })

  test('is said of sources that failed in the language of the reader', async (t) => {
    const { owner } = server
    const site = await startSite(t, (request, response) => {
      const statuses: Record<string, number> = { '/secret': 401, '/closed': 403, '/odd': 418 }
      response.writeHead(statuses[request.url!] ?? 404).end()
    })
    const chatbot = await owner.createChatbot()
    for (const path of ['/gone', '/secret', '/closed', '/odd']) {
      await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, { url: site + path })
    }
    const files = [
      ['empty.txt', ' '],
      ['broken.pdf', '%PDF-1.7 and no more'],
    ] as const
    for (const [name, text] of files) await owner.upload(chatbot, name, text)
    const { body } = await owner.json('GET', `/chatbot/${chatbot}/data-sources`)
    for (const { uuid } of body) await owner.settled(uuid)
    const { page, words } = await visit(t, 'de', `/chatbots/${chatbot}/sources`)
    const { failures } = words
    for (const said of [
      fill(failures.no_such_page, { status: 404 }),
      failures.asks_password,
      failures.site_forbids,
      fill(failures.site_answered, { status: 418 }),
      failures.no_text,
      failures.pdf_damaged,
    ]) {
      await page.locator('.source-error').getByText(said, { exact: true }).waitFor()
    }
    await page.getByRole('link', { name: 'broken.pdf' }).click()
    await page.locator('.notice.danger').getByText(failures.pdf_damaged, { exact: true }).waitFor()
  })

  test('stays as the server says it where it is more than there are words for, in its own direction', async (t) => {
    const { page, words } = await visit(t, 'ar', `/chatbots/${chatbot}/sources`)
    await page.getByRole('link', { name: 'Visiting us' }).waitFor()
    const error = 'The server’s disk is read-only, so nothing can be saved.'
    await page.route('**/data-source/qa', (route) =>
      route.fulfill({ status: 503, json: { code: 'storage_failed', error } }),
    )
    await page.getByRole('button', { name: words.sources.addPair }).click()
    await page.getByLabel(words.sources.question).fill('؟')
    await page.getByLabel(words.sources.answer, { exact: true }).fill('!')
    await page.getByRole('button', { name: words.common.add, exact: true }).click()
    const alert = page.getByRole('alert').getByText(error)
    await alert.waitFor()
    const direction = await alert.evaluate((element) => getComputedStyle(element).direction)
    assert.equal(direction, 'ltr')
  })
})
