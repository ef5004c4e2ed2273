import { type Browser, chromium } from 'playwright-core'
import { CHROMIUM } from './outside-tools.ts'

/** Chromium without background network traffic. */
export async function openBrowser(
  t: { after: (end: () => unknown) => void },
  settings: string[] = [],
): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...settings,
    ],
  })
  t.after(() => browser.close())
  return browser
}
