import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage(async (opened) => {
  page = opened
})

it('on a phone on its side, with its keyboard, conversation and box are in view', async () => {
  await page.setViewportSize({ width: 740, height: 170 })
  await page.evaluate(() => window.kitFixture.start({ open: 'bo' }, () => {}))
  await page.getByText('Sent!', { exact: true }).last().waitFor()
  const list = (await page.locator('.chat-scroll').boundingBox())!
  const box = (await page.getByRole('textbox').boundingBox())!
  // One whole message, and the box in full.
  expect(list.height).toBeGreaterThanOrEqual(70)
  expect(box.y + box.height).toBeLessThanOrEqual(170)
  const message = (await page.locator('.chat-scroll-row').last().locator('.chat-bubble').boundingBox())!
  expect(message.y).toBeGreaterThanOrEqual(list.y)
})
