import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { scriptedModel, startTestServer, until } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { assertAccessible } from './stage/accessibility.ts'
import { consoleVisits } from './stage/browser.ts'
import { createAccount } from './stage/stage.ts'

suite('a chatbot whose model is not the server’s default', needsChromium(), async () => {
  const server = await startTestServer({ after }, { models: [scriptedModel().model] })
  const { owner, services } = server
  const browser = await openBrowser({ after })
  const visit = consoleVisits(browser, server.address, await createAccount(server))
  const modelOf = async (chatbot: string) =>
    (await owner.json('GET', `/chatbot/${chatbot}`)).body.meta.model

  test('keeps it, and the default is offered', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Guide', model: 'docent-quote' })
    const page = await visit(t, `/chatbots/${chatbot}/settings`)
    const sentence = page.getByText('default is scripted. This chatbot uses docent-quote.')
    await sentence.waitFor()
    await assertAccessible(page, 'the offer of another model')
    // biome-ignore lint/style/noProcessEnv: optional folder for screenshots
    const folder = process.env.SCREENSHOTS
    if (folder) await page.screenshot({ path: `${folder}/model-offer.png` })
    await page.getByRole('button', { name: 'Use scripted' }).click()
    await sentence.waitFor({ state: 'detached' })
    assert.equal(await modelOf(chatbot), 'docent-quote', 'only once it is saved')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await modelOf(chatbot), 'scripted')

    const pairsFirst = page.getByRole('switch', { name: 'Prefer Q&A sources' })
    assert.equal(await pairsFirst.isChecked(), true)
    await pairsFirst.uncheck()
    await page.getByRole('button', { name: 'Save' }).click()
    await until(async () => {
      const { body } = await owner.json('GET', `/chatbot/${chatbot}/answering`)
      return body.pairs_override === false || undefined
    })
    assert.equal(await modelOf(chatbot), 'scripted')
    await page.reload()
    await pairsFirst.waitFor()
    assert.equal(await pairsFirst.isChecked(), false)
  })

  test('is told that it is not available', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Old' })
    const { db } = services
    const gone = { model: 'llama-of-old' }
    await db.updateTable('chatbots').set(gone).where('id', '=', chatbot).execute()
    const page = await visit(t, `/chatbots/${chatbot}/settings`)
    await page.getByText('llama-of-old is not available on this server').waitFor()
    await page.getByRole('button', { name: 'Use scripted' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await modelOf(chatbot), 'scripted')
  })
})
