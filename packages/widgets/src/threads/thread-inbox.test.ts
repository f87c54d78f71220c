import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage, framesRest } from '../testing/kit-page.ts'

let page: Page
aKitPage(
  (opened) => {
    page = opened
  },
  { refuses: true },
)

/** Ada takes part in so many threads of one conversation, named "Question 0", "Question 1" … */
async function adaSees(count: number) {
  await page.evaluate(async (count) => {
    const { ada, bo, start } = window.kitFixture
    const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
    const messages = Array.from({ length: count }, (_, n) => [
      { id: `parent-${n}`, user: bo, text: `Question ${n}`, created_at: at(2_000 - n), reply_count: 1 },
      { id: `reply-${n}`, user: ada, text: 'Answer', created_at: at(200 - n), parent_id: `parent-${n}` },
    ])
    await start({ inbox: true, conversations: [{ id: 'racks', members: [ada, bo], messages: messages.flat() }] })
  }, count)
  await expect.poll(rows).toBe(Math.min(count, 10))
}
const rows = () => page.locator('.chat-channel-row').count()
const replied = (thread: string) =>
  page.evaluate(
    (thread_id) =>
      window.kitFixture
        .server()
        .pushes('racks', 'notification.thread_message_new', { thread_id, parent_id: thread_id }),
    thread,
  )
const updated = () => page.getByRole('button', { name: /updated/ })

it('after a failed refresh "Try again" refreshes, and does not load the next page', async () => {
  await adaSees(15)
  await replied('parent-12')
  await page.evaluate(() => void window.kitFixture.server().refusals.set('POST /threads', { status: 500, code: -1 }))
  await updated().click()
  await page.getByText('Your threads could not be loaded.').waitFor()
  await page.evaluate(() => window.kitFixture.server().refusals.clear())
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'More threads' }).waitFor()
  expect(await rows()).toBe(10)
  const asked = await page.evaluate(() => window.kitFixture.calls('/threads').map(({ body }) => body.next ?? 'first'))
  expect(asked).toEqual(['first', 'first', 'first'])
})

it('a reply that arrives during a refresh is still offered after it', async () => {
  await adaSees(3)
  await replied('parent-1')
  await page.evaluate(() => window.kitFixture.server().hold({ answered: true }))
  await framesRest(page)
  await updated().click()
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('chat-channel-row')
  await expect.poll(() => page.evaluate(() => window.kitFixture.calls('/threads').length)).toBe(2)
  await replied('parent-2')
  await page.evaluate(() => window.kitFixture.server().deliver())
  await expect.poll(() => updated().textContent()).toMatch(/^1 /)
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('chat-channel-row')
})

it('a thread expands its latest replies by key and by button, and a refresh keeps the number of listed threads', async () => {
  await page.evaluate(async () => {
    const { ada, bo, start } = window.kitFixture
    const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
    const parent = { id: 'parent', user: bo, text: 'Which supplier?', created_at: at(200), reply_count: 4 }
    const replies = ['One', 'Two', 'Three', 'Four'].map((text, n) => {
      return { id: `r${n}`, user: n % 2 ? bo : ada, text, created_at: at(100 - n), parent_id: 'parent' }
    })
    const alone = Array.from({ length: 14 }, (_, n) => [
      { id: `p${n}`, user: bo, text: `Question ${n}`, created_at: at(3_000 - n), reply_count: 1 },
      { id: `a${n}`, user: ada, text: 'Answer', created_at: at(1_000 - n), parent_id: `p${n}` },
    ])
    const messages = [parent, ...replies, ...alone.flat()]
    await start({ inbox: true, conversations: [{ id: 'racks', members: [ada, bo], messages }] })
  })
  const unfold = page.getByRole('button', { name: 'Latest replies to “Which supplier?”' })
  const latest = () => page.locator('.chat-thread-latest p').allTextContents()
  await unfold.click()
  expect(await latest()).toEqual(['Two', 'Three', 'Four'])
  expect(await page.locator('.chat-thread-unfold').count()).toBe(1)
  await page.locator('.chat-channel-row').filter({ hasText: 'Which supplier?' }).first().focus()
  await page.keyboard.press('ArrowLeft')
  expect(await latest()).toEqual([])
  await page.keyboard.press('ArrowRight')
  expect(await latest()).toHaveLength(3)
  await page.getByRole('button', { name: 'More threads' }).click()
  await expect.poll(rows).toBe(15)
  await replied('p3')
  await updated().click()
  await updated().waitFor({ state: 'detached' })
  await expect.poll(rows).toBe(15)
})
