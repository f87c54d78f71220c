import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'
import { translatePage } from '../testing/translated-page.ts'

let page: Page
aKitPage(async (opened) => {
  page = opened
  await page.addInitScript(translatePage)
  await page.reload()
  await page.waitForSelector('html[data-ready]')
})

const row = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}, `) })
const message = (text: string) => page.getByRole('article').filter({ hasText: text })
const says = (text: string) =>
  page.evaluate((text) => window.kitFixture.server().says('bo', window.kitFixture.bo, text), text)

it('a page that the browser translates shows what comes, changes and goes', async () => {
  await page.evaluate(() => window.kitFixture.start())
  await says('First')
  await expect.poll(() => row('Bo Lindqvist').locator('.chat-badge').textContent()).toBe('1')
  await says('Second')
  await expect.poll(() => row('Bo Lindqvist').locator('.chat-badge').textContent()).toBe('2')

  await row('Bo Lindqvist').click()
  await message('Second').waitFor()
  const box = page.getByRole('textbox')
  await box.fill('Mine, with **marks** and https://example.com')
  await box.press('Enter')
  await message('Mine').locator('strong').waitFor()
  // The tick of an own message comes beside the time of its row.
  await row('Bo Lindqvist').locator('time svg').waitFor({ state: 'attached' })
  await says('<b>Third</b>\n\nand **more**')
  const third = await page.evaluate(() => window.kitFixture.server().conversations.find(({ id }) => id === 'bo')!)
  const { id } = third.messages.at(-1)!
  await message('Third').locator('strong').waitFor()

  const edit = (text: string) =>
    page.evaluate(([id, text]) => window.kitFixture.server().edits(id, { text }), [id, text] as const)
  await edit('Now **this** and `that`')
  await message('Now this').locator('code').waitFor()
  await edit('Now plain')
  await message('Now plain').waitFor()
  await page.evaluate((id) => window.kitFixture.server().deletes(id, { hard: false }), id)
  await message('Message deleted').waitFor()

  await page.evaluate(() => window.kitFixture.show({ language: 'de' }))
  await message('Nachricht gelöscht').waitFor()
})
