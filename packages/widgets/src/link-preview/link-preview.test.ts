import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage(async (opened) => {
  page = opened
  await page.evaluate(() => window.kitFixture.start({ open: 'bo' }))
  await page.getByRole('textbox').focus()
})

const box = () => page.getByRole('textbox')
const preview = () => page.locator('.chat-link-preview')
const calls = (path: string) => page.evaluate((path) => window.kitFixture.calls(path).map(({ body }) => body), path)
const skipped = async () => (await calls('/message')).map(({ skip_enrich_url }) => skip_enrich_url)

it('a link shows its preview in the composer, and the message is sent with it', async () => {
  await page.keyboard.type('See https://example.com/harbour.')
  await preview().getByText('The harbour').waitFor()
  await preview().getByText('example.com').waitFor()
  expect((await calls('/og')).length).toBe(1)
  await page.keyboard.press('Enter')
  await expect.poll(skipped).toEqual([true])
  const [sent] = await calls('/message')
  expect((sent!.message as { attachments: object[] }).attachments).toMatchObject([{ title: 'The harbour' }])
  expect(await preview().count()).toBe(0)
})

it('a removed preview stays removed for this link, and is not sent', async () => {
  await page.keyboard.type('See https://example.com/harbour')
  await preview().getByRole('button', { name: 'Send without this preview' }).click()
  await preview().waitFor({ state: 'detached' })
  expect(await box().evaluate((it) => it === document.activeElement)).toBe(true)
  await page.keyboard.type(' soon')
  expect(await preview().count()).toBe(0)
  await page.keyboard.press('Enter')
  await expect.poll(skipped).toEqual([true])
  // The next message is another one.
  await page.keyboard.type('https://example.com/harbour')
  await preview().waitFor()
})

it('a link without a preview is not announced', async () => {
  await page.keyboard.type('See https://example.com/nothing')
  await expect.poll(async () => (await calls('/og')).length).toBe(1)
  expect(await preview().count()).toBe(0)
})

it('[PERM-5] no preview is requested where links are forbidden', async () => {
  const conversations = await page.evaluate(() => window.kitFixture.aWorkingDay())
  const capabilities = ['read-events', 'send-message']
  await page.evaluate((options) => window.kitFixture.start(options), {
    open: 'bo',
    conversations: conversations.map((one) => ({ ...one, capabilities })),
  })
  await box().focus()
  await page.clock.install()
  await page.keyboard.type('https://example.com/harbour')
  // The preview code is loaded, and the typing pause is over.
  await page.waitForFunction(() => {
    const { client } = window.kitFixture.server()
    return client.channel('messaging', 'bo').composer.context.links !== undefined
  })
  await page.clock.runFor(1_000)
  expect(await preview().count()).toBe(0)
  await page.keyboard.press('Enter')
  await expect.poll(skipped).toEqual([undefined])
  expect(await calls('/og')).toEqual([])
})
