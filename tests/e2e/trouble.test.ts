import assert from 'node:assert/strict'
import { after, suite, type TestContext, test } from 'node:test'
import { startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { assertAccessible } from './stage/accessibility.ts'
import { DESKTOP, PHONE, signIn, watchedPage } from './stage/browser.ts'
import { ACCOUNT, createAccount, stageMuseum } from './stage/stage.ts'

const REFUSED = /401|404|422|503|ERR_|Failed to (load resource|fetch dynamically imported module)/

suite('when something is amiss', needsChromium(), async () => {
  const server = await startTestServer({ after })
  const browser = await openBrowser({ after })
  const cookie = await createAccount(server)
  const chatbot = await stageMuseum(server.owner)

  async function visit(t: TestContext, path: string) {
    const { page, context, complaints } = await watchedPage(browser, [server.address], {
      expected: REFUSED,
    })
    t.after(async () => {
      await context.close()
      assert.deepEqual(complaints, [])
    })
    await signIn(context, server.address, cookie)
    await page.goto(server.address + path)
    return { page, context }
  }

  test('a sign-in that ends in the middle of writing is renewed without losing a word', async (t) => {
    const { page, context } = await visit(t, `/chatbots/${chatbot}/settings`)
    await page.getByLabel('Instructions').fill('Be brief, and speak of lanterns.')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    await assertAccessible(page, 'signing in again')
    const focused = await page.locator(':focus').getAttribute('name')
    assert.equal(focused, 'password', 'the name is known')
    await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('You are not signed in.').waitFor({ state: 'detached' })
    assert.equal(
      await page.getByLabel('Instructions').inputValue(),
      'Be brief, and speak of lanterns.',
    )
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const { body } = await server.owner.json('GET', `/chatbot/${chatbot}`)
    assert.equal(body.meta.prompt, 'Be brief, and speak of lanterns.')
  })

  test('whoever leaves with changes that are not saved is asked first', async (t) => {
    const { page } = await visit(t, `/chatbots/${chatbot}/settings`)
    await page.getByLabel('Name', { exact: true }).fill('Half changed')
    await page.getByRole('link', { name: 'Sources' }).click()
    await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
    await assertAccessible(page, 'leaving')
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Half changed')
    await page.getByRole('link', { name: 'Sources' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.getByRole('heading', { name: 'Sources' }).waitFor()
  })

  test('a server that is away is said to be, and the page goes on by itself when it is back', async (t) => {
    const { page } = await visit(t, `/chatbots/${chatbot}/sources`)
    await page.getByRole('link', { name: 'Visiting us' }).waitFor()
    await page.route('**/api/v1/**', (route) => route.abort())
    await page.getByRole('button', { name: 'More: Visiting us' }).click()
    await page.getByRole('menuitem', { name: 'Refresh now' }).click()
    await page.getByText('Failed: Cannot reach the server.').waitFor()
    await page.getByRole('link', { name: 'Conversations' }).click()
    await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
    await page.reload()
    await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
    await assertAccessible(page, 'a server that is away')
    await page.unroute('**/api/v1/**')
    await page.getByRole('heading', { name: 'Conversations', exact: true }).waitFor()
  })

  test('what could not be fetched while the server was away is there when it is back', async (t) => {
    const { page } = await visit(t, '/chatbots')
    await page.getByRole('link', { name: 'Museum guide' }).waitFor()
    const sources = '**/data-sources'
    const away = page.getByRole('alert').getByText('Cannot reach the server.')
    await page.route(sources, (route) => route.abort())
    await page.getByRole('link', { name: 'Museum guide' }).click()
    await page.getByRole('link', { name: 'Sources' }).click()
    await away.waitFor()
    await page.unroute(sources)
    await page.getByRole('link', { name: 'Visiting us' }).waitFor({ timeout: 30_000 })

    // A proxy sends such an error, without a code.
    await page.route(sources, (route) => route.fulfill({ status: 503, json: { error: 'Busy.' } }))
    await page.reload()
    await page.getByRole('alert').getByText('The server is temporarily unavailable.').waitFor()
    await page.unroute(sources)
    await page.getByRole('link', { name: 'Visiting us' }).waitFor({ timeout: 30_000 })
  })

  test('a page that is opened for the first time while the server is away waits for it, too', async (t) => {
    const { page } = await visit(t, `/chatbots/${chatbot}/sources`)
    await page.getByRole('link', { name: 'Visiting us' }).waitFor()
    await page.route('**/*', (route) => route.abort())
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
    await assertAccessible(page, 'a page that could not be fetched')
    await page.unroute('**/*')
    await page.getByRole('heading', { name: 'Usage' }).waitFor({ timeout: 15_000 })
  })

  test('why something was not saved is said beside the button that was pressed', async (t) => {
    const { page } = await visit(t, `/chatbots/${chatbot}/share`)
    await page.getByLabel('Suggested questions').fill('1\n2\n3\n4\n5\n6\n7')
    await page.getByRole('button', { name: 'Save' }).click()
    const alert = page.locator('form').getByRole('alert')
    await alert.waitFor()
    await page.evaluate(() => scrollTo(0, 0))
    const { bottom, height } = await alert.evaluate((element) => ({
      bottom: element.getBoundingClientRect().bottom,
      height: innerHeight,
    }))
    assert.ok(bottom <= height, `its end is at ${bottom} of ${height}`)
    await assertAccessible(page, 'not saved')

    await page.getByLabel('Suggested questions').fill('1')
    await page.getByRole('button', { name: 'Save' }).click()
    await alert.waitFor({ state: 'detached' })
  })

  test('a field that is wrong is seen with its label, not behind the bars above and below', async (t) => {
    const { page } = await visit(t, `/chatbots/${chatbot}/settings`)
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport)
      const save = page.getByRole('button', { name: 'Save' })
      for (const [label, end, right] of [
        ['Name', 9_999, 'Museum guide'],
        ['Messages', 0, '30'],
      ] as const) {
        const field = page.getByLabel(label, { exact: true })
        await field.fill('')
        await page.evaluate((end) => scrollTo(0, end), end)
        // A real mouse click would scroll the page.
        await save.evaluate((button) => (button as HTMLButtonElement).click())
        await page.waitForFunction(
          (field) => field === document.activeElement,
          await field.elementHandle(),
        )
        const isHidden = await field.evaluate((input) => {
          const label = input.parentElement!.querySelector('label')!.getBoundingClientRect()
          const box = input.getBoundingClientRect()
          const topbar = document.querySelector('.topbar')!.getBoundingClientRect()
          const bar = document.querySelector('.form-end')!.getBoundingClientRect()
          return label.top < topbar.bottom || box.bottom > bar.top
        })
        assert.equal(isHidden, false, `${label}, ${viewport.width} wide`)
        await field.fill(right)
      }
    }
  })

  test('that something is saved is said where it covers nothing that is used', async (t) => {
    const { page } = await visit(t, `/chatbots/${chatbot}/settings`)
    const name = page.getByLabel('Name', { exact: true })
    const used = '.save-row, .topbar, .page-actions, .test-chat button, .composer'
    for (const viewport of [DESKTOP, PHONE]) {
      await page.setViewportSize(viewport)
      await name.fill(`Museum guide ${viewport.width}`)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved', { exact: true }).waitFor()
      // The next change shows the bar again while the toast is still visible.
      await name.fill('Museum guide')
      await page.getByText('Unsaved changes').waitFor()
      for (const end of ['top', 'bottom']) {
        await page.evaluate((end) => scrollTo(0, end === 'top' ? 0 : 9_999), end)
        const covered = await page.evaluate((used) => {
          const toast = document.querySelector('.toast')!.getBoundingClientRect()
          return [...document.querySelectorAll(used)]
            .filter((element) => {
              const box = element.getBoundingClientRect()
              const isBeside = box.right <= toast.left || box.left >= toast.right
              return !isBeside && box.bottom > toast.top && box.top < toast.bottom
            })
            .map(({ className }) => className)
        }, used)
        assert.deepEqual(covered, [], `${viewport.width} wide, at the ${end}`)
      }
      await page.locator('.toast').waitFor({ state: 'detached' })
    }
  })

  test('a browser that says it is offline still asks the server, which may be on its own machine', async (t) => {
    const { page } = await visit(t, '/chatbots')
    await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { value: false }))
    await page.reload()
    await page.getByRole('link', { name: 'Museum guide' }).waitFor()
  })

  test('an address that is not there is a page for people and an error for programs', async (t) => {
    const { page } = await visit(t, '/no/such/page')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    const response = await page.reload()
    assert.equal(response?.status(), 404)
    const program = await fetch(`${server.address}/no/such/page`)
    assert.deepEqual(
      [program.status, ((await program.json()) as { code: string }).code],
      [404, 'not_found'],
    )
    const api = await fetch(`${server.address}/api/v1/nothing`, {
      headers: { accept: 'text/html' },
    })
    assert.match(api.headers.get('content-type')!, /json/)
  })

  test('visitors of a server that is away are told so, and may try again', async (t) => {
    const { page } = await visit(t, `/c/${chatbot}`)
    await page.route('**/api/v1/public/**', (route) => route.abort())
    await page.reload()
    await page.getByRole('heading', { name: 'Cannot reach the server.' }).waitFor()
    await assertAccessible(page, 'a share page whose server is away')
    await page.unroute('**/api/v1/public/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Welcome to the Lantern Museum!').waitFor()
  })

  test('a conversation that could not be fetched is said to be, and is there at the next try', async (t) => {
    const { page } = await visit(t, `/c/${chatbot}`)
    const suggestions = page.getByRole('list', { name: 'Suggested questions' })
    await suggestions.waitFor()
    await page.getByLabel('Your question').fill('When is the museum open?')
    await page.keyboard.press('Enter')
    await page.locator('.turn[data-state=done]').waitFor()
    await page.route('**/messages', (route) => route.abort())
    await page.reload()
    await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
    await assertAccessible(page, 'a conversation that could not be fetched')
    assert.equal(await suggestions.count(), 0, 'it is not a new conversation')
    await page.unroute('**/messages')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.turn').getByText('When is the museum open?').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
  })

  test('over plain http, where browsers have no clipboard, copying works all the same', async (t) => {
    const { page } = await visit(t, `/chatbots/${chatbot}/share`)
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined }),
    )
    await page.reload()
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByText('Copied').waitFor()
    await page.getByLabel('Greeting').fill('')
    await page.getByLabel('Greeting').press('Control+V')
    assert.equal(await page.getByLabel('Greeting').inputValue(), `${server.address}/c/${chatbot}`)
  })
})
