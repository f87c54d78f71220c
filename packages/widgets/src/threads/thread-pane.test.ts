import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage(
  (opened) => {
    page = opened
  },
  { refuses: true },
)

const thread = () => page.locator('.chat-thread')
const reply = (id: string) => thread().locator(`[data-key="${id}"]`)
const follow = () => reply('r119').getByTitle('Go to the message').click()
const focusedKey = () => page.evaluate(() => document.activeElement?.getAttribute('data-key'))
const isInView = (id: string) =>
  reply(id).evaluate((row) => {
    const list = row.closest('.chat-scroll')!.getBoundingClientRect()
    const { top, bottom } = row.getBoundingClientRect()
    return bottom > list.top && top < list.bottom
  })

describe('a thread of 120 replies, of which the last quotes the third', () => {
  beforeEach(async () => {
    await page.evaluate(async () => {
      const { ada, bo, start } = window.kitFixture
      const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
      const parent = { id: 'parent', user: bo, text: 'Which supplier?', created_at: at(200), reply_count: 120 }
      const replies = Array.from({ length: 120 }, (_, n) => {
        const said = { id: `r${n}`, user: bo, text: `Reply ${n}`, created_at: at(150 - n), parent_id: 'parent' }
        return n === 119 ? { ...said, quoted_message_id: 'r2' } : said
      })
      const conversations = [{ id: 'bo', members: [ada, bo], messages: [parent, ...replies] }]
      await start({ open: 'bo', conversations })
    })
    await page.locator('[data-key=parent]').focus()
    await page.keyboard.press('t')
    await reply('r119').waitFor()
  })

  it('goes to a reply that is not loaded yet, and highlights it', async () => {
    expect(await reply('r2').count()).toBe(0)
    await follow()
    await expect.poll(focusedKey).toBe('r2')
    expect(await reply('r2').getAttribute('data-highlighted')).toBe('true')
    expect(await isInView('r2')).toBe(true)
  })

  it('shows a notice when the reply cannot be loaded, and does not go there later', async () => {
    await page.evaluate(() => void window.kitFixture.server().refusals.set('GET /replies', { status: 404, code: 16 }))
    await follow()
    const focused = await focusedKey()
    await page.locator('.chat-notice').getByText('This message is not available').waitFor()
    expect(await isInView('r119')).toBe(true)
    await page.evaluate(async () => {
      const server = window.kitFixture.server()
      server.refusals.clear()
      const thread = await server.client.getThread('parent')
      while (thread.snapshot().hasOlder) await thread.loadOlder()
    })
    await reply('r2').waitFor({ state: 'attached' })
    expect([await isInView('r119'), await focusedKey()]).toEqual([true, focused])
  })

  it('shows a notice when the newest reply cannot be loaded', async () => {
    await follow()
    await expect.poll(focusedKey).toBe('r2')
    await page.evaluate(() => void window.kitFixture.server().refusals.set('GET /replies', { status: 500, code: -1 }))
    await thread().getByRole('button', { name: 'Go to the newest message' }).click()
    await page.locator('.chat-notice').getByText('Newer messages could not be loaded.').waitFor()
    expect(await isInView('r2')).toBe(true)
  })

  it('scrolls to a sent reply, from far back in it, too', async () => {
    await follow()
    await expect.poll(focusedKey).toBe('r2')
    const box = thread().getByRole('textbox')
    await box.fill('Here I am')
    await box.press('Enter')
    const sent = thread().locator('article', { hasText: 'Here I am' })
    await sent.waitFor()
    await expect
      .poll(() =>
        thread()
          .locator('.chat-scroll')
          .evaluate((it) => it.scrollHeight - it.clientHeight - it.scrollTop),
      )
      .toBeLessThanOrEqual(1)
    expect(await sent.isVisible()).toBe(true)
  })
})

it("links back to an own message by the user's name, where “you” would not fit into the sentence", async () => {
  await page.evaluate(async () => {
    const { ada, bo, start } = window.kitFixture
    const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
    const parent = { id: 'parent', user: ada, text: 'Which supplier?', created_at: at(90), reply_count: 60 }
    const replies = Array.from({ length: 60 }, (_, n) => {
      return { id: `r${n}`, user: bo, text: `Reply ${n}`, created_at: at(60 - n), parent_id: 'parent' }
    })
    const conversations = [{ id: 'bo', members: [ada, bo], messages: [parent, ...replies] }]
    await start({ open: 'bo', language: 'es', conversations })
  })
  await page.locator('[data-key=parent]').focus()
  await page.keyboard.press('t')
  await thread().getByTitle('Ir al mensaje de Ada Okafor', { exact: true }).waitFor({ timeout: 10_000 })
})

it('shows the parent message at once, while its replies are loading and when they fail to load', async () => {
  await page.evaluate(async () => {
    const { ada, bo, start } = window.kitFixture
    const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000).toISOString()
    const parent = { id: 'parent', user: bo, text: 'Which supplier?', created_at: at(200), reply_count: 1 }
    const reply = { id: 'r0', user: ada, text: 'The old one', created_at: at(100), parent_id: 'parent' }
    await start({ open: 'bo', conversations: [{ id: 'bo', members: [ada, bo], messages: [parent, reply] }] })
  })
  await page.locator('[data-key=parent]').focus()
  await page.evaluate(() => {
    const server = window.kitFixture.server()
    server.refusals.set('GET /threads/parent', { status: 500, code: -1 })
    server.hold()
  })
  await page.keyboard.press('t')
  await thread().getByText('Which supplier?').waitFor()
  await thread().getByText('1 reply', { exact: true }).waitFor()
  expect(await reply('r0').count()).toBe(0)
  await page.evaluate(() => window.kitFixture.server().deliver())
  await thread().getByText('The replies could not be loaded.').waitFor()
  expect(await thread().getByText('Which supplier?').count()).toBe(1)
  await page.evaluate(() => window.kitFixture.server().refusals.clear())
  await thread().getByRole('button', { name: 'Try again' }).click()
  await reply('r0').waitFor()
})
