import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage(
  (opened) => {
    page = opened
  },
  { viewport: { width: 390, height: 800 }, isMobile: true, hasTouch: true },
)

/** The minimum touch target, in px. */
const AREA = 44

/**
 * Around the middle of each button, how far a finger may be off, in px along the line and across it; within that no
 * other element is hit. And the visible size of the smallest.
 */
function areas(selector: string) {
  return page.evaluate((selector) => {
    const buttons = [...document.querySelectorAll<HTMLElement>(selector)]
    const hits = (x: number, y: number) => document.elementFromPoint(x, y)?.closest('button')
    const off = buttons.map((button) => {
      const box = button.getBoundingClientRect()
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const reach = (dx: number, dy: number) => {
        let px = 0
        while (px < 100 && hits(x + dx * px, y + dy * px) === button) px++
        return px
      }
      const edges = [box.left + 3, box.right - 3].flatMap((at) => [hits(at, y) === button])
      return {
        inline: reach(1, 0) + reach(-1, 0),
        block: reach(0, 1) + reach(0, -1),
        own: edges.every(Boolean),
        drawn: Math.round(box.height),
      }
    })
    return off
  }, selector)
}

it('reactions and receipts have touch targets of 44 px without a larger look, and no overlap', async () => {
  await page.evaluate(() => window.kitFixture.start({ open: 'racks' }))
  await page.waitForSelector('.chat-scroll')
  await page.evaluate(() => {
    const { server, ada, bo, cy } = window.kitFixture
    for (const type of ['like', 'love', 'haha', 'wow', 'sad', 'fire', 'clap', 'tada'])
      for (const user of [bo, cy]) server().reacts('racks-15', user, type)
    server().reads('racks', bo)
    server().reads('racks', ada)
  })
  const receipt = '[data-key="racks-15"] button.chat-receipt'
  const chips = '[data-key="racks-15"] .chat-reaction'
  await page.locator(receipt).waitFor()
  await expect.poll(() => page.locator(chips).count()).toBeGreaterThan(6)
  await page.locator('.chat-scroll').evaluate((it) => it.scrollTo(0, it.scrollHeight))

  for (const selector of [chips, receipt]) {
    for (const { inline, block, own } of await areas(selector)) {
      expect(inline).toBeGreaterThanOrEqual(AREA)
      expect(block).toBeGreaterThanOrEqual(AREA)
      expect(own).toBe(true)
    }
  }
  expect((await areas(chips))[0]!.drawn).toBe(36)
  expect((await areas(receipt))[0]!.drawn).toBe(24)
})
