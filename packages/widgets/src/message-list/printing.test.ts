import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBrowserOn, type FixtureBrowser } from '../testing/browser.ts'

let browser: FixtureBrowser
beforeAll(async () => {
  browser = await aBrowserOn('chat-fixture.html')
})
afterAll(() => browser.close())

const COUNT = 400

/** Ada reads in the middle of a long history, all of which is loaded. */
async function adaReads(page: Page) {
  await page.evaluate(
    (count) => window.chatFixture.open(window.chatFixture.theLunchGroup(count), { theme: 'dark' }),
    COUNT,
  )
  await page.waitForSelector('.chat-scroll')
  await expect
    .poll(
      async () => {
        await page.evaluate(() => window.chatFixture.scrollBy(-2_000))
        return page.locator('[data-key=m0]').count()
      },
      { timeout: 30_000 },
    )
    .toBe(1)
  await page.evaluate(() => window.chatFixture.scrollBy(6_000))
}

it('on paper all loaded messages are printed, in dark ink, and the reading position is restored afterwards', async () => {
  const { page, problems, leave } = await browser.open({ viewport: { width: 700, height: 720 } })
  await adaReads(page)
  const seen = () => page.evaluate(() => window.chatFixture.inView())
  const rows = () => page.locator('.chat-scroll-row').count()
  await page.evaluate(() => window.chatFixture.painted())
  const before = await seen()
  expect(await rows()).toBeLessThan(COUNT)

  // The browser fires the event before the layout.
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
  expect(await rows()).toBe(COUNT)
  const paper = await page.evaluate(() => {
    const scroller = document.querySelector('.chat-scroll')!
    const { color } = getComputedStyle(document.querySelector('.chat-bubble')!)
    return { cut: scroller.scrollHeight - scroller.clientHeight, high: scroller.clientHeight, color }
  })
  expect(paper).toMatchObject({ cut: 0, color: 'rgb(0, 0, 0)' })
  expect(paper.high).toBeGreaterThan(COUNT * 20)
  expect(await page.locator('.chat-toolbar, .chat-list-bottom').filter({ visible: true }).count()).toBe(0)

  await page.emulateMedia({ media: 'screen' })
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await expect.poll(rows).toBeLessThan(COUNT)
  await expect.poll(seen).toEqual(before)
  expect(problems()).toEqual([])
  await leave()
})
