import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

const row = (name: string) =>
  page.locator('.chat-channel-row').filter({ has: page.locator(`.chat-channel-name:text-is("${name}")`) })
const thread = () => page.getByRole('complementary', { name: 'Thread' })
const sent = () =>
  page.evaluate(() => window.kitFixture.calls('/message').map(({ body }) => (body.message as { text: string }).text))

it('[MSG-20] messages that failed for lack of a connection are sent again when there is one, in the order they were written', async () => {
  await page.evaluate(() => window.kitFixture.start({ open: 'bo' }))
  await page.waitForSelector('.chat-scroll')
  await page.locator('[data-key="bo-0"]').focus()
  await page.keyboard.press('t')
  const reply = thread().getByRole('textbox')
  await reply.waitFor()
  await page.evaluate(() => {
    const server = window.kitFixture.server()
    server.cutOff = true
    server.drops()
  })

  const say = async (box: ReturnType<typeof thread>, text: string) => {
    await box.fill(text)
    await box.press('Enter')
    await page.getByText(text, { exact: true }).waitFor()
  }
  await say(reply, 'On page two')
  await say(page.getByRole('textbox', { name: 'Message Bo Lindqvist' }), 'Here it is')
  await say(reply, 'And on page three')
  // Nothing has failed: the banner shows the same.
  await expect.poll(() => page.getByText('Waiting for a connection', { exact: true }).count()).toBe(3)
  expect(await page.getByText(/Message Failed|request failed|not sent/).count()).toBe(0)
  expect(await sent()).toEqual([])

  // Opening another channel meanwhile makes no difference.
  await row('Rack planning').click()
  await page.getByRole('textbox', { name: 'Message Rack planning' }).waitFor()
  await page.evaluate(() => {
    const server = window.kitFixture.server()
    server.cutOff = false
    server.down = false
  })
  await expect.poll(sent, { timeout: 60_000 }).toEqual(['On page two', 'Here it is', 'And on page three'])
  await row('Bo Lindqvist').click()
  await page.locator('.chat-scroll').getByText('Here it is', { exact: true }).waitFor()
  await expect.poll(() => page.getByText(/Waiting for a connection|Message Failed/).count()).toBe(0)
  await page.locator('[data-key="bo-0"]').focus()
  await page.keyboard.press('t')
  await thread().getByText('And on page three').waitFor()
})
