import assert from 'node:assert/strict'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']

/** Lists every violation that axe finds. */
export async function assertAccessible(page: Page, where: string, rules?: string[]): Promise<void> {
  // Finish transitions, because axe would check colors between light and dark.
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation instanceof CSSTransition) animation.finish()
  })
  const builder = new AxeBuilder({ page })
  // Frames contain other pages, which have their own checks.
  const axe = rules ? builder.withRules(rules) : builder.withTags(WCAG)
  // Without legacy mode, axe opens another page to collect the results of frames.
  const { violations } = await axe.setLegacyMode(true).exclude('iframe').analyze()
  assertNone(violations, where)
}

/** Landmarks of a page and of its frames need different names, because screen readers list them together. */
export async function assertLandmarks(page: Page, where: string): Promise<void> {
  const axe = new AxeBuilder({ page }).withRules(['landmark-unique'])
  const { violations } = await axe.setLegacyMode(true).analyze()
  assertNone(violations, where)
}

function assertNone(violations: Violations, where: string): void {
  const found = violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' | ')}`,
  )
  assert.deepEqual(found, [], where)
}

/** Nothing overflows the page horizontally: wide content scrolls in its own box or wraps. */
export async function assertFits(page: Page, where: string): Promise<void> {
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? scrollWidth - clientWidth : 0
  })
  assert.equal(wide, 0, `${where} is wider than the screen`)
}
