import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { startSite, startTestServer } from '@docent/server/test/harness.ts'
import { openBrowser } from '@docent/server/test/machine/open-browser.ts'
import { needsChromium, takesScreenshots } from '@docent/server/test/machine/outside-tools.ts'
import { loadWords } from '@docent/words/load-words.ts'
import { LANGUAGES, type Language } from '@docent/words/words.ts'
import type { Page } from 'playwright-core'
import { assertAccessible, assertFits } from './stage/accessibility.ts'
import { signIn, watchedPage } from './stage/browser.ts'
import { createAccount, stageBusyMuseum } from './stage/stage.ts'

const IMAGES = join(import.meta.dirname, '../../docs/images')
const PICTURE = { width: 1200, height: 780 }
/** Screens that the guide shows no picture of. */
const UNPICTURED = [
  'chatbots',
  'sources-empty',
  'nowhere',
  // The guide shows the dark version instead.
  'usage',
  'usage-empty',
  'search-empty',
  'webhooks',
  'webhooks-empty',
  'account',
]
const NARROW = { width: 320, height: 640 }

suite('every page', needsChromium(), async () => {
  const server = await startTestServer({ after })
  const browser = await openBrowser({ after })
  const cookie = await createAccount(server)
  const { chatbot, session, source, cited, empty, large, webhook } = await stageBusyMuseum(server)
  if (takesScreenshots) mkdirSync(IMAGES, { recursive: true })

  async function picture(page: Page, name: string): Promise<void> {
    if (takesScreenshots) await page.screenshot({ path: join(IMAGES, `${name}.png`), scale: 'css' })
  }

  const pages: [name: string, path: string, ready: string][] = [
    ['chatbots', '/chatbots', '.chatbot-card'],
    ['settings', `/chatbots/${chatbot}/settings`, '.suggestions'],
    ['sources', `/chatbots/${chatbot}/sources`, '.source-row'],
    ['sources-empty', `/chatbots/${empty}/sources`, '.empty'],
    [
      'passages',
      `/chatbots/${chatbot}/sources/${source}?${cited}`,
      '.passage-card[data-cited=true]',
    ],
    ['share', `/chatbots/${chatbot}/share`, '.preview iframe'],
    ['conversations', `/chatbots/${chatbot}/sessions`, '.source-row'],
    ['transcript', `/chatbots/${chatbot}/sessions/${session}`, '.chip'],
    ['unanswered', `/chatbots/${chatbot}/unanswered`, '.source-row'],
    ['usage', `/chatbots/${chatbot}/usage`, '.plot'],
    ['usage-empty', `/chatbots/${empty}/usage`, '.empty'],
    ['search', `/chatbots/${chatbot}/search?question=What+does+a+ticket+cost%3F`, '.passage-card'],
    ['search-empty', `/chatbots/${chatbot}/search`, '.empty'],
    ['webhooks', `/chatbots/${chatbot}/webhooks`, '.source-row'],
    ['webhooks-empty', `/chatbots/${empty}/webhooks`, '.empty'],
    ['deliveries', `/chatbots/${chatbot}/webhooks/${webhook}`, '.source-row'],
    ['tokens', '/tokens', '.source-row'],
    ['account', '/account', 'form'],
    ['nowhere', '/chatbots/unknown/usage', 'h1'],
  ]

  for (const [name, path, ready] of pages) {
    test(`${name}: light and dark, wide and 320 pixels narrow`, async (t) => {
      const { page, context, complaints, foreign } = await watchedPage(browser, [server.address], {
        viewport: PICTURE,
        expected: name === 'nowhere' ? /404/ : /^$/,
      })
      t.after(() => context.close())
      await signIn(context, server.address, cookie)
      await page.goto(server.address + path)
      await page.locator(ready).first().waitFor()
      if (name === 'share') await page.frameLocator('iframe').getByRole('heading').waitFor()
      if (name === 'settings') await askInTestChat(page)
      if (!UNPICTURED.includes(name)) await picture(page, `console-${name}`)
      await assertAccessible(page, `${name}, light`)
      await page.emulateMedia({ colorScheme: 'dark' })
      await assertAccessible(page, `${name}, dark`, ['color-contrast'])
      if (name === 'usage') await picture(page, 'console-usage-dark')
      await page.setViewportSize(NARROW)
      await assertFits(page, `${name}, narrow`)
      await assertAccessible(page, `${name}, narrow`, [
        'target-size',
        'scrollable-region-focusable',
      ])
      assert.deepEqual([complaints, foreign], [[], []])
    })
  }

  async function askInTestChat(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'When is the museum open?' }).click()
    await page.getByRole('button', { name: /^Source 1/ }).waitFor()
  }

  test('the menu of a phone opens, leads on and closes', async (t) => {
    const { page, context } = await watchedPage(browser, [server.address], { viewport: NARROW })
    t.after(() => context.close())
    await signIn(context, server.address, cookie)
    await page.goto(`${server.address}/chatbots/${chatbot}/sources`)
    await page.getByRole('button', { name: 'Menu' }).click()
    await assertAccessible(page, 'the menu of a phone')
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Sources' }).isVisible(), false)
  })

  test('the menus of a source, of downloads and of the account', async (t) => {
    const { page, context, complaints } = await watchedPage(browser, [server.address])
    t.after(() => context.close())
    await signIn(context, server.address, cookie)
    const menus: [string, RegExp][] = [
      [`/chatbots/${chatbot}/sources`, /^More: Visiting us/],
      [`/chatbots/${chatbot}/sessions`, /^Download$/],
      ['/chatbots', /^owner$/],
    ]
    for (const [path, name] of menus) {
      await page.goto(server.address + path)
      await page.getByRole('button', { name }).first().click()
      await page.getByRole('menu').waitFor()
      await assertAccessible(page, `a menu of ${path}`)
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
    assert.deepEqual(complaints, [])
  })

  test('the share page and the citation on it, light and dark', async (t) => {
    const { page, context, complaints } = await watchedPage(browser, [server.address], {
      viewport: PICTURE,
    })
    t.after(() => context.close())
    await page.goto(`${server.address}/c/${chatbot}`)
    await page.getByRole('button', { name: 'When is the museum open?' }).click()
    await page.getByRole('button', { name: /^Source 1/ }).waitFor()
    await picture(page, 'share-page')
    await assertAccessible(page, 'the share page')
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.getByRole('button', { name: /^Source 1/ }).click()
    await assertAccessible(page, 'a citation, dark')
    await page.setViewportSize(NARROW)
    await assertFits(page, 'a citation, narrow')
    await picture(page, 'citation-phone')
    assert.deepEqual(complaints, [])
  })

  test('the widget on a site, beside what is there', async (t) => {
    const site = await startSite(t, (_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(
        `<!doctype html><html lang="en"><title>The Lantern Museum</title>
         <style>body { margin: 0; font: 18px/1.6 Georgia, serif; color: #2b2722; background: #f6f1e7 }
         main { max-width: 34rem; padding: 4rem 3rem } h1 { font-size: 2.6rem; line-height: 1.15 }</style>
         <main><h1>The Lantern Museum</h1><p>Four hundred years of light, at the harbour.</p>
         <p>Open every day from 9 to 17, and on Fridays until 21.</p></main>
         <script src="${server.address}/widget.js" data-chatbot="${chatbot}" async></script></html>`,
      )
    })
    const { page, context, complaints } = await watchedPage(browser, [server.address, site], {
      viewport: PICTURE,
      expected: /favicon/,
    })
    t.after(() => context.close())
    await page.goto(site)
    await page.getByRole('button', { name: 'Museum guide' }).click()
    const chat = page.frameLocator('iframe')
    await chat.getByRole('button', { name: 'What does a ticket cost?' }).click()
    await chat.getByRole('button', { name: /^Source 1/ }).waitFor()
    await picture(page, 'widget')
    const box = (await page.locator('iframe').boundingBox())!
    assert.ok(box.x + box.width <= PICTURE.width - 20 && box.y >= 20, JSON.stringify(box))
    assert.deepEqual(complaints, [])
  })

  test('with text of twice the size, lists and icons follow, and nothing is cut off', async (t) => {
    const enlarged = await openBrowser(t, ['--blink-settings=defaultFontSize=32'])
    const lists = ['sources', 'sessions', 'unanswered', 'webhooks', `webhooks/${webhook}`]
    for (const width of [640, 1280]) {
      const { page, context } = await watchedPage(enlarged, [server.address], {
        viewport: { width, height: 900 },
      })
      await signIn(context, server.address, cookie)
      for (const list of lists) {
        const where = `${list}, ${width} wide`
        await page.goto(`${server.address}/chatbots/${chatbot}/${list}`)
        await page.locator('.source-row').first().waitFor()
        await assertFits(page, where)
        const cut = await page
          .locator('.source-facts')
          .evaluateAll((all) => all.filter((it) => it.scrollWidth > it.clientWidth).length)
        assert.equal(cut, 0, where)
        const menu = page.getByRole('button', { name: 'Menu', exact: true })
        assert.equal((await menu.locator('svg').boundingBox())?.width, 36, where)
      }
    }
  })

  test('with text of twice the size on a phone, menus and arrows follow', async (t) => {
    const enlarged = await openBrowser(t, ['--blink-settings=defaultFontSize=32'])
    const { page, context } = await watchedPage(enlarged, [server.address], {
      viewport: { width: 390, height: 844 },
    })
    await signIn(context, server.address, cookie)
    await page.goto(`${server.address}/chatbots/${chatbot}/sessions`)
    await page.getByRole('button', { name: 'Download' }).click()
    const menu = (await page.getByRole('menu').boundingBox())!
    assert.ok(menu.x >= 0 && menu.x + menu.width <= 390, JSON.stringify(menu))

    await page.goto(`${server.address}/chatbots/${chatbot}/sources`)
    await page.getByRole('button', { name: 'Add web page' }).click()
    const arrow = await page
      .getByRole('combobox')
      .evaluate((it) => getComputedStyle(it).backgroundSize)
    assert.equal(arrow, '10px 10px, 10px 10px', 'its halves touch')
  })

  test('the chosen entry of a menu is seen, light and dark', async (t) => {
    const { page, context } = await watchedPage(browser, [server.address])
    t.after(() => context.close())
    await signIn(context, server.address, cookie)
    await page.goto(`${server.address}/chatbots`)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator('.account-button').press('Enter')
      await page.keyboard.press('End')
      const chosen = page.getByRole('menuitem', { name: 'Sign out' })
      const outline = await chosen.evaluate((it) => getComputedStyle(it).outlineStyle)
      assert.equal(outline, 'solid', colorScheme)
      await assertAccessible(page, `a menu, ${colorScheme}`, ['color-contrast'])
      await page.keyboard.press('Escape')
    }
  })

  test('what is shown of a citation and asked about an answer fits a screen at four times its size', async (t) => {
    const { page, context } = await watchedPage(browser, [server.address], {
      viewport: { width: 320, height: 200 },
    })
    t.after(() => context.close())
    await page.goto(`${server.address}/c/${chatbot}`)
    await page.getByRole('button', { name: 'When is the museum open?' }).click()
    await page.getByRole('button', { name: /^Source 1/ }).click()
    const passage = page.locator('.passage')
    const hidden = await passage.evaluate((it) => it.scrollHeight - it.clientHeight)
    assert.equal(hidden, 0, 'it is read by scrolling the dialog')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Not helpful' }).click()
    const cut = await page
      .getByRole('textbox', { name: 'What was missing' })
      .evaluate((it: HTMLInputElement) => {
        it.value = it.placeholder
        return it.scrollWidth - it.clientWidth
      })
    assert.equal(cut, 0, 'the question is read to its end')
    await assertFits(page, 'an answer that was not helpful')
  })

  test('two hundred sources are searched, filtered and chosen at once', async (t) => {
    const { page, context } = await watchedPage(browser, [server.address])
    t.after(() => context.close())
    await signIn(context, server.address, cookie)
    await page.goto(`${server.address}/chatbots/${large}/sources`)
    await page.getByRole('button', { name: /^All 200$/ }).waitFor()
    await page.getByRole('button', { name: /^Q&A/ }).click()
    await page.getByRole('searchbox').fill('room 17')
    await page.getByText('Which lamps hang in room 179?').waitFor()
    await page.getByText('Which lamps hang in room 42?').waitFor({ state: 'detached' })
    await page.getByLabel('Select all').check()
    await page.getByText('11 selected').waitFor()
  })

  for (const language of Object.keys(LANGUAGES) as Language[]) {
    test(`in ${LANGUAGES[language]}, in its direction, without a word missing`, async (t) => {
      const words = await loadWords(language)
      const { page, context, complaints } = await watchedPage(browser, [server.address], {
        locale: language,
      })
      t.after(() => context.close())
      await signIn(context, server.address, cookie)
      await page.goto(`${server.address}/chatbots/${chatbot}/settings`)
      await page.getByRole('heading', { name: words.settings.title, exact: true }).waitFor()
      const { lang, dir, text } = await page.evaluate(() => ({
        lang: document.documentElement.lang,
        dir: document.documentElement.dir,
        text: document.body.innerText,
      }))
      assert.deepEqual([lang, dir], [language, language === 'ar' ? 'rtl' : 'ltr'])
      assert.doesNotMatch(text, /undefined|\{\w+\}/)
      const sidebar = (await page.locator('.sidebar').boundingBox())!
      assert.equal(sidebar.x > 600, language === 'ar', 'the navigation is where reading begins')
      await page.locator('.account-button').click()
      const menu = page.getByRole('menu')
      assert.equal(await menu.evaluate((element) => getComputedStyle(element).direction), dir)
      await page.keyboard.press('Escape')
      await page.setViewportSize(NARROW)
      await assertFits(page, language)
      if (language === 'ar') {
        await page.setViewportSize(PICTURE)
        await picture(page, 'console-arabic')
        await assertAccessible(page, 'right to left')
      }
      assert.deepEqual(complaints, [])
    })
  }
})
