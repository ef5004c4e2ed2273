import assert from 'node:assert/strict'
import type { Ends } from '@docent/server/test/harness.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'

export const DESKTOP = { width: 1280, height: 900 }
export const PHONE = { width: 360, height: 740 }

export interface Watched {
  page: Page
  context: BrowserContext
  /** Errors, violations of the content policy and React's warnings. */
  complaints: string[]
  /** Requests to origins other than the given ones. */
  foreign: string[]
}

interface WatchOptions {
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  locale?: string
  /** Console messages that the test causes on purpose. */
  expected?: RegExp
}

/** Opens a page and records its requests and complaints. */
export async function watchedPage(
  browser: Browser,
  origins: string[],
  { viewport = DESKTOP, colorScheme = 'light', locale = 'en', expected = /^$/ }: WatchOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport, colorScheme, locale })
  context.setDefaultTimeout(90_000)
  const page = await context.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  const complain = (text: string) => {
    if (!expected.test(text)) complaints.push(text)
  }
  page.on('pageerror', (error) => complain(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complain(message.text())
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol !== 'data:' && protocol !== 'blob:' && !origins.includes(origin)) {
      foreign.push(request.url())
    }
  })
  return { page, context, complaints, foreign }
}

/** Sets the cookie that the sign-in page would set. */
export function signIn(context: BrowserContext, address: string, cookie: string): Promise<void> {
  return context.addCookies([{ name: 'docent_sign_in', value: cookie, url: address }])
}

/** Opens console pages, signed in. Fails at the end if a page complained or sent foreign requests. */
export function consoleVisits(browser: Browser, address: string, cookie: string) {
  return async (t: Ends, path: string, expected = /^$/): Promise<Page> => {
    const { page, context, complaints, foreign } = await watchedPage(browser, [address], {
      expected,
    })
    await signIn(context, address, cookie)
    await page.goto(address + path)
    t.after(async () => {
      await context.close()
      assert.deepEqual([complaints, foreign], [[], []])
    })
    return page
  }
}
