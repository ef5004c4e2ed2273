import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium } from '@docent/server/test/machine/outside-tools.ts'
import { assertAccessible } from './stage/accessibility.ts'
import { DESKTOP, PHONE, watchedPage } from './stage/browser.ts'
import { ACCOUNT } from './stage/stage.ts'

for (const [device, viewport] of [
  ['a desktop', DESKTOP],
  ['a phone', PHONE],
] as const) {
  test(`on ${device}, a new owner gets to a cited answer`, needsChromium(), async (t) => {
    const { address, services } = await startTestServer(t)
    const browser = await openBrowser(t)
    const { page, complaints, foreign } = await watchedPage(browser, [address], { viewport })
    const started = performance.now()

    await page.goto(`${address}/setup#${services.setupCode}`)
    await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password)
    await assertAccessible(page, 'creating the account')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Lantern Museum')
    assert.ok(!page.url().includes(services.setupCode), 'the code does not stay in the address')
    await assertAccessible(page, 'the first chatbot')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'When is the museum open?' }).click()
    await page.getByRole('button', { name: /^Source 1: Visiting us/ }).click()
    const quoted = page.locator('dialog mark.cited').first()
    await quoted.waitFor()
    assert.match(await quoted.innerText(), /open every day from 9 a\.m\. to 5 p\.m\./)
    t.diagnostic(`after ${Math.round((performance.now() - started) / 1000)} s`)

    // The surrounding text loads later.
    const around = { hasText: 'Elevators serve all floors' }
    await page.locator('dialog .passage').filter(around).waitFor()
    await assertAccessible(page, 'an open citation')
    await page.keyboard.press('Escape')
    await quoted.waitFor({ state: 'detached' })
    const focused = page.locator(':focus')
    assert.match((await focused.getAttribute('aria-label'))!, /^Source 1/, 'the focus is back')
    assert.deepEqual({ complaints, foreign }, { complaints: [], foreign: [] })
  })
}

test('whoever signs out is out, and signs in again where they were', needsChromium(), async (t) => {
  const { address, owner, services } = await startTestServer(t)
  const chatbot = await owner.createChatbot({ name: 'Kept' })
  const browser = await openBrowser(t)
  const expected = /401|Failed to load resource/
  const { page, complaints } = await watchedPage(browser, [address], { expected })
  await page.goto(`${address}/setup#${services.setupCode}`)
  await page.getByLabel('Username').fill('Ada')
  await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('link', { name: 'Kept' }).waitFor()

  await page.getByRole('button', { name: 'Ada' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await assertAccessible(page, 'signing in')
  const name = page.getByLabel('Username')
  // A phone would capitalize the name.
  assert.equal(await name.getAttribute('autocapitalize'), 'none')
  assert.equal(await name.getAttribute('autocorrect'), 'off')

  await page.goto(`${address}/chatbots/${chatbot}/usage`)
  await page.getByLabel('Username').fill('Ada')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('The username or the password is wrong.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Usage' }).waitFor()

  await page.goto(`${address}/account`)
  await page.getByLabel('Current password').fill(ACCOUNT.password)
  await page.getByLabel('New password').fill('another long password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').waitFor()
  assert.deepEqual(complaints, [])
})

test(
  'whoever comes without the printed link, or with an old one, is asked for its code',
  needsChromium(),
  async (t) => {
    const { address, services } = await startTestServer(t)
    const browser = await openBrowser(t)
    const { page, complaints } = await watchedPage(browser, [address], { expected: /403/ })
    await page.goto(`${address}/setup#of-an-earlier-start`)
    await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password)
    assert.equal(await page.getByLabel('Setup code').count(), 0)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').getByText('Open the link that the server printed').waitFor()
    assert.equal(await page.getByLabel('Setup code').inputValue(), 'of-an-earlier-start')

    await page.goto('about:blank')
    await page.goto(address)
    await page.getByLabel('Password', { exact: true }).fill(ACCOUNT.password)
    await page.getByLabel('Setup code').fill(services.setupCode)
    await assertAccessible(page, 'creating the account with a code')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Create your first chatbot' }).waitFor()
    assert.deepEqual(complaints, [])
  },
)
