import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

/** The messages before the working day: more than one page of them. */
const EARLIER = 120

/** Ada opens the long rack planning channel, on a page whose address contains the target message. */
beforeEach(async () => {
  await page.evaluate((count) => {
    const conversations = window.kitFixture.aWorkingDay()
    const racks = conversations.find(({ id }) => id === 'racks')!
    const [first] = racks.messages
    const earlier = Array.from({ length: count }, (_, i) => ({
      ...first!,
      id: `early-${i}`,
      text: `Early thought ${i}`,
      created_at: new Date(Date.parse(first!.created_at) - (count - i) * 60_000).toISOString(),
    }))
    const says = racks.messages.find(({ quoted_message_id }) => quoted_message_id)!
    Object.assign(says, { quoted_message_id: 'early-20', quoted_message: earlier[20] })
    racks.messages.unshift(...earlier)
    return window.kitFixture.start({ open: 'racks', conversations, history: true })
  }, EARLIER)
  await page.waitForSelector('.chat-scroll')
})

const row = (id: string) => page.locator(`[data-key="${id}"]`)
const hasFocus = (id: string) => expect.poll(() => row(id).evaluate((it) => it === document.activeElement)).toBe(true)
const quote = () => page.getByTitle('Go to the message from').last()
const isAtEnd = () =>
  page.locator('.chat-scroll').evaluate((it) => Math.abs(it.scrollHeight - it.clientHeight - it.scrollTop) <= 1)

/** A little way up, where the quote is still in view. */
async function readsAbove() {
  await page.locator('.chat-scroll').hover()
  await page.mouse.wheel(0, -150)
  await expect.poll(isAtEnd).toBe(false)
  await page.waitForTimeout(200)
  return topOfFirst()
}
/** Only the first message is visible then: the pane beside it makes the others higher. */
const topOfFirst = () => row('racks-9').evaluate((it) => it.getBoundingClientRect().top)

describe('with the target message in the address', () => {
  it('Back restores the former line, and Forward goes to the message again', async () => {
    const before = await readsAbove()
    await quote().click()
    await hasFocus('early-20')
    expect(await row('racks-15').count()).toBe(0)
    await page.goBack()
    await row('racks-9').waitFor()
    await expect.poll(async () => Math.abs((await topOfFirst()) - before)).toBeLessThanOrEqual(1)
    expect(await page.evaluate(() => document.activeElement?.closest('.chat-messages') != null)).toBe(true)
    expect(await page.getByRole('button', { name: 'Back to where you were' }).count()).toBe(0)
    await page.goForward()
    await hasFocus('early-20')
  })

  it('Back from the end goes to the end, and then, past two jumps at once, to where the first began', async () => {
    await quote().click()
    await hasFocus('early-20')
    await page.goBack()
    await row('racks-15').waitFor()
    await expect.poll(isAtEnd).toBe(true)
    const before = await readsAbove()
    await quote().click()
    await hasFocus('early-20')
    await page.getByRole('button', { name: '1 pinned message' }).click()
    await page.getByRole('complementary', { name: 'Pinned messages' }).getByText('Works for me, thanks').click()
    await hasFocus('racks-13')
    await page.evaluate(() => history.go(-2))
    await expect.poll(async () => Math.abs((await topOfFirst()) - before)).toBeLessThanOrEqual(1)
  })

  it('the floating way back goes there as well', async () => {
    const before = await readsAbove()
    await quote().click()
    await hasFocus('early-20')
    await page.getByRole('button', { name: 'Back to where you were' }).click()
    await row('racks-9').waitFor()
    await expect.poll(async () => Math.abs((await topOfFirst()) - before)).toBeLessThanOrEqual(1)
  })
})
