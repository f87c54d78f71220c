import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

declare global {
  interface Window {
    /** notes that were played */
    heard?: number
  }
}

/** Ada has sounds on, and another window has the focus by default. */
async function adaListens(on: Page, { looked = false, level = 'all' } = {}) {
  await on.evaluate(
    ([looked, level]) => {
      window.heard = 0
      document.hasFocus = () => looked
      OscillatorNode.prototype.start = () => {
        window.heard! += 1
      }
      OscillatorNode.prototype.stop = () => {}
      localStorage.setItem('parley.preferences.ada', '{"sounds":true}')
      const conversations = window.kitFixture.aWorkingDay()
      for (const one of conversations) one.push_level = level
      return window.kitFixture.start({ open: 'racks', conversations })
    },
    [looked, level] as const,
  )
  await on.waitForSelector('.chat-scroll-row')
}
const says = (to: Page, text: string, fields: Record<string, unknown> = {}) =>
  to.evaluate(([text, fields]) => window.kitFixture.server().says('racks', window.kitFixture.bo, text, fields), [
    text,
    fields,
  ] as const)
const notes = (of: Page) => of.evaluate(() => window.heard!)
const isSaid = (on: Page, text: string) => on.locator('.chat-scroll-row').getByText(text, { exact: true }).waitFor()

it('a message that is not in view plays a sound', async () => {
  await adaListens(page)
  await says(page, 'Anybody there?')
  await expect.poll(() => notes(page)).toBe(2)
})

it('plays in a single page of a browser, and in none while one of them has the focus', async () => {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.waitForFunction(() => document.documentElement.dataset.ready !== undefined)
  const both = async () => (await notes(page)) + (await notes(other))
  await adaListens(page)
  await adaListens(other)
  await Promise.all([says(page, 'To both'), says(other, 'To both')])
  await expect.poll(both).toBe(2)
  await Promise.all([page, other].map((one) => isSaid(one, 'To both')))
  await page.waitForTimeout(400)
  expect(await both()).toBe(2)

  await adaListens(page, { looked: true })
  await adaListens(other)
  // The locks of the former pages are released in a moment.
  await page.waitForFunction(async () => ((await navigator.locks.query()).held ?? []).length === 0)
  await Promise.all([says(page, 'Seen at once'), says(other, 'Seen at once')])
  await Promise.all([page, other].map((one) => isSaid(one, 'Seen at once')))
  await page.waitForTimeout(400)
  expect(await both()).toBe(0)
  await other.close()
})

it('with mentions only, just these play a sound', async () => {
  await adaListens(page, { level: 'mentions' })
  await says(page, 'To nobody in particular')
  await isSaid(page, 'To nobody in particular')
  await page.waitForTimeout(400)
  expect(await notes(page)).toBe(0)
  await says(page, 'For you', { mentioned_users: [{ id: 'ada', name: 'Ada Okafor' }] })
  await expect.poll(() => notes(page)).toBe(2)
})
