import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { Refusal } from '../testing/fake-server.ts'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

const moderator = ['read-events', 'send-message', 'ban-channel-members', 'delete-any-message', 'pin-message']

/** Ada opens the rack planning, where she is a moderator. */
async function adaOpens(refusals: Record<string, Refusal> = {}, capabilities: readonly string[] = moderator) {
  await page.evaluate(
    ([refusals, capabilities]) => {
      const conversations = window.kitFixture.aWorkingDay()
      for (const conversation of conversations) conversation.capabilities = capabilities
      return window.kitFixture.start({ open: 'racks', conversations }, (server) => {
        for (const [call, refusal] of Object.entries(refusals)) server.refusals.set(call, refusal)
      })
    },
    [refusals, capabilities] as const,
  )
  await page.waitForSelector('.chat-scroll')
}

const row = (id: string) => page.locator(`[data-key="${id}"]`)
const notice = (text: string) => page.locator('.chat-notice').getByText(text, { exact: true })
const menuItem = (name: string) => page.getByRole('menuitem', { name, exact: true })
const calls = (path: string) => page.evaluate((path) => window.kitFixture.calls(path), path)

async function opensMenuOf(id: string) {
  await row(id).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu').waitFor()
}

describe('muting a user', () => {
  it('[MOD-15] hides their messages, shows a notice, and can be undone', async () => {
    await adaOpens()
    await opensMenuOf('racks-13')
    await menuItem('Mute Bo Lindqvist').click()
    await notice('You muted Bo Lindqvist').waitFor()
    await row('racks-13').getByText('Message from a muted person').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await notice('You unmuted Bo Lindqvist').waitFor()
    await row('racks-13').getByText('Works for me, thanks', { exact: true }).waitFor()
    expect((await calls('/moderation/mute')).map(({ body }) => body.target_id)).toEqual(['bo'])
  })

  it('[TOA-19][TOA-20] a failure to mute or unmute shows a notice', async () => {
    await adaOpens({ 'POST /mute': { status: 500, code: -1 }, 'POST /unmute': { status: 500, code: -1 } })
    await opensMenuOf('racks-13')
    await menuItem('Mute Bo Lindqvist').click()
    await notice('Error muting a user').waitFor()
    await page.evaluate(() => window.kitFixture.server().refusals.delete('POST /mute'))
    await opensMenuOf('racks-13')
    await menuItem('Mute Bo Lindqvist').click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await notice('Error unmuting a user').waitFor()
  })
})

describe('banning a user', () => {
  it('[MOD-16] asks for duration and reason, and offers the unban in the same menu', async () => {
    await adaOpens()
    await opensMenuOf('racks-13')
    await menuItem('Ban Bo Lindqvist…').click()
    const question = page.getByRole('alertdialog', { name: 'Ban Bo Lindqvist?' })
    await question.getByText(/no longer write in it/).waitFor()
    expect(await question.getByRole('button', { name: 'Cancel' }).evaluate((it) => it === document.activeElement)).toBe(
      true,
    )
    await question.getByRole('radio', { name: '7 days' }).check()
    await question.getByRole('textbox', { name: 'Reason (optional)' }).fill('  Spam ')
    await question.getByRole('button', { name: 'Ban', exact: true }).click()
    await notice('Bo Lindqvist can no longer write here').waitFor()
    const [ban] = await calls('/moderation/ban')
    expect(ban?.body).toEqual({
      target_user_id: 'bo',
      type: 'messaging',
      id: 'racks',
      timeout: 7 * 24 * 60,
      reason: 'Spam',
    })
    await opensMenuOf('racks-13')
    await menuItem('Unban Bo Lindqvist').click()
    await notice('Bo Lindqvist can write here again').waitFor()
    await opensMenuOf('racks-13')
    await menuItem('Ban Bo Lindqvist…').waitFor()
  })

  it('[MOD-16][PERM-5] is not offered without the capability', async () => {
    await adaOpens({}, ['read-events', 'send-message'])
    await opensMenuOf('racks-13')
    expect(await page.getByRole('menuitem').allTextContents()).toEqual([
      'Copy text',
      'Copy link',
      'Mark unread',
      'Mute Bo Lindqvist',
    ])
  })

  it('a failure shows a notice', async () => {
    await adaOpens({ 'POST /ban': { status: 403, code: 17 } })
    await opensMenuOf('racks-13')
    await menuItem('Ban Bo Lindqvist…').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ban', exact: true }).click()
    await notice('The person could not be banned').waitFor()
  })

  it('a banned user keeps the draft, sees the reason, and keeps the focus', async () => {
    await adaOpens({}, ['read-events', 'send-message'])
    await page.getByRole('textbox').fill('Half a sentence')
    await page.evaluate(() => {
      const { server, ada } = window.kitFixture
      server().bans('racks', ada, true)
      server().pushes('racks', 'capabilities.changed', { own_capabilities: ['read-events'] })
    })
    await page.getByText('You were banned and cannot write here').waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('.chat-pane') !== null)).toBe(true)
    await page.evaluate(() => {
      const { server, ada } = window.kitFixture
      server().bans('racks', ada, false)
      server().pushes('racks', 'capabilities.changed', { own_capabilities: ['read-events', 'send-message'] })
    })
    await expect.poll(() => page.getByRole('textbox').inputValue()).toBe('Half a sentence')
  })
})

describe('deleting for all', () => {
  it('[MOD-16] a message of another user, and then its placeholder', async () => {
    await adaOpens()
    await row('racks-8').focus()
    await page.keyboard.press('Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await row('racks-8').getByText('Message deleted', { exact: true }).waitFor()
    await opensMenuOf('racks-8')
    await menuItem('Delete for good').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await row('racks-8').waitFor({ state: 'detached' })
  })
})

it('a user is blocked and unblocked from the details of their conversation', async () => {
  await page.evaluate(() => window.kitFixture.start({ open: 'bo' }))
  await page.waitForSelector('.chat-scroll')
  await page.getByRole('button', { name: 'Bo Lindqvist', exact: true }).click()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByRole('button', { name: 'Block Bo Lindqvist' }).click()
  await notice('You blocked Bo Lindqvist').waitFor()
  await page.evaluate(() => {
    const { server, ada } = window.kitFixture
    server().pushes('bo', 'user.updated', { user: { ...ada, blocked_user_ids: ['bo'] } })
  })
  await details.getByRole('button', { name: 'Unblock Bo Lindqvist' }).click()
  await notice('You unblocked Bo Lindqvist').waitFor()
})
