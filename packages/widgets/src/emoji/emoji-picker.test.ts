import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage(async (opened) => {
  page = opened
  await page.evaluate(() => window.kitFixture.start({ open: 'bo' }))
  await page.waitForSelector('.chat-scroll')
})

const box = () => page.locator('.chat-composer textarea')
const picker = () => page.getByRole('dialog', { name: 'Choose an emoji' })
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
async function adaOpensPicker() {
  await page.getByRole('button', { name: 'Emoji', exact: true }).click()
  await picker().getByRole('gridcell').first().waitFor()
}

it('an emoji is found by name and inserted at the caret', async () => {
  await box().fill('Well done!')
  await box().evaluate((it: HTMLTextAreaElement) => it.setSelectionRange(9, 9))
  await adaOpensPicker()
  await page.keyboard.type('party pop')
  await picker().getByRole('button', { name: 'party popper' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => box().inputValue()).toBe('Well done🎉!')
  await expect.poll(() => box().evaluate((it) => it === document.activeElement)).toBe(true)
})

it('the Enter that ends a composition chooses no emoji', async () => {
  await adaOpensPicker()
  await page.keyboard.type('party pop')
  await picker().getByRole('button', { name: 'party popper' }).waitFor()
  // As in Safari: the composition has ended, and the key code is the only sign of it.
  const enter = { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }
  await picker().getByRole('searchbox').dispatchEvent('keydown', enter)
  expect([await picker().count(), await box().inputValue()]).toEqual([1, ''])
})

it('the close button of the picker is in the language of the chat, whatever the browser’s', async () => {
  await page.evaluate(() => window.kitFixture.show({ language: 'de' }))
  await page.getByRole('button', { name: 'Emojis', exact: true }).click()
  const close = page.locator('.chat-emoji-popover').getByRole('button', { name: 'Schließen', exact: true })
  await close.first().waitFor({ state: 'attached' })
})

it('the arrows move through tabs and emoji; Escape restores the focus', async () => {
  await adaOpensPicker()
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe('grinning face')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  expect(await focused()).toBe(
    await picker().getByRole('row').nth(1).getByRole('button').nth(1).getAttribute('aria-label'),
  )
  await page.keyboard.press('Shift+Tab')
  expect(await focused()).toBe('Smileys')
  await page.keyboard.press('ArrowRight')
  await picker().getByRole('tabpanel', { name: 'People' }).getByRole('button', { name: 'waving hand' }).waitFor()
  await page.keyboard.press('Escape')
  await picker().waitFor({ state: 'detached' })
  await expect.poll(focused).toBe('Emoji')
})

it('the skin tone and the recent emoji are stored', async () => {
  await adaOpensPicker()
  await picker().getByRole('radio', { name: 'Medium skin tone' }).click()
  await picker().getByRole('searchbox').fill('thumbs up')
  await page.keyboard.press('Enter')
  await expect.poll(() => box().inputValue()).toBe('👍🏽')
  await box().fill('')
  await adaOpensPicker()
  expect(await picker().getByRole('tab', { selected: true }).getAttribute('aria-label')).toBe('Recently used')
  expect(await picker().getByRole('gridcell').allTextContents()).toEqual(['👍🏽'])
})

it('a search without results shows so', async () => {
  await adaOpensPicker()
  await page.keyboard.type('qqqqq')
  await picker().getByText('No emoji found').waitFor()
})

it('is accessible', async () => {
  await adaOpensPicker()
  expect(await axeFinds(page, '[role=dialog]')).toEqual([])
})

it('[RXN-12] any emoji can be added as a reaction to a message', async () => {
  await page.locator('[data-key="bo-0"]').hover()
  await page.locator('[data-key="bo-0"]').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Another emoji' }).click()
  await picker().getByRole('searchbox').fill('rocket')
  await page.keyboard.press('Enter')
  await page.locator('[data-key="bo-0"]').getByRole('button', { name: '🚀, 1, only you' }).waitFor()
  // It is shown before it is sent.
  const sent = () => page.evaluate(() => window.kitFixture.calls('/reaction').map(({ body }) => body.reaction))
  await expect.poll(sent).toEqual([{ type: '🚀' }])
})
