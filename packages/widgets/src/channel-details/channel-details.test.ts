import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds, standsStill } from '../../../../scripts/axe.ts'
import type { Refusal } from '../testing/fake-server.ts'
import { aKitPage, framesRest } from '../testing/kit-page.ts'
import { aPicture, takesUploads, type UploadServer } from '../testing/uploading.ts'

let page: Page
aKitPage(
  (opened) => {
    page = opened
  },
  { refuses: true },
)

const everything = [
  'read-events',
  'send-message',
  'search-messages',
  'mute-channel',
  'update-channel',
  'update-channel-members',
  'ban-channel-members',
  'leave-channel',
]

/** Ada opens the details of the rack planning. */
async function adaLooks(
  capabilities: readonly string[] = everything,
  refusals: Record<string, Refusal> = {},
  role?: string,
) {
  await page.evaluate(
    ([refusals, capabilities, role]) => {
      const { aWorkingDay, start, bo } = window.kitFixture
      const conversations = aWorkingDay()
      const racks = conversations.find(({ id }) => id === 'racks')!
      racks.capabilities = capabilities
      if (role) racks.role = role
      const created_at = new Date(Date.now() - 3_600_000).toISOString()
      const attachments = [
        { type: 'image', image_url: 'https://example.com/row-c.png', original_width: 4, original_height: 3 },
        { type: 'file', asset_url: 'https://example.com/plan.pdf', title: 'plan.pdf', file_size: 2_097_152 },
        { type: 'file', asset_url: 'javascript:alert(1)', title: 'harmless.pdf' },
      ]
      racks.messages.splice(-2, 0, { id: 'racks-files', user: bo, text: '', created_at, attachments })
      return start({ open: 'racks', conversations }, (server) => {
        for (const [call, refusal] of Object.entries(refusals)) server.refusals.set(call, refusal)
      })
    },
    [refusals, capabilities, role] as const,
  )
  await page.route('https://example.com/**', (route) => route.fulfill({ status: 200, body: '' }))
  await page.waitForSelector('.chat-scroll')
  await page.getByRole('button', { name: 'Rack planning', exact: true }).click()
  await details().waitFor()
}

const details = () => page.getByRole('complementary', { name: 'Details' })
const members = () => details().locator('.chat-member-name bdi').allTextContents()
const notice = (text: string) => page.locator('.chat-notice').getByText(text, { exact: true })
const calls = (path: string) => page.evaluate((path) => window.kitFixture.calls(path), path)
const hasFocus = (selector: string) => page.waitForFunction((s) => document.activeElement?.matches(s), selector)

describe('the members', () => {
  it('are listed and found by the beginning of any part of their name, ignoring accents', async () => {
    await adaLooks()
    await expect.poll(members).toEqual(['Ada Okafor (you)', 'Bo Lindqvist', 'Cy Tanaka'])
    await details().getByRole('searchbox', { name: 'Search members' }).fill('líndq')
    await expect.poll(members).toEqual(['Bo Lindqvist'])
    await details().getByRole('searchbox').fill('zzz')
    await details().getByText('Nobody here has that name').waitFor()
  })

  it('of a large group are searched by the server, and a late answer to another query changes nothing', async () => {
    await page.evaluate(() => {
      const { aWorkingDay, start, ada } = window.kitFixture
      const conversations = aWorkingDay()
      const racks = conversations.find(({ id }) => id === 'racks')!
      const crowd = Array.from({ length: 130 }, (_, i) => ({ id: `p${1_000 + i}`, name: `Person ${1_000 + i}` }))
      racks.members = [ada, ...crowd, { id: 'zoe', name: 'Zoe Last' }]
      return start({ open: 'racks', conversations })
    })
    await page.waitForSelector('.chat-scroll')
    await page.getByRole('button', { name: 'Rack planning', exact: true }).click()
    await expect.poll(async () => (await members()).length).toBe(30)
    const field = details().getByRole('searchbox', { name: 'Search members' })
    const hold = () => page.evaluate(() => window.kitFixture.server().hold())
    await details().getByRole('button', { name: 'Show more' }).click()
    await expect.poll(async () => (await members()).length).toBe(60)
    await hold()
    await details().getByRole('button', { name: 'Show more' }).click()
    await expect.poll(async () => (await calls('/members')).length).toBe(3)
    await field.fill('zo')
    await expect.poll(async () => (await calls('/members')).length).toBe(4)
    await page.evaluate(async () => {
      window.kitFixture.server().deliver({ newestFirst: true })
      for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame)
    })
    expect(await members()).toEqual(['Zoe Last'])
    await field.fill('')
    await expect.poll(async () => (await members()).length).toBe(30)
  })

  it('are one tab stop, at the first with any action or the one focused last', async () => {
    await adaLooks()
    const stops = () =>
      details()
        .locator('.chat-member-more[tabindex="0"]')
        .evaluateAll((all) => all.map((button) => button.ariaLabel))
    await expect.poll(stops).toEqual(['Actions for Bo Lindqvist'])
    await details().getByRole('button', { name: 'Actions for Bo Lindqvist' }).press('ArrowDown')
    await expect.poll(stops).toEqual(['Actions for Cy Tanaka'])
    await details().getByRole('searchbox', { name: 'Search members' }).fill('Bo')
    await expect.poll(stops).toEqual(['Actions for Bo Lindqvist'])
  })

  it('[MOD-15][MOD-16] are muted and banned from their menu, by keys alone', async () => {
    await adaLooks()
    await details().getByRole('button', { name: 'Actions for Bo Lindqvist' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Mute Bo Lindqvist' }).press('Enter')
    await notice('You muted Bo Lindqvist').waitFor()
    await details().locator('.chat-member').filter({ hasText: 'Bo Lindqvist' }).getByText('muted').waitFor()
    await details().getByRole('button', { name: 'Actions for Bo Lindqvist' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Ban Bo Lindqvist…' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Ban', exact: true }).press('Enter')
    await details().locator('.chat-member').filter({ hasText: 'Bo Lindqvist' }).getByText('banned').waitFor()
    await hasFocus('.chat-member-more')
  })

  it('when banned keep the focus in their row, though the frames of the menu come after the dialog', async () => {
    await adaLooks()
    await details().getByRole('button', { name: 'Actions for Bo Lindqvist' }).press('Enter')
    const ban = page.getByRole('menuitem', { name: 'Ban Bo Lindqvist…' })
    await ban.waitFor()
    const draws = await framesRest(page)
    await ban.press('Enter')
    const question = page.getByRole('alertdialog')
    await question.waitFor()
    await draws()
    await question.getByRole('button', { name: 'Ban', exact: true }).press('Enter')
    await question.waitFor({ state: 'detached' })
    for (let frame = 0; frame < 3; frame++) await draws()
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Actions for Bo Lindqvist')
  })

  it('when removed leave the focus in the list', async () => {
    await adaLooks()
    await details().getByRole('button', { name: 'Actions for Cy Tanaka' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Remove from the group…' }).press('Enter')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).press('Enter')
    await expect.poll(members).toEqual(['Ada Okafor (you)', 'Bo Lindqvist'])
    await hasFocus('.chat-aside *')
  })

  it('are mentioned from their menu, at the caret, and written to in their own conversation', async () => {
    await adaLooks([...everything, 'create-mention'])
    const box = page.getByRole('textbox', { name: 'Message Rack planning' })
    await box.fill('Ask')
    await details().getByRole('button', { name: 'Actions for Bo Lindqvist' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Mention Bo Lindqvist' }).press('Enter')
    await hasFocus('.chat-composer textarea')
    await page.keyboard.type('please')
    expect(await box.inputValue()).toBe('Ask @Bo Lindqvist please')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await calls('/message')).map(({ body }) => (body.message as Message).mentioned_users))
      .toEqual([['bo']])

    await details().getByRole('button', { name: 'Actions for Bo Lindqvist' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Message Bo Lindqvist' }).press('Enter')
    await page.getByRole('textbox', { name: 'Message Bo Lindqvist' }).waitFor()
    await page.getByText('Can you send me the contract?').first().waitFor()
  })

  it('on a phone close when the reader writes to one of them', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await adaLooks([...everything, 'create-mention'])
    await details().getByRole('button', { name: 'Actions for Bo Lindqvist' }).click()
    await page.getByRole('menuitem', { name: 'Mention Bo Lindqvist' }).click()
    await hasFocus('.chat-composer textarea')
    await expect.poll(() => details().count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'Message Rack planning' }).inputValue()).toBe('@Bo Lindqvist ')
  })

  it("[PERM-5] with a member's rights: only to write to and to mute, and nothing on oneself", async () => {
    await adaLooks(['read-events', 'send-message'])
    expect(await details().getByRole('tab').allTextContents()).toEqual(['Members'])
    await details().getByRole('button', { name: 'Actions for Bo Lindqvist' }).click()
    await page.getByRole('menu').waitFor()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Message Bo Lindqvist', 'Mute Bo Lindqvist'])
    await page.keyboard.press('Escape')
    expect(
      await details()
        .getByRole('button', { name: /Actions for Ada/ })
        .count(),
    ).toBe(0)
    expect(
      await details()
        .getByRole('button', { name: /Leave|Mute notifications|Rename/ })
        .count(),
    ).toBe(0)
  })
})

describe('users to add', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Add members' })
  const people = () => dialog().locator('.chat-member-name bdi').allTextContents()

  it('are found by name and added together, by keys alone', async () => {
    await adaLooks()
    await details().getByRole('button', { name: 'Add members' }).press('Enter')
    await hasFocus('.chat-dialog input[type=search]')
    await expect.poll(people).toContain('山田 由紀')
    expect(await people()).not.toContain('Ada Okafor')
    expect(await dialog().getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true)
    await dialog().locator('.chat-addable [data-off]').filter({ hasText: 'Bo Lindqvist' }).waitFor()
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((theme) => window.kitFixture.show({ theme }), theme)
      await standsStill(page)
      expect(await axeFinds(page, '.chat-modal')).toEqual([])
    }

    await page.keyboard.type('maxi')
    await expect.poll(people).toEqual(['Maximiliane Freifrau von Hohenstein-Oberndorf'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await dialog().getByRole('searchbox').fill('山田')
    await expect.poll(people).toEqual(['山田 由紀'])
    await dialog().locator('.chat-addable').getByRole('checkbox').press('Space')
    await dialog().getByRole('button', { name: 'Do not add Maximiliane' }).press('Enter')
    await hasFocus('.chat-dialog input[type=search]')
    await dialog().getByRole('button', { name: 'Add', exact: true }).press('Enter')

    await notice('1 person added').waitFor()
    await expect.poll(members).toEqual(['Ada Okafor (you)', 'Bo Lindqvist', 'Cy Tanaka', '山田 由紀'])
    expect((await calls('/channels/messaging/racks')).map(({ body }) => body)).toEqual([{ add_members: ['yuki'] }])
    await hasFocus('.chat-details-action')
  })

  it('are invited first if invitations are on, and marked until they answer', async () => {
    await adaLooks()
    await details().getByRole('button', { name: 'Add members' }).click()
    await dialog().getByRole('checkbox', { name: '山田 由紀' }).check()
    await dialog().getByRole('checkbox', { name: 'Ask first: people join once they accept' }).check()
    await dialog().getByRole('button', { name: 'Invite', exact: true }).press('Enter')
    await notice('1 person invited').waitFor()
    expect((await calls('/channels/messaging/racks')).map(({ body }) => body)).toEqual([
      { invites: [{ user_id: 'yuki', invited_by: 'ada' }] },
    ])
    await page.evaluate(() => {
      const { server } = window.kitFixture
      const user = { id: 'yuki', name: '山田 由紀' }
      const member = { user_id: 'yuki', user, channel_role: 'channel_member', status: 'pending', invited: true }
      server().pushes('racks', 'member.added', { member, user })
    })
    await details().locator('.chat-member', { hasText: '山田 由紀' }).getByText('Invited', { exact: true }).waitFor()
  })

  it('stay selected when adding fails, and the dialog shows the reason', async () => {
    await adaLooks(everything, { 'POST /racks': { status: 403, code: 17, message: 'Not for you' } })
    await details().getByRole('button', { name: 'Add members' }).click()
    await dialog()
      .getByRole('checkbox', { name: /山田 由紀/ })
      .check()
    await dialog().getByRole('button', { name: 'Add', exact: true }).click()
    await dialog().getByText('Nobody was added. Try again.').waitFor()
    await dialog().getByText('Details', { exact: true }).click()
    await dialog()
      .getByText(/error code 17/)
      .waitFor()
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await dialog().getByRole('button', { name: 'Add', exact: true }).click()
    await notice('1 person added').waitFor()
  })

  it('that could not be added are reported also after the dialog was closed meanwhile', async () => {
    await adaLooks(everything, { 'POST /racks': { status: 403, code: 17, message: 'Not for you' } })
    await details().getByRole('button', { name: 'Add members' }).click()
    await dialog()
      .getByRole('checkbox', { name: /山田 由紀/ })
      .check()
    await page.evaluate(() => window.kitFixture.server().hold())
    await dialog().getByRole('button', { name: 'Add', exact: true }).click()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await page.evaluate(() => window.kitFixture.server().deliver())
    await notice('Nobody was added. Try again.').waitFor()
  })

  it('show a message when loading fails or there is none', async () => {
    await adaLooks(everything, { 'GET /users': { status: 500, code: -1 } })
    await details().getByRole('button', { name: 'Add members' }).click()
    await dialog().getByText('The list of people could not be loaded.').waitFor()
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await dialog().getByRole('button', { name: 'Try again' }).click()
    await expect.poll(people).toContain('山田 由紀')
    await dialog().getByRole('searchbox').fill('<b>zzz</b>')
    await dialog().getByText('Nobody has that name').waitFor()
  })

  it('[PERM-5] are offered only to users who may change the members', async () => {
    await adaLooks(['read-events', 'send-message'])
    await details().getByRole('button', { name: 'Pinned messages' }).waitFor()
    expect(await details().getByRole('button', { name: 'Add members' }).count()).toBe(0)
  })
})

describe('the directory of a product', () => {
  /** Only Max can be found, and Bo cannot be written to. */
  async function adaLooksInADirectory() {
    await adaLooks()
    await page.evaluate(() => {
      const { server, show } = window.kitFixture
      const everybody = server().conversations.flatMap(({ members }) => members)
      const people = everybody.filter(
        ({ id }, at) => id === 'max' && everybody.findIndex((one) => one.id === id) === at,
      )
      show({
        people: {
          find: async (text, page) => {
            window.asked = [...(window.asked ?? []), `${text}:${page}`]
            return { people: page === 0 ? people : [], hasMore: page === 0 }
          },
          add: async (_channel, chosen) => {
            window.asked = [...(window.asked ?? []), `add ${chosen.map(({ id }) => id)}`]
          },
          mayWriteTo: ({ id }) => id === 'cy',
        },
      })
    })
  }
  const asked = () => page.evaluate(() => window.asked)

  it('provides the users to add: no others are offered, and it adds them itself', async () => {
    await adaLooksInADirectory()
    await details().getByRole('button', { name: 'Add members' }).click()
    const names = page.getByRole('dialog').locator('.chat-addable .chat-member-name')
    await expect.poll(() => names.allTextContents()).toEqual(['Maximiliane Freifrau von Hohenstein-Oberndorf'])
    await page.getByRole('dialog').getByRole('button', { name: 'Show more' }).click()
    await expect.poll(asked).toEqual([':0', ':1'])
    await page.getByRole('checkbox', { name: /Maximiliane/ }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await notice('1 person added').waitFor()
    expect((await asked())?.at(-1)).toBe('add max')
    expect((await calls('/users')).length + (await calls('/channels/messaging/racks')).length).toBe(0)
  })

  /** The rights on the chat server do not matter: the product changes its groups itself. */
  async function adaLooksInAProduct(role: string, capabilities: readonly string[]) {
    await adaLooks(capabilities, {}, role)
    await page.evaluate(() =>
      window.kitFixture.show({
        people: {
          find: async () => ({ people: [], hasMore: false }),
          manage: async ({ cid }, change) => {
            window.asked = [...(window.asked ?? []), `${cid} ${JSON.stringify(change)}`]
          },
        },
      }),
    )
  }

  it('[NEW-56] changes groups itself for moderators, without rights on the chat server', async () => {
    await adaLooksInAProduct('channel_moderator', ['read-events', 'send-message', 'upload-file'])
    await details().getByRole('button', { name: 'Add members' }).waitFor()
    await details().getByRole('button', { name: 'Group picture' }).waitFor()
    await details().getByRole('button', { name: 'Rename group' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill('Racks and rails')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await details().getByRole('button', { name: 'Actions for Cy Tanaka' }).click()
    await page.getByRole('menuitem', { name: 'Make moderator' }).click()
    await details().getByRole('button', { name: 'Actions for Cy Tanaka' }).click()
    await page.getByRole('menuitem', { name: 'Remove from the group…' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect
      .poll(asked)
      .toEqual([
        'messaging:racks {"do":"rename","name":"Racks and rails"}',
        'messaging:racks {"do":"promote","userId":"cy"}',
        'messaging:racks {"do":"remove","userId":"cy"}',
      ])
    // Another user created it.
    expect(
      await details()
        .getByRole('button', { name: /Delete/ })
        .count(),
    ).toBe(0)
    expect(await calls('/channels/messaging/racks')).toEqual([])
  })

  it('[NEW-56] offers no changes to a member, despite rights on the chat server', async () => {
    await adaLooksInAProduct('channel_member', [...everything, 'delete-channel', 'upload-file'])
    await details().getByRole('button', { name: 'Pinned messages' }).waitFor()
    for (const name of ['Add members', 'Rename group', 'Group picture', /Delete/])
      await expect.poll(() => details().getByRole('button', { name }).count()).toBe(0)
    await details().getByRole('button', { name: 'Actions for Cy Tanaka' }).click()
    await page.getByRole('menuitem', { name: 'Mute Cy Tanaka' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /moderator|Remove/ }).count()).toBe(0)
  })

  it('is queried for the present text: a late answer to another query changes nothing', async () => {
    await adaLooks()
    await page.evaluate(() => {
      const { server, show } = window.kitFixture
      const [max] = server().conversations.flatMap(({ members }) => members.filter(({ id }) => id === 'max'))
      const more = new Promise<void>((give) => {
        window.giveMore = give
      })
      show({
        people: {
          find: async (text, page) => {
            window.asked = [...(window.asked ?? []), `${text}:${page}`]
            if (page > 0) await more
            return text ? { people: [max!], hasMore: false } : { people: [{ id: `p${page}` }], hasMore: true }
          },
        },
      })
    })
    await details().getByRole('button', { name: 'Add members' }).click()
    const dialog = page.getByRole('dialog')
    const names = dialog.locator('.chat-addable .chat-member-name')
    await dialog.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(asked).toEqual([':0', ':1'])
    await dialog.getByRole('searchbox').fill('max')
    await expect.poll(() => names.allTextContents()).toEqual(['Maximiliane Freifrau von Hohenstein-Oberndorf'])
    await page.evaluate(async () => {
      window.giveMore?.()
      for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame)
    })
    expect(await names.allTextContents()).toEqual(['Maximiliane Freifrau von Hohenstein-Oberndorf'])
    expect(await dialog.getByText('Searching people').count()).toBe(0)
  })

  it('can be a class instance, and creates conversations in its own way', async () => {
    await adaLooks()
    await page.evaluate(() => {
      class Directory {
        cid = 'messaging:bo'
        async find() {
          return { people: [], hasMore: false }
        }
        async startWith() {
          return this.cid
        }
      }
      window.kitFixture.show({ people: new Directory() })
    })
    await details().getByRole('button', { name: 'Actions for Cy Tanaka' }).click()
    await page.getByRole('menuitem', { name: 'Message Cy Tanaka' }).click()
    await page.getByRole('textbox', { name: 'Message Bo Lindqvist' }).waitFor()
  })

  it('decides which users can be written to', async () => {
    await adaLooksInADirectory()
    for (const [name, offered] of [
      ['Bo Lindqvist', 0],
      ['Cy Tanaka', 1],
    ] as const) {
      await details()
        .getByRole('button', { name: `Actions for ${name}` })
        .click()
      await page.getByRole('menuitem', { name: `Mute ${name}` }).waitFor()
      expect(await page.getByRole('menuitem', { name: `Message ${name}` }).count()).toBe(offered)
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
    }
  })
})

describe('shared files', () => {
  it('photos and files are listed by month and lead to their message; unsafe URLs are not listed', async () => {
    await adaLooks()
    await details().getByRole('tab', { name: 'Members' }).focus()
    await page.keyboard.press('ArrowRight')
    await details()
      .getByRole('button', { name: /^Photo, Bo Lindqvist/ })
      .waitFor()
    await page.keyboard.press('ArrowRight')
    await details().getByText('plan.pdf').waitFor()
    expect(await details().getByText('harmless.pdf').count()).toBe(0)
    await details().getByText('2 MB').waitFor()
    await details()
      .getByRole('button', { name: /plan\.pdf/ })
      .click()
    const row = page.locator('[data-key="racks-files"]')
    await expect.poll(() => row.evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('a failure to load is shown with a retry button', async () => {
    await adaLooks(everything, { 'GET /search': { status: 500, code: -1 } })
    await details().getByRole('tab', { name: 'Files' }).click()
    await details().getByText('This could not be loaded.').waitFor()
    await page.evaluate(() => window.kitFixture.server().refusals.clear())
    await details().getByRole('button', { name: 'Try again' }).click()
    await details().getByText('plan.pdf').waitFor()
  })
})

describe("the reader's own actions", () => {
  it('mutes it for a time', async () => {
    await adaLooks()
    await details().getByRole('button', { name: 'Mute notifications' }).click()
    const question = page.getByRole('dialog', { name: 'Mute notifications' })
    await question.getByRole('radio', { name: '1 hour' }).check()
    await question.getByRole('button', { name: 'Mute', exact: true }).click()
    await expect
      .poll(async () => (await calls('/mute/channel')).map(({ body }) => body))
      .toEqual([{ channel_cid: 'messaging:racks', expiration: 3_600_000 }])
    await hasFocus('.chat-details-action')
  })

  it('renames it, but not to an empty name', async () => {
    await adaLooks()
    await details().getByRole('button', { name: 'Rename group' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename group' })
    await dialog.getByRole('textbox').fill('  ')
    await page.keyboard.press('Enter')
    await dialog.getByText('Group name is required').waitFor()
    await dialog.getByRole('textbox').fill('Racks & rows')
    await page.keyboard.press('Enter')
    await expect
      .poll(async () => (await calls('/channels/messaging/racks')).map(({ body }) => body))
      .toEqual([{ set: { name: 'Racks & rows' } }])
  })

  it('hides the conversation until the next message, and undoes that', async () => {
    await adaLooks(everything)
    await details().getByRole('button', { name: 'Hide until the next message' }).click()
    await notice('Conversation hidden: Rack planning').waitFor()
    expect((await calls('/racks/hide')).length).toBe(1)
    await page.locator('.chat-notice').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await calls('/racks/show')).length).toBe(1)
  })

  it('leaves it, after a dialog', async () => {
    await adaLooks()
    await details().getByRole('button', { name: 'Leave group…' }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave “Rack planning”?' })
    await question.getByRole('button', { name: 'Leave' }).click()
    await expect
      .poll(async () => (await calls('/channels/messaging/racks')).map(({ body }) => body))
      .toEqual([{ remove_members: ['ada'] }])
    await page.getByText('You left “Rack planning”').first().waitFor()
    await page.getByText('Channel Missing').waitFor()
  })
})

describe('moderation', () => {
  const order = [...everything, 'upload-file', 'set-channel-cooldown', 'freeze-channel']
  const changes = async () => (await calls('/channels/messaging/racks')).map(({ body }) => body)

  it('[CHN-50] slow mode is set and shown in seconds', async () => {
    await adaLooks(order)
    await details().getByRole('button', { name: 'Slow mode Off' }).click()
    const dialog = page.getByRole('dialog', { name: 'Slow mode' })
    await dialog.waitFor()
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((theme) => window.kitFixture.show({ theme }), theme)
      await standsStill(page)
      expect(await axeFinds(page, '.chat-modal')).toEqual([])
    }
    await dialog.getByRole('radio', { name: '2 minutes' }).focus()
    await dialog.getByRole('radio', { name: '30 seconds' }).check()
    await page.keyboard.press('Enter')
    await details().getByRole('button', { name: 'Slow mode 30 seconds' }).waitFor()
    expect(await changes()).toEqual([{ cooldown: 30 }])
    await hasFocus('.chat-details-action')
  })

  it('a conversation is frozen after a dialog, and unfrozen again', async () => {
    await adaLooks(order)
    await details().getByRole('button', { name: 'Make read-only…' }).click()
    const question = page.getByRole('alertdialog', { name: 'Make “Rack planning” read-only?' })
    await question.getByRole('button', { name: 'Make read-only' }).click()
    await details().getByRole('button', { name: 'Allow writing again' }).click()
    await details().getByRole('button', { name: 'Make read-only…' }).waitFor()
    expect(await changes()).toEqual([{ set: { frozen: true } }, { set: { frozen: false } }])
  })

  it('[PERM-5] is not offered to members', async () => {
    await adaLooks(['read-events', 'send-message'])
    await details().getByRole('button', { name: 'Notifications' }).waitFor()
    expect(
      await details()
        .getByRole('button', { name: /Slow mode|read-only|Group picture/ })
        .count(),
    ).toBe(0)
  })

  it('[MOD-4] a user is shadow banned, and unbanned', async () => {
    await adaLooks()
    await details().getByRole('button', { name: 'Actions for Bo Lindqvist' }).click()
    await page.getByRole('menuitem', { name: 'Ban Bo Lindqvist…' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText(/no longer write in it/).waitFor()
    await question.getByRole('checkbox', { name: 'Without telling this person' }).check()
    await question.getByText(/notices nothing/).waitFor()
    await question.getByRole('button', { name: 'Ban', exact: true }).click()
    await notice('Nobody else sees what Bo Lindqvist writes here').waitFor()
    expect((await calls('/moderation/ban')).map(({ body }) => body.shadow)).toEqual([true])
    await details().locator('.chat-member').filter({ hasText: 'Bo Lindqvist' }).getByText('unseen by others').waitFor()
    await details().getByRole('button', { name: 'Actions for Bo Lindqvist' }).click()
    await page.getByRole('menuitem', { name: 'Unban Bo Lindqvist' }).click()
    await notice('Bo Lindqvist can write here again').waitFor()
  })
})

describe('the picture of a group', () => {
  const dialog = () => page.getByRole('dialog', { name: 'Group picture' })
  const picker = () => dialog().locator('input[type=file]')
  const picture = { name: 'racks.png', mimeType: 'image/png', buffer: aPicture }
  const address = 'https://chat.example.com/files/racks.png'
  let uploads: UploadServer

  async function adaOpensIt() {
    uploads = await takesUploads(page)
    await page.route(address, (route) => route.fulfill({ contentType: 'image/png', body: aPicture }))
    await adaLooks([...everything, 'upload-file'])
    await details().getByRole('button', { name: 'Group picture' }).click()
    await dialog().waitFor()
  }

  it('is uploaded, shown, and removed again', async () => {
    await adaOpensIt()
    expect(await axeFinds(page, '.chat-modal')).toEqual([])
    await picker().setInputFiles(picture)
    await dialog().waitFor({ state: 'detached' })
    await details().locator(`.chat-details-head img[src="${address}"]`).waitFor({ state: 'attached' })
    await details().getByRole('button', { name: 'Group picture' }).click()
    await dialog().getByRole('button', { name: 'Remove picture' }).click()
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => details().locator('.chat-details-head img').count()).toBe(0)
    const changes = (await calls('/channels/messaging/racks')).map(({ body }) => body)
    expect(changes).toEqual([{ set: { image: address } }, { unset: ['image'] }])
  })

  it('an upload is cancelled when the dialog is closed, and closes no other dialog', async () => {
    await adaOpensIt()
    uploads.hold()
    await picker().setInputFiles(picture)
    await expect.poll(() => uploads.asked).toEqual(['racks.png'])
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await details().getByRole('button', { name: 'Rename group' }).click()
    const other = page.getByRole('dialog', { name: 'Rename group' })
    await other.waitFor()
    await uploads.deliver()
    await page.evaluate(async () => {
      for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame)
    })
    expect(await other.count()).toBe(1)
    expect(await calls('/channels/messaging/racks')).toEqual([])
  })

  it('a failure to change it is shown, and can be retried', async () => {
    await adaOpensIt()
    uploads.refuse('Too much')
    await picker().setInputFiles(picture)
    await dialog().getByText('The picture could not be changed.').waitFor()
    uploads.refuse()
    await picker().setInputFiles(picture)
    await dialog().waitFor({ state: 'detached' })
  })
})

it('the notification level is all, mentions only, or none', async () => {
  await adaLooks()
  await details().getByRole('button', { name: 'Notifications All messages' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await dialog.waitFor()
  await standsStill(page)
  expect(await axeFinds(page, '.chat-modal')).toEqual([])
  await dialog.getByRole('radio', { name: 'All messages' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await details().getByRole('button', { name: 'Notifications Mentions only' }).waitFor()
  expect((await calls('/push_preferences')).map(({ body }) => body)).toEqual([
    { preferences: [{ channel_cid: 'messaging:racks', chat_level: 'mentions' }] },
  ])
  await hasFocus('.chat-details-action')
})

interface Message {
  mentioned_users?: string[]
}

declare global {
  interface Window {
    /** the queries to the directory */
    asked?: string[]
    /** lets the directory return its second page */
    giveMore?: () => void
  }
}
