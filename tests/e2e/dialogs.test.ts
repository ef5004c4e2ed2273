import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import type { Locator, Page, Route } from 'playwright-core'
import { assertAccessible } from './stage/accessibility.ts'
import { consoleVisits } from './stage/browser.ts'
import { askAll, createAccount } from './stage/stage.ts'

suite('dialogs of the console', needsChromium(), async () => {
  const server = await startTestServer({ after })
  const { owner } = server
  const browser = await openBrowser({ after })
  const cookie = await createAccount(server)

  const visit = consoleVisits(browser, server.address, cookie)

  const clickBeside = (page: Page) => page.mouse.click(5, 5)
  const listSources = async (chatbot: string) =>
    (await owner.json('GET', `/chatbot/${chatbot}/data-sources`)).body

  test('what was typed is not lost by a click beside, by Escape or by selecting too far', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Typed' })
    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    const dialog = page.getByRole('dialog', { name: 'Question and answer' })
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' })
    const answer = page.getByLabel('Answer', { exact: true })
    await page.getByRole('button', { name: 'Add question' }).click()
    await clickBeside(page)
    await dialog.waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Add question' }).click()
    await answer.pressSequentially('A long answer.')
    const box = (await answer.boundingBox())!
    await page.mouse.move(box.x + 60, box.y + 15)
    await page.mouse.down()
    await page.mouse.move(5, box.y + 15, { steps: 5 })
    await page.mouse.up()
    assert.deepEqual([await dialog.count(), await asked.count()], [1, 0])

    for (const leave of [() => clickBeside(page), () => page.keyboard.press('Escape')]) {
      await leave()
      await asked.waitFor()
      await page.keyboard.press('Escape')
      await asked.waitFor({ state: 'detached' })
      assert.equal(await answer.inputValue(), 'A long answer.')
    }
    await page.keyboard.press('Escape')
    await assertAccessible(page, 'a dialog that asks')
    await asked.getByRole('button', { name: 'Leave' }).click()
    await dialog.waitFor({ state: 'detached' })
  })

  test('a secret that is shown once stays until its button is pressed', async (t) => {
    const page = await visit(t, '/tokens')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByLabel('Name', { exact: true }).fill('kept')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const secret = page.getByRole('textbox', { name: 'Token' })
    await secret.waitFor()
    await clickBeside(page)
    // Press more than once: browsers limit how often a page may keep a dialog open.
    for (let i = 0; i < 3; i++) await page.keyboard.press('Escape')
    await page.waitForTimeout(200)
    assert.ok(await secret.isVisible())
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await secret.waitFor({ state: 'detached' })
  })

  test('a pair that was deleted elsewhere meanwhile is saved once', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Two tabs' })
    await owner.createPair(chatbot, 'When are you open?', 'Daily.')
    const page = await visit(t, `/chatbots/${chatbot}/sources`, /404/)
    await page.getByRole('button', { name: 'More: When are you open?' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const [{ uuid }] = await listSources(chatbot)
    await owner.json('POST', `/data-source/${uuid}/delete`)
    await page.getByLabel('Answer', { exact: true }).fill('Daily from 9 to 17.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal((await listSources(chatbot)).length, 1)
  })

  test('whoever cancels while many addresses are added stops it', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Many pages' })
    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    const added = '**/data-source/url'
    // The second request stays open until the test cancels.
    const second = Promise.withResolvers<void>()
    const cancelled = Promise.withResolvers<void>()
    let asked = 0
    await page.route(added, async (route) => {
      asked += 1
      if (asked === 2) second.resolve()
      if (asked > 1) await cancelled.promise
      await route.continue().catch(() => {})
    })
    const addresses = Array.from({ length: 20 }, (_unused, i) => `http://127.0.0.1/${i}`)
    await page.getByRole('button', { name: 'Add web page' }).click()
    await page.getByLabel('URL').fill(addresses.join('\n'))
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await second.promise
    await page.getByRole('button', { name: 'Cancel' }).click()
    cancelled.resolve()
    await page.waitForTimeout(1_000)
    const { length } = await listSources(chatbot)
    assert.ok(length >= 1 && length <= 2, `${length} were added`)
    await page
      .locator('.source-row')
      .nth(length - 1)
      .waitFor()
  })

  test('an address of spaces is a missing one', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Spaces' })
    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    await page.getByRole('button', { name: 'Add web page' }).click()
    const address = page.getByLabel('URL')
    await address.fill('   ')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.waitForTimeout(200)
    assert.ok(await address.isVisible())
    const isMissing = await address.evaluate(
      (field: HTMLTextAreaElement) => field.validity.valueMissing,
    )
    assert.ok(isMissing, 'the browser says so in its own words')
  })

  test('when the last failed source is deleted, all of them are shown', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Failed' })
    await owner.createPair(chatbot, 'When are you open?', 'Daily.')
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/data-source/url`, {
      url: 'http://127.0.0.1/closed',
    })
    await owner.settled(body.uuid)
    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    await page.getByRole('button', { name: 'Failed 1' }).click()
    await page.getByLabel('Select all').check()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'When are you open?' }).waitFor({ timeout: 5_000 })
    await page.getByRole('button', { name: 'All 1', pressed: true }).waitFor()
  })

  test('whoever deletes something with the keyboard goes on at the beginning of the page', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'By keyboard' })
    const url = 'https://museum.example/hook'
    const events = ['source.failed']
    await owner.json('POST', `/chatbot/${chatbot}/webhook/create`, { url, events })
    for (const question of ['One?', 'Two?', 'Three?'])
      await owner.createPair(chatbot, question, '.')
    const [{ uuid }] = await listSources(chatbot)
    await owner.json('POST', '/token/create', { name: 'website' })
    const page = await visit(t, '/tokens')
    const press = (name: string | RegExp) => page.getByRole('button', { name }).press('Enter')
    const confirm = async (gone: string) => {
      await page.getByRole('dialog').locator('.button.solid').press('Enter')
      await page.getByText(gone, { exact: true }).waitFor({ state: 'detached' })
      await page.locator('main:focus').waitFor({ timeout: 5_000 })
    }
    await press('Revoke: website')
    await confirm('website')

    await page.goto(`${server.address}/chatbots/${chatbot}/webhooks`)
    await press(`Delete: ${url}`)
    await confirm(url)

    await page.goto(`${server.address}/chatbots/${chatbot}/sources`)
    await press('More: Three?')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await confirm('Three?')
    await page.getByLabel('Select Two?').press('Space')
    await press('Delete')
    await confirm('Two?')
    await page.goto(`${server.address}/chatbots/${chatbot}/sources/${uuid}`)
    await press('More: One?')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await confirm('One?')
  })

  test('whoever could not delete something goes on at the same button, and where they came from when they give up', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Stays' })
    const url = 'https://museum.example/stays'
    await owner.json('POST', `/chatbot/${chatbot}/webhook/create`, {
      url,
      events: ['source.failed'],
    })
    await owner.createPair(chatbot, 'One?', '.')
    const [{ uuid: source }] = await listSources(chatbot)
    const session = await askAll(owner, chatbot, ['One?'])
    await owner.json('POST', '/token/create', { name: 'stays' })
    const page = await visit(t, '/tokens', /status of 500|ERR_FAILED/)
    const json = { code: 'internal', error: 'It broke.' }
    const failing: [said: RegExp, (route: Route) => Promise<void>][] = [
      [/went wrong/, (route) => route.fulfill({ status: 500, json })],
      [/Cannot reach the server/, (route) => route.abort()],
    ]
    const dialog = page.getByRole('dialog')
    const viaMenu = () => page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    const places: [path: string, opener: string, then?: () => Promise<void>][] = [
      ['/tokens', 'Revoke: stays'],
      [`/chatbots/${chatbot}/webhooks`, `Delete: ${url}`],
      [`/chatbots/${chatbot}/settings`, 'Delete chatbot'],
      [`/chatbots/${chatbot}/sessions/${session}`, 'Delete'],
      [`/chatbots/${chatbot}/sources`, 'More: One?', viaMenu],
      [`/chatbots/${chatbot}/sources/${source}`, 'More: One?', viaMenu],
    ]
    for (const [path, name, then] of places) {
      await page.goto(server.address + path)
      const opener = page.getByRole('button', { name })
      await opener.press('Enter')
      await then?.()
      for (const [said, fail] of failing) {
        await page.route(/\/(?:delete|revoke)$/, async (route) => {
          // Give the browser time to move the focus away from a disabled button.
          await page.waitForTimeout(100)
          await fail(route)
        })
        await dialog.locator('.button.solid').press('Enter')
        await dialog.getByRole('alert').filter({ hasText: said }).waitFor()
        await page.waitForTimeout(100)
        await dialog.locator('.button.solid:focus').waitFor({ timeout: 5_000 })
        await page.unroute(/\/(?:delete|revoke)$/)
      }
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.waitForTimeout(100)
      assert.ok(await opener.evaluate((it) => it === document.activeElement), path)
    }
  })

  test('whoever is refused in a low window sees why, goes on at the same button and sends nothing twice', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Refused' })
    const page = await visit(t, `/chatbots/${chatbot}/sources`, /status of 500/)
    await page.setViewportSize({ width: 320, height: 400 })
    let sent = 0
    await page.route('**/data-source/url', async (route) => {
      sent += 1
      // Give the browser time to move the focus away from a disabled button.
      await page.waitForTimeout(200)
      await route.fulfill({ status: 500, json: { code: 'internal', error: 'It broke.' } })
    })
    await page.getByRole('button', { name: 'Add web page' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('switch').check()
    const said = dialog.getByRole('alert')
    const add = dialog.getByRole('button', { name: 'Add', exact: true })
    const seen = async (what: Locator) => {
      const { y, height } = (await what.boundingBox())!
      const frame = (await dialog.boundingBox())!
      return y >= frame.y && y + height <= frame.y + frame.height
    }
    await dialog.getByLabel('URL').fill('museum.example')
    await dialog.getByLabel('URL').press('Enter')
    await said.waitFor()
    assert.deepEqual([await seen(said), await seen(add)], [true, true])

    await add.press('Enter')
    await said.waitFor({ state: 'detached' })
    await add.press('Enter')
    await add.click({ force: true })
    await said.waitFor()
    assert.equal(sent, 2)
    assert.ok(await add.evaluate((it) => it === document.activeElement))
    await assertAccessible(page, 'a dialog that was refused')
  })

  test('a deletion that runs is not begun again, and its button can be read meanwhile', async (t) => {
    await owner.json('POST', '/token/create', { name: 'slow' })
    const page = await visit(t, '/tokens')
    let sent = 0
    const enough = Promise.withResolvers<void>()
    await page.route('**/revoke', async (route) => {
      sent += 1
      await enough.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Revoke: slow' }).click()
    const button = page.getByRole('dialog').getByRole('button', { name: 'Revoke' })
    await button.dblclick()
    await page.keyboard.press('Enter')
    await page.locator('.button.solid[aria-disabled=true]:hover').waitFor()
    const [text, ground, danger] = await button.evaluate((it) => {
      for (const animation of document.getAnimations()) animation.finish()
      const { color, backgroundColor, borderColor } = getComputedStyle(it)
      return [color, backgroundColor, borderColor]
    })
    assert.notEqual(text, ground)
    assert.equal(ground, danger)
    enough.resolve()
    await page.getByText('slow', { exact: true }).waitFor({ state: 'detached' })
    assert.equal(sent, 1)
  })

  test('a double click makes one of what is to be made', async (t) => {
    const page = await visit(t, '/tokens')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByLabel('Name', { exact: true }).fill('single')
    await page.getByRole('button', { name: 'Create', exact: true }).dblclick()
    await page.getByRole('textbox', { name: 'Token' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.waitForTimeout(300)
    const { body } = await owner.json('GET', '/tokens')
    assert.equal(body.filter(({ name }: { name: string }) => name === 'single').length, 1)
  })

  test('the button that sends a test keeps the keyboard, and sends one at a time', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Pressed twice' })
    const { body } = await owner.json('POST', `/chatbot/${chatbot}/webhook/create`, {
      url: 'https://museum.example/twice',
      events: ['source.failed'],
    })
    const page = await visit(t, `/chatbots/${chatbot}/webhooks/${body.uuid}`)
    let sent = 0
    await page.route('**/webhook/*/test', async (route) => {
      sent += 1
      await page.waitForTimeout(200)
      await route.continue()
    })
    const send = page.getByRole('button', { name: 'Send test event' })
    await send.press('Enter')
    await send.and(page.locator('[aria-disabled=true]')).waitFor()
    await send.press('Enter')
    await send.and(page.locator('[aria-disabled=false]')).waitFor()
    assert.equal(sent, 1)
    assert.ok(await send.evaluate((it) => it === document.activeElement))
  })

  test('a name in a question keeps its own direction', async (t) => {
    const chatbot = await owner.createChatbot({ name: 'Directions' })
    await owner.createPair(chatbot, 'Is it open?', 'Daily.')
    const page = await visit(t, `/chatbots/${chatbot}/sources`)
    await page.evaluate(() => localStorage.setItem('docent.language', 'ar'))
    await page.reload()
    await page.locator('html[dir=rtl]').waitFor()
    await page.getByRole('button', { name: /: Is it open\?$/ }).click()
    await page.getByRole('menuitem').last().click()
    const [last, mark] = await page
      .getByRole('dialog')
      .locator('p')
      .first()
      .evaluate((question) => {
        const text = question.firstChild!
        const end = text.textContent!.indexOf('n?')
        return [end, end + 1].map((at) => {
          const range = document.createRange()
          range.setStart(text, at)
          range.setEnd(text, at + 1)
          return range.getBoundingClientRect().x
        })
      })
    assert.ok(mark! > last!, 'the question mark stands behind the question')
  })
})
