import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Refusal } from '../testing/fake-server.ts'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

/** Ada opens the rack planning, where one message is pinned. */
async function adaOpens(refusals: Record<string, Refusal> = {}, capabilities?: readonly string[]) {
  await page.evaluate(
    ([refusals, capabilities]) => {
      const conversations = window.kitFixture.aWorkingDay()
      const racks = conversations.find(({ id }) => id === 'racks')
      if (racks && capabilities) racks.capabilities = capabilities
      return window.kitFixture.start({ open: 'racks', conversations }, (server) => {
        for (const [call, refusal] of Object.entries(refusals)) server.refusals.set(call, refusal)
      })
    },
    [refusals, capabilities] as const,
  )
  await page.waitForSelector('.chat-scroll')
}

/** Bo pins or unpins a message in Ada's view. */
const boTurns = (id: string, pinned: boolean) =>
  page.evaluate(
    ([id, pinned]) => {
      const { server, bo } = window.kitFixture
      const message = server()
        .conversations.find(({ id }) => id === 'racks')!
        .messages.find((one) => one.id === id)!
      const pin = { pinned, pinned_at: pinned ? new Date().toISOString() : null, pinned_by: pinned ? bo : null }
      Object.assign(message, pin)
      const wire = { ...message, type: 'regular', attachments: [], mentioned_users: [] }
      server().pushes('racks', 'message.updated', { message: wire, user: bo })
    },
    [id, pinned] as const,
  )

const row = (id: string) => page.locator(`[data-key="${id}"]`)
const pane = () => page.getByRole('complementary', { name: 'Pinned messages' })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const hasFocus = (selector: string) => page.waitForFunction((s) => document.activeElement?.matches(s), selector)

describe('the list of pinned messages', () => {
  it('[PIN-4] shows the author and the pinning user; a press leads to the message, and Escape back', async () => {
    await adaOpens()
    await button('1 pinned message').focus()
    await page.keyboard.press('Enter')
    await pane().getByText('Works for me, thanks').waitFor()
    await pane().getByText('Pinned by Ada Okafor').waitFor()
    await hasFocus('.chat-aside h2')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await hasFocus('.chat-pin-jump')
    await page.keyboard.press('Enter')
    await expect.poll(() => row('racks-13').evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await row('racks-13').getAttribute('data-highlighted')).toBe('true')
    await row('racks-13').getByText('Pinned by Ada Okafor').waitFor()

    await pane().getByRole('heading', { name: 'Pinned messages' }).focus()
    await page.keyboard.press('Escape')
    await pane().waitFor({ state: 'detached' })
    await hasFocus('.chat-pins-button')
  })

  it('[PIN-1][PIN-2] follows pins and unpins, own ones and those of others', async () => {
    await adaOpens()
    await row('racks-15').focus()
    await page.keyboard.press('p')
    await button('2 pinned messages').click()
    const texts = () => pane().locator('.chat-pin-text').allTextContents()
    await expect.poll(texts).toEqual(['The usual place, or somewhere new?', 'Works for me, thanks'])

    await pane().getByRole('button', { name: 'Unpin the message from Bo Lindqvist' }).click()
    await page.locator('[aria-live=polite]').getByText('Message unpinned').waitFor()
    await expect.poll(texts).toEqual(['The usual place, or somewhere new?'])
    await hasFocus('.chat-pin-jump')

    await page.evaluate(() => {
      const { server, bo } = window.kitFixture
      const pinned_at = new Date().toISOString()
      server().says('racks', bo, 'New door code: 4711')
      const message = server()
        .conversations.find(({ id }) => id === 'racks')!
        .messages.at(-1)!
      Object.assign(message, { pinned: true, pinned_at, pinned_by: bo, type: 'regular' })
      server().pushes('racks', 'message.updated', { message: { ...message, attachments: [], mentioned_users: [] } })
    })
    await expect.poll(texts).toEqual(['New door code: 4711', 'The usual place, or somewhere new?'])
  })

  it('[PIN-2] pins and unpins during the request are not undone by its answer', async () => {
    await adaOpens()
    await page.evaluate(() => {
      const { server } = window.kitFixture
      const { messages } = server().conversations.find(({ id }) => id === 'racks')!
      // Only the list has it, so it is shown once the list is loaded.
      Object.assign(messages.at(0)!, { pinned: true, pinned_at: messages.at(0)!.created_at })
      server().hold({ answered: true })
    })
    await button('1 pinned message').click()
    await pane().getByText('Works for me, thanks').waitFor()
    await boTurns('racks-13', false)
    await boTurns('racks-15', true)
    await pane().getByText('The usual place, or somewhere new?').waitFor()
    await page.evaluate(() => window.kitFixture.server().deliver())
    await expect.poll(() => pane().locator('.chat-pin').count()).toBe(2)
    expect(await pane().locator('.chat-pin-text').first().innerText()).toBe('The usual place, or somewhere new?')
    expect(await pane().getByText('Works for me, thanks').count()).toBe(0)
  })

  it('[PIN-2][TOA-17] a refused unpin restores the message', async () => {
    await adaOpens({ 'PUT /racks-13': { status: 500, code: -1 } })
    await button('1 pinned message').click()
    await pane()
      .getByRole('button', { name: /^Unpin/ })
      .click()
    await page.locator('.chat-notice').getByText('Error removing message pin').waitFor()
    await pane().getByText('Works for me, thanks').waitFor()
  })

  it('[PERM-5] offers no forbidden action, and shows when nothing is pinned', async () => {
    await adaOpens({}, ['read-events', 'send-message'])
    await button('1 pinned message').click()
    await pane().getByText('Works for me, thanks').waitFor()
    expect(
      await pane()
        .getByRole('button', { name: /^Unpin/ })
        .count(),
    ).toBe(0)
    await page.evaluate(() => window.kitFixture.server().deletes('racks-13', { hard: true }))
    await pane().getByText('Nothing is pinned yet').waitFor()
  })

  it('a failure to load is shown with a retry button', async () => {
    await adaOpens({ 'GET /pinned_messages': { status: 500, code: -1 } })
    await button('1 pinned message').click()
    await pane().getByText('The pinned messages could not be loaded.').waitFor()
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await pane().getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => pane().locator('.chat-state').count()).toBe(0)
  })

  it('covers the conversation on a phone, and closes after a jump', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await adaOpens()
    await button('Rack planning').click()
    await page.getByRole('complementary', { name: 'Details' }).getByRole('button', { name: 'Pinned messages' }).click()
    await pane().locator('.chat-pin-jump').click()
    await pane().waitFor({ state: 'detached' })
    await expect.poll(() => row('racks-13').evaluate((it) => it === document.activeElement)).toBe(true)
  })
})

it('[PIN-1] a message is pinned for a time, and the end is shown', async () => {
  await adaOpens()
  await row('racks-14').focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Pin for a limited time…' }).click()
  const question = page.getByRole('dialog', { name: 'Pin for a limited time' })
  await question.getByRole('radio', { name: '7 days' }).check()
  await question.getByRole('button', { name: 'Pin', exact: true }).click()
  await page.locator('[aria-live=polite]').getByText('Message pinned').waitFor()
  const [call] = await page.evaluate(() => window.kitFixture.calls('/messages/racks-14'))
  const { pin_expires } = call!.body.set as { pin_expires: string }
  const days = (Date.parse(pin_expires) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(7)
  await button('2 pinned messages').click()
  await pane()
    .getByText(/^Until /)
    .waitFor()
})

describe('the banner over the conversation', () => {
  const line = (words: RegExp) => page.getByRole('button', { name: words })
  async function adaOpensWithBanner() {
    await page.evaluate(() => window.kitFixture.start({ open: 'racks', pinnedBanner: true }))
    await line(/^Pinned message 1 of 1 .*Works for me, thanks$/).waitFor()
  }

  it('is rendered only if the page enables it', async () => {
    await adaOpens()
    await button('1 pinned message').waitFor()
    expect(await page.locator('.chat-pins-banner').count()).toBe(0)
  })

  it('leads to the newest pin by keyboard, then to the one before, then starts again', async () => {
    await adaOpensWithBanner()
    await boTurns('racks-15', true)
    await line(/^Pinned message 1 of 2 .*The usual place/).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => row('racks-15').evaluate((it) => it === document.activeElement)).toBe(true)
    await line(/^Pinned message 2 of 2 .*Works for me/).click()
    await expect.poll(() => row('racks-13').evaluate((it) => it === document.activeElement)).toBe(true)
    await line(/^Pinned message 1 of 2 .*The usual place/).waitFor()
  })

  it('appears and disappears without moving the messages, and passes its focus to the composer', async () => {
    await adaOpensWithBanner()
    await boTurns('racks-13', false)
    await page.locator('.chat-pins-banner').waitFor({ state: 'detached' })
    await row('racks-10').focus()
    const top = async () => (await row('racks-10').boundingBox())!.y
    const before = await top()
    await boTurns('racks-15', true)
    await line(/^Pinned message 1 of 1 .*The usual place/).focus()
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1)
    await boTurns('racks-15', false)
    await page.locator('.chat-pins-banner').waitFor({ state: 'detached' })
    await hasFocus('textarea')
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(1)
  })
})
