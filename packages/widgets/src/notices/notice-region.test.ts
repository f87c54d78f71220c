import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

const region = () => page.getByRole('region', { name: 'Notices' })
const hasFocus = (selector: string) => page.waitForFunction((s) => document.activeElement?.matches(s), selector)

/** Ada mutes two users, one after the other; each has a notice with an undo button. */
async function twoNotices() {
  await page.evaluate(() => window.kitFixture.start({ open: 'racks' }))
  await page.waitForSelector('.chat-scroll')
  for (const [id, name] of [
    ['racks-13', 'Bo Lindqvist'],
    ['racks-10', 'Cy Tanaka'],
  ]) {
    await page.locator(`[data-key="${id}"]`).focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: `Mute ${name}` }).press('Enter')
    await region().getByText(`You muted ${name}`).waitFor()
  }
}

it('F6 moves to the notices; closing one moves to the next, and after the last back to the former focus', async () => {
  await twoNotices()
  await page.getByRole('textbox').focus()
  await page.keyboard.press('F6')
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.chat-notices') !== null)).toBe(true)
  await region().getByRole('button', { name: 'Close' }).first().press('Enter')
  await hasFocus('.chat-notice button')
  expect(await region().locator('.chat-notice').count()).toBe(1)
  await region().getByRole('button', { name: 'Close' }).press('Enter')
  await region().waitFor({ state: 'detached' })
  await hasFocus('textarea')
})

it('on a phone a notice does not cover the back button and the title of the conversation', async () => {
  await page.setViewportSize({ width: 390, height: 800 })
  await twoNotices()
  const [notice, header] = await Promise.all(
    ['.chat-notices', '.chat-header'].map((part) => page.locator(part).boundingBox()),
  )
  expect(notice!.y).toBeGreaterThanOrEqual(header!.y + header!.height)
})

it('the text for support is behind "Details"', async () => {
  await page.evaluate(() =>
    window.kitFixture.start({ open: 'racks' }, (server) =>
      server.refusals.set('POST /mute', { status: 403, code: 17, message: 'Not for you' }),
    ),
  )
  await page.waitForSelector('.chat-scroll')
  await page.locator('[data-key="racks-13"]').focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Mute Bo Lindqvist' }).press('Enter')
  await region().getByText('Error muting a user').waitFor()
  const details = region().getByText(/error code 17/)
  expect(await details.isVisible()).toBe(false)
  await region().getByText('Details').click()
  await details.waitFor()
})
