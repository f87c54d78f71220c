import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

/** Ada has requested an animation of cats in her conversation with Bo. */
async function adaAsks() {
  await page.evaluate(() => window.kitFixture.start({ open: 'bo' }))
  await page.getByRole('textbox').focus()
  await page.keyboard.type('/giphy cats')
  await page.keyboard.press('Enter')
  await page.getByText('Only visible to you').waitFor()
}

const box = () => page.getByRole('textbox')
const button = (name: string) => page.locator('.chat-ephemeral').getByRole('button', { name })
const picture = () => page.getByRole('img', { name: 'cats' })
const inFocus = (locator: ReturnType<typeof box>) => locator.evaluate((it) => it === document.activeElement)
const decided = () =>
  page.evaluate(() => window.kitFixture.calls('/action').map(({ body }) => body.form_data as object))

it('[CMD-5] a gif is shown only to its sender, and shuffled and sent by keyboard', async () => {
  await adaAsks()
  await expect.poll(() => inFocus(button('Send'))).toBe(true)
  const first = await picture().getAttribute('src')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect.poll(() => picture().getAttribute('src')).not.toBe(first)
  expect(await inFocus(button('Shuffle'))).toBe(true)
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await page.getByText('Only visible to you').waitFor({ state: 'detached' })
  expect(await decided()).toEqual([{ image_action: 'shuffle' }, { image_action: 'send' }])
  await expect.poll(() => inFocus(box())).toBe(true)
  await picture().waitFor()
  // The command is not shown beside the picture.
  expect(await page.getByRole('feed').getByText('/giphy').count()).toBe(0)
})

it('Cancel removes it, and the focus returns to the box', async () => {
  await adaAsks()
  await button('Cancel').click()
  await picture().waitFor({ state: 'detached' })
  await expect.poll(() => inFocus(box())).toBe(true)
})

it('a user who types on is not interrupted', async () => {
  await adaAsks()
  await button('Cancel').click()
  await picture().waitFor({ state: 'detached' })
  await page.evaluate(() => window.kitFixture.server().hold())
  await page.keyboard.type('/giphy cats')
  await page.keyboard.press('Enter')
  await page.keyboard.type('By the way')
  await page.evaluate(() => window.kitFixture.server().deliver())
  await page.getByText('Only visible to you').waitFor()
  expect(await inFocus(box())).toBe(true)
})

it('offers no actions of ordinary messages', async () => {
  await adaAsks()
  await page.keyboard.press('Escape')
  expect(await page.locator('.chat-message[data-kind="ephemeral"]').getByRole('toolbar').count()).toBe(0)
})

it('an undecided one leaves the list after ten minutes', async () => {
  await page.clock.install()
  await adaAsks()
  await page.clock.runFor(11 * 60_000)
  await picture().waitFor({ state: 'detached' })
})

it('does not move with reduced motion, until the reader starts it', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await adaAsks()
  const still = await picture().getAttribute('src')
  await page.getByRole('button', { name: 'Play animation' }).click()
  await expect.poll(() => picture().getAttribute('src')).not.toBe(still)
  await page.getByRole('button', { name: 'Pause animation' }).click()
  await expect.poll(() => picture().getAttribute('src')).toBe(still)
})

it.each([
  ['de', 390],
  ['de', 320],
  ['fr', 390],
] as const)(
  'the buttons end at the edge of the picture, in two lines as well: "%s", %i px wide',
  async (language, width) => {
    await page.setViewportSize({ width, height: 700 })
    await page.evaluate((language) => window.kitFixture.start({ open: 'bo', language }), language)
    await page.getByRole('textbox').fill('/giphy cats')
    await page.keyboard.press('Enter')
    const endOf = (selector: string) =>
      page
        .locator(selector)
        .last()
        .evaluate((it) => Math.round(it.getBoundingClientRect().right))
    await page.locator('.chat-ephemeral button').last().waitFor()
    expect(await endOf('.chat-ephemeral button')).toBe(await endOf('[data-kind="ephemeral"] .chat-bubble'))
  },
)
