import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds, standsStill } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

/** Bo invites Ada to a group while she is online. */
async function aWorkingDayWithAnInvitation({ theme = 'light' }: { theme?: 'light' | 'dark' } = {}) {
  await page.evaluate((theme) => window.kitFixture.start({ theme }), theme)
  await page.waitForSelector('.chat-channel-row')
  await boInvites()
}
async function boInvites() {
  await page.evaluate(() => {
    const { server, ada, bo, cy } = window.kitFixture
    const invited = { by: 'bo' }
    server().invites({ id: 'quay', name: 'The new quay', members: [ada, bo, cy], messages: [], invited })
  })
  await card().waitFor()
}
const list = () => page.getByRole('navigation', { name: 'Conversations' })
const card = () => list().getByRole('list', { name: 'Invitations' }).getByRole('listitem')
const names = () => list().locator('.chat-channel-row .chat-channel-name').allTextContents()
const answers = () =>
  page.evaluate(() =>
    window.kitFixture
      .calls('/quay')
      .flatMap(({ body }) => (body.accept_invite ? ['accepted'] : body.reject_invite ? ['declined'] : [])),
  )
const focused = () => page.evaluate(() => document.activeElement?.className)

describe('an invitation', () => {
  it('is a card above the conversations with inviter and group, and is opened once it is accepted', async () => {
    await aWorkingDayWithAnInvitation()
    await card().getByText('Bo Lindqvist invited you to The new quay').waitFor()
    expect(await names()).not.toContain('The new quay')
    expect(await card().locator('.chat-badge').count()).toBe(0)
    const accept = card().getByRole('button', { name: 'Accept' })
    expect(
      await accept.evaluate((it) => document.getElementById(it.getAttribute('aria-describedby')!)?.textContent),
    ).toBe('Bo Lindqvist invited you to The new quay')
    await accept.press('Enter')
    await page.getByRole('textbox', { name: 'Message The new quay' }).waitFor()
    await expect.poll(names).toContain('The new quay')
    expect(await card().count()).toBe(0)
    expect(await answers()).toEqual(['accepted'])
  })

  it('that is declined disappears, comes back when undone, and is sent to the server only afterwards', async () => {
    await page.clock.install()
    await aWorkingDayWithAnInvitation()
    await card().getByRole('button', { name: 'Decline' }).press('Enter')
    await expect.poll(() => card().count()).toBe(0)
    expect(await focused()).toBe('chat-channel-row')
    await page.getByText('Invitation to The new quay declined').first().waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await card().waitFor()
    expect(await answers()).toEqual([])

    await card().getByRole('button', { name: 'Decline' }).click()
    await expect.poll(() => card().count()).toBe(0)
    // The notice is no longer hovered.
    await page.mouse.move(0, 0)
    await page.clock.runFor(10_100)
    await expect.poll(answers).toEqual(['declined'])
    expect(await names()).not.toContain('The new quay')
    expect(await card().count()).toBe(0)

    // Bo invites her again.
    await boInvites()
  })

  it('is accepted once, however often the button is pressed', async () => {
    await aWorkingDayWithAnInvitation()
    await page.evaluate(() => window.kitFixture.server().hold())
    await card().getByRole('button', { name: 'Accept' }).dblclick()
    await page.evaluate(() => window.kitFixture.server().deliver())
    await page.getByRole('textbox', { name: 'Message The new quay' }).waitFor()
    expect(await answers()).toEqual(['accepted'])
  })

  it('whose answer is refused stays, and shows the reason', async () => {
    await aWorkingDayWithAnInvitation()
    await page.evaluate(() => window.kitFixture.server().refusals.set('POST /quay', { status: 500, code: -1 }))
    await card().getByRole('button', { name: 'Accept' }).click()
    await page.getByText('The invitation could not be answered').first().waitFor()
    await card().waitFor()
  })

  it.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', async (theme) => {
    await aWorkingDayWithAnInvitation({ theme })
    await standsStill(page)
    expect(await axeFinds(page)).toEqual([])
  })
})
