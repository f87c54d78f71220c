import type { Page } from 'playwright-core'
import { beforeEach, expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

const row = (text: string) => page.getByRole('article').filter({ hasText: text })
const box = () => page.getByRole('textbox')
/** Every letter of a message's shortcuts. */
const SENTENCE = 'Replace the tea, please. File it under “fun”, cut it, leave it.'

beforeEach(async () => {
  await page.evaluate(() => window.kitFixture.start({ open: 'bo' }))
  await page.evaluate(() => window.kitFixture.server().says('bo', window.kitFixture.bo, 'Somebody’s words'))
  await row('Somebody’s words').waitFor()
})

it('what is typed after a press on a message goes to the text box, and changes no message', async () => {
  const calls = await page.evaluate(() => window.kitFixture.calls('').length)
  await row('Somebody’s words').getByText('Somebody’s words').click()
  await page.keyboard.type(SENTENCE)
  await expect.poll(() => box().inputValue()).toBe(SENTENCE)
  expect(await page.getByRole('dialog').count()).toBe(0)
  const since = await page.evaluate((calls) => window.kitFixture.calls('').slice(calls), calls)
  expect(since.filter(({ path }) => /messages\/|flag|unread/.test(path))).toEqual([])
})

it('and so does what is pasted', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText('From elsewhere'))
  await row('Somebody’s words').getByText('Somebody’s words').click()
  await page.keyboard.press('Control+V')
  await expect.poll(() => box().inputValue()).toBe('From elsewhere')
})

it('on a message reached by keyboard a letter is a command, and any other is typed', async () => {
  await row('Somebody’s words').getByText('Somebody’s words').click()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('r')
  await page.getByRole('button', { name: 'Cancel reply' }).waitFor()
  expect(await box().inputValue()).toBe('')
  await page.keyboard.press('Escape')

  await row('Somebody’s words').focus()
  await page.keyboard.type('xyz')
  await expect.poll(() => box().inputValue()).toBe('xyz')
})

it('a pin can be undone', async () => {
  await row('Somebody’s words').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('p')
  const notice = page.getByRole('region', { name: 'Notices' })
  await notice.getByText('Message pinned').waitFor()
  await notice.getByRole('button', { name: 'Undo' }).click()
  await page.waitForFunction(() => document.querySelector('.chat-message[data-pinned]') === null)
})
