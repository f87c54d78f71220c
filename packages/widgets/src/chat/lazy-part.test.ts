/** A lazy part that fails to load when it is first shown. */
import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage(
  (opened) => {
    page = opened
  },
  { refuses: true },
)
beforeEach(() => adaOpens('en'))

async function adaOpens(language: string) {
  await page.evaluate((language) => window.kitFixture.start({ open: 'racks', language }), language)
  await page.waitForSelector('.chat-scroll')
}

/** From now on a part fails to load; returns a function that ends it. */
async function breaks(part: string) {
  const requests = new RegExp(`/${part}-[^/]+\\.js$`)
  await page.route(requests, (route) => route.abort())
  return () => page.unroute(requests)
}
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const notice = () => page.locator('.chat-notice').getByText('This could not be loaded. Check your connection.')
const hasFocus = (selector: string) => page.waitForFunction((s) => document.activeElement?.matches(s), selector)

it('a dialog is closed again and a notice gives the reason; the next press tries again', async () => {
  const mends = await breaks('EmojiPicker')
  await button('Emoji').click()
  await notice().waitFor()
  await hasFocus('.chat-emoji-button')
  expect(await page.locator('.chat-emoji-button').getAttribute('aria-expanded')).toBe('false')
  await button('Emoji').click()
  await page.locator('.chat-notice').getByText('2', { exact: false }).first().waitFor()
  await mends()
  await button('Emoji').click()
  await page.getByRole('dialog').getByRole('searchbox').waitFor()
  await page.keyboard.press('Escape')
  await hasFocus('.chat-emoji-button')
})

it('a style sheet is requested again as well', async () => {
  const sheets = /\/EmojiPicker-[^/]+\.css$/
  await page.route(sheets, (route) => route.abort())
  await button('Emoji').click()
  await notice().waitFor()
  await page.unroute(sheets)
  await button('Emoji').click()
  await page.getByRole('dialog').getByRole('searchbox').waitFor()
  const looks = () =>
    page.evaluate(() => [...document.styleSheets].filter(({ href }) => /EmojiPicker/.test(href ?? '')))
  await expect.poll(async () => (await looks()).length).toBe(1)
})

it('the menu of a message opens once it can be loaded, by key as well', async () => {
  const mends = await breaks('MessageMenu')
  const row = page.locator('[data-key="racks-13"]')
  await row.focus()
  await page.keyboard.press('Shift+F10')
  await notice().waitFor()
  expect(await row.evaluate((it) => it === document.activeElement)).toBe(true)
  await mends()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu').waitFor()
})

it('the menu of a conversation, and a side pane, are closed as well', async () => {
  const mends = [await breaks('ChannelMenu'), await breaks('PinsPane')]
  const pins = button('1 pinned message')
  await pins.click()
  await notice().waitFor()
  expect(await pins.getAttribute('aria-pressed')).toBe('false')
  await page.locator('.chat-channel-row').first().focus()
  await page.keyboard.press('Shift+F10')
  await expect.poll(() => page.locator('.chat-channel[data-open]').count()).toBe(0)
  for (const mend of mends) await mend()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu').waitFor()
  await page.keyboard.press('Escape')
  await pins.click()
  await page.getByRole('complementary', { name: 'Pinned messages' }).waitFor()
})

it('a part that cannot be closed shows the failure in its place, and loads by its button', async () => {
  const mends = await breaks('Found')
  await page.getByRole('searchbox').fill('rack')
  const place = page.locator('.chat-channels').getByText('This could not be loaded. Check your connection.')
  await place.waitFor()
  expect(await axeFinds(page)).toEqual([])
  await button('Try again').click()
  await place.waitFor()
  await mends()
  await button('Try again').click()
  await page.locator('.chat-found').waitFor()
  expect(await place.count()).toBe(0)
})

it('an optional part is left out without a notice, and typing is not interrupted', async () => {
  await breaks('FormatTools')
  await page.getByRole('textbox', { name: /^Message/ }).pressSequentially('Half a sentence')
  expect(await page.getByRole('textbox', { name: /^Message/ }).inputValue()).toBe('Half a sentence')
  expect(await notice().count()).toBe(0)
})

it('a format shortcut shows the failure', async () => {
  await breaks('emphasis')
  await page.getByRole('textbox', { name: /^Message/ }).fill('Half a sentence')
  await page.keyboard.press('ControlOrMeta+b')
  await notice().waitFor()
})

it('the failure is in the language of the reader', async () => {
  await adaOpens('de')
  await breaks('EmojiPicker')
  await page.locator('.chat-emoji-button').click()
  await page.getByText('Das konnte nicht geladen werden. Bitte prüfen Sie Ihre Verbindung.').first().waitFor()
})
