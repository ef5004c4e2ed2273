import assert from 'node:assert/strict'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations']

/** Everything that axe finds fault with, in a line each; there must be none. */
export async function assertAccessible(page: Page, where: string, rules?: string[]): Promise<void> {
  // A colour on its way from light to dark is nobody's choice.
  await page.evaluate(() => {
    for (const animation of document.getAnimations())
      if (animation instanceof CSSTransition) animation.finish()
  })
  const builder = new AxeBuilder({ page })
  // What is in a frame is another page, which is looked at by itself.
  const axe = rules ? builder.withRules(rules) : builder.withTags(WCAG)
  // In its older mode it opens no page of its own to add up what it found in frames.
  const { violations } = await axe.setLegacyMode(true).exclude('iframe').analyze()
  assertNone(violations, where)
}

/** Whoever goes from landmark to landmark can tell those of a page from those of the frames in it. */
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

/** Nothing sticks out to the side: what does not fit scrolls by itself or breaks. */
export async function assertFits(page: Page, where: string): Promise<void> {
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth ? scrollWidth - clientWidth : 0
  })
  assert.equal(wide, 0, `${where} is wider than the screen`)
}
