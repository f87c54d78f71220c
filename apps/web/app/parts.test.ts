/** Use of the pages' components, in a browser without a server: what they show, and what they send. */
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { aBrowserOn, type FixtureBrowser } from '../../../scripts/fixture-browser.ts'
import { outlineOf } from '../../../scripts/outline.ts'

let browser: FixtureBrowser
let page: Page
let problems: () => readonly string[]
beforeAll(async () => {
  browser = await aBrowserOn('parts-fixture.html', join(import.meta.dirname, '../src/testing'))
  ;({ page, problems } = await browser.open({
    viewport: { width: 1000, height: 800 },
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  }))
  page.setDefaultTimeout(10_000)
  await page.route('**/avatars/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: '<svg/>' }))
}, 120_000)
afterAll(() => browser.close())
afterEach(() => expect(problems()).toEqual([]))

type Part = Parameters<Window['partsFixture']['show']>[0]
async function shows(part: Part, answer: unknown = null) {
  await page.evaluate(([part, answer]) => window.partsFixture.show(part, answer), [part, answer] as const)
  // A toast of the component before would cover this one.
  await expect.poll(() => page.locator('[data-sonner-toast]').count()).toBe(0)
}
const sent = () => page.evaluate(() => window.partsFixture.sent())
const told = () => page.evaluate(() => window.partsFixture.told())
const dialog = () => page.locator('[role=dialog], [role=alertdialog]')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const field = (name: string) => page.locator(`[name=${name}]`)
const notice = (text: string, kind: 'success' | 'error') =>
  page.locator(`[data-sonner-toast][data-type=${kind}]`).getByText(text).waitFor()
const isGone = () => expect.poll(() => dialog().count()).toBe(0)
const focused = () => page.evaluate(() => document.activeElement?.getAttribute('name'))
const members = '/organizations/northwind/members'

/** The dialog on screen, once it has opened. */
async function outlined(name: string) {
  await dialog().waitFor()
  await expect(outlineOf(await dialog().evaluate((it) => it.outerHTML))).toMatchFileSnapshot(
    `outlines/dialog-${name}.txt`,
  )
}

it('an owner invites a person, and gets the link to pass on', async () => {
  const link = 'https://parley.example/invitations/secret'
  await shows('invite', { type: 'success', link, email: 'grace@kiku.example' })
  await button('Invite people').click()
  await outlined('invite')
  expect(await focused()).toBe('email')
  await field('email').fill('grace@kiku.example')
  await field('role').selectOption('admin')
  await inDialog('Create link').click()
  await page.getByText(link).waitFor()
  await outlined('invited')
  expect(await sent()).toEqual([{ to: members, do: 'invite', email: 'grace@kiku.example', role: 'admin', days: '7' }])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await inDialog('Copy').click()
  await inDialog('Copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await inDialog('Done').click()
  await isGone()
})

it('an admin cannot invite owners, and sees why an invitation was refused', async () => {
  await shows('inviteAsAdmin', { type: 'error', error: 'This person is already a member.' })
  await button('Invite people').click()
  expect(await field('role').locator('option').allTextContents()).toEqual(['Member', 'Admin'])
  await inDialog('Create link').click()
  await dialog().getByText('This person is already a member.').waitFor()
  expect(await focused()).toBe('email')
  expect(await field('email').getAttribute('aria-invalid')).toBe('true')
  await inDialog('Cancel').click()
  await isGone()
})

it('a renewed link is valid for a week and shown, and an invitation is revoked', async () => {
  await shows('invitations', { type: 'success', link: 'https://parley.example/invitations/next' })
  await button('New link for grace@kiku.example').click()
  await outlined('renewed')
  await inDialog('Done').click()
  await isGone()
  await button('Revoke the invitation of grace@kiku.example').click()
  await expect.poll(sent).toEqual([
    { to: members, do: 'invite', email: 'grace@kiku.example', role: 'admin', days: '7' },
    { to: members, do: 'revoke', invitationId: 'an-id' },
  ])
})

it('a manager changes a role, removes chat access, and confirms the removal of a member', async () => {
  await shows('member', { type: 'success', notice: 'Done as asked.' })
  await page.getByLabel('Role of Tom Hadley').selectOption('admin')
  await notice('Done as asked.', 'success')
  await page.getByRole('switch', { name: 'Chat access of Tom Hadley' }).click()
  await button('Remove Tom Hadley').click()
  await outlined('remove')
  await inDialog('Cancel').click()
  await isGone()
  await button('Remove Tom Hadley').click()
  // Only a button closes an alert dialog.
  await page.mouse.click(5, 5)
  await inDialog('Remove').click()
  await isGone()
  await expect.poll(sent).toEqual([
    { to: members, userId: 'tom', do: 'role', role: 'admin' },
    { to: members, userId: 'tom', do: 'chatAccess', chatAccess: 'false' },
    { to: members, do: 'remove', userId: 'tom' },
  ])
})

it('errors of the server about members are shown', async () => {
  await shows('member', { type: 'error', error: 'Not so.' })
  await page.getByLabel('Role of Tom Hadley').selectOption('owner')
  await notice('Not so.', 'error')
})

it.each([
  ['leave', 'Leave', 'leave'],
  ['deleteOrganization', 'Delete organization', 'delete'],
] as const)('%s asks for confirmation', async (part, name, what) => {
  await shows(part, { type: 'success' })
  await button(name).click()
  await outlined(part)
  await inDialog('Cancel').click()
  await isGone()
  expect(await sent()).toEqual([])
  await button(name).click()
  await inDialog(name).click()
  await isGone()
  await expect.poll(sent).toEqual([{ to: members, do: what }])
})

it('a new organization needs a name, or its field shows the error', async () => {
  await shows('newOrganization', { error: 'settings.namesRequired' })
  await button('New organization').click()
  await outlined('new-organization')
  await field('name').fill('A company')
  await inDialog('Create').click()
  await dialog().locator('.field-error').waitFor()
  expect(await focused()).toBe('name')
  expect(await sent()).toEqual([{ to: members, name: 'A company' }])
  await inDialog('Close').click()
  await isGone()
})

it('a new password empties the form; a wrong one shows an error at its field', async () => {
  const errors = { currentPassword: 'password.wrong' }
  await shows('password', { type: 'error', errors })
  await field('currentPassword').fill('guess')
  await field('newPassword').fill('a new password')
  await button('Change password').click()
  await page.getByText('The current password is wrong.').waitFor()
  expect(await focused()).toBe('currentPassword')
  expect(await sent()).toEqual([{ to: '/settings/password', currentPassword: 'guess', newPassword: 'a new password' }])
  await shows('password', { type: 'success', notice: 'Your password was changed.' })
  await field('newPassword').fill('a new password')
  await button('Change password').click()
  await notice('Your password was changed.', 'success')
  expect(await field('newPassword').inputValue()).toBe('')
})

it('a picture is uploaded as soon as it is picked, and removed at once', async () => {
  await shows('picture', { type: 'success', notice: 'Your picture was saved.' })
  const lake = { name: 'lake.png', mimeType: 'image/png', buffer: Buffer.from('a picture') }
  await page.locator('[type=file]').setInputFiles(lake)
  await notice('Your picture was saved.', 'success')
  expect(await page.locator('[type=file]').inputValue()).toBe('')
  await button('Remove').click()
  await expect.poll(sent).toEqual([{ to: '/settings/picture', picture: 'lake.png' }, { to: '/settings/picture' }])
  await shows('picture', { type: 'error', error: 'The file is no picture.' })
  await page.locator('[type=file]').setInputFiles(lake)
  await notice('The file is no picture.', 'error')
})

it.each(['deleteAccount', 'heldAccount', 'lastAccount'] as const)('%s has an explanation', async (part) => {
  await shows(part)
  await button('Delete account').click()
  await outlined(part)
  await dialog()
    .getByRole('button', { name: /Cancel|Close/ })
    .last()
    .click()
  await isGone()
})

it('an account is deleted with its password', async () => {
  await shows('deleteAccount')
  await button('Delete account').click()
  expect(await focused()).toBe('password')
  await field('password').fill('a password')
  await inDialog('Delete account').click()
  await expect.poll(sent).toEqual([{ to: members, do: 'deleteAccount', password: 'a password' }])
})

it('pages go forward and back, up to the ends', async () => {
  await shows('pager')
  await page.getByText('Page 2 of 3').waitFor()
  await button('Previous page').click()
  await button('Next page').click()
  expect(await told()).toEqual([1, 3])
  await shows('firstPage')
  await page.getByText('Page 1 of 2').waitFor()
  await button('Previous page').click({ force: true })
  await button('Next page').click()
  expect(await told()).toEqual([2])
})

it('a search runs when typing pauses, and at once with Enter', async () => {
  await shows('search')
  const search = page.getByRole('searchbox')
  await search.pressSequentially(' bo')
  await expect.poll(told).toEqual(['bo'])
  await search.press('Enter')
  expect(await told()).toEqual(['bo', 'bo'])
  await search.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
  await search.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 })
  await search.dispatchEvent('keydown', { key: 'a' })
  expect(await told()).toEqual(['bo', 'bo'])
})

it('the tab has a dot, and an installed app a count, while there are unread messages', async () => {
  await page.evaluate(() => {
    const badges: (number | 'none')[] = []
    Object.assign(window, { badges })
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void badges.push(count),
      clearAppBadge: async () => void badges.push('none'),
    })
  })
  const icon = () => page.locator('link[rel=icon]').getAttribute('href')
  await shows('unread')
  await expect.poll(icon).toBe('/icon-unread.svg')
  await shows('read')
  await expect.poll(icon).toBe('/icon.svg')
  expect(await page.evaluate(() => (window as unknown as { badges: unknown[] }).badges)).toEqual([3, 'none'])
})

it('the panel is resized by dragging its corner or by the arrow keys, within bounds, and remembers its size', async () => {
  await page.evaluate(() => localStorage.clear())
  await shows('panel')
  const size = () =>
    page
      .locator('[data-panel]')
      .evaluate(({ style }) => ['inline', 'block'].map((at) => style.getPropertyValue(`--panel-${at}`)))
  const grip = button('Size')
  await expect.poll(size).toEqual(['380px', '600px'])
  await grip.focus()
  await page.keyboard.press('ArrowLeft')
  expect(await size()).toEqual(['404px', '600px'])
  await page.keyboard.press('ArrowUp')
  expect(await size()).toEqual(['404px', '624px'])
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  expect(await size()).toEqual(['380px', '600px'])
  await page.keyboard.press('a')
  expect(await size()).toEqual(['380px', '600px'])

  const box = (await grip.boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const drags = async (right: number, down: number) => {
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + right, y + down)
    await page.mouse.up()
  }
  await drags(-50, -30)
  expect(await size()).toEqual(['430px', '630px'])
  await page.mouse.move(x - 200, y)
  expect(await size()).toEqual(['430px', '630px'])
  await shows('panel')
  await expect.poll(size).toEqual(['430px', '630px'])
  await drags(-400, -400)
  expect(await size()).toEqual(['560px', '672px'])
  await drags(600, 600)
  expect(await size()).toEqual(['320px', '400px'])
  // A click makes it as large as possible, and another restores the default; a tiny movement is still a click.
  await drags(4, 0)
  expect(await size()).toEqual(['560px', '672px'])
  await drags(0, 0)
  expect(await size()).toEqual(['380px', '600px'])
  await page.evaluate(() => localStorage.setItem('parley.widget.size', '{"inline":"wide"}'))
  await shows('panel')
  await expect.poll(size).toEqual(['380px', '600px'])
  await page.evaluate(() => localStorage.setItem('parley.widget.size', '{'))
  await shows('panel')
  await expect.poll(size).toEqual(['380px', '600px'])
})

it('where a page may not notify, the switches say so and do nothing', async () => {
  await shows('notifications')
  const switches = page.getByRole('switch')
  await expect.poll(() => switches.first().isDisabled()).toBe(true)
  expect(
    await page.locator('[data-standing]').evaluateAll((all) => all.map((it) => (it as HTMLElement).dataset.standing)),
  ).toEqual(['denied', 'unsupported'])
})

const people = [
  ['bo', 'Bo', 'Nakamura', 'kiku', 'Kiku Robotics'],
  ['mei', 'Mei', 'Sakamoto', 'kiku', 'Kiku Robotics'],
  ['lucia', 'Lucía', 'Romero', 'solviento', 'Sol y Viento'],
].map(([id, givenName, familyName, orgId, displayName]) => ({
  user: { id, identity: { givenName, familyName, imageUrl: null } },
  organization: { id: orgId, displayName },
}))

/** The wizard, with the search results and the result of a new chat. */
async function wizard(answer: Record<string, string>) {
  const asked: string[] = []
  const started: (string | null)[][] = []
  await page.unroute('**/chat/**')
  await page.route('**/chat/modals/**', async (route) => {
    asked.push(new URL(route.request().url()).search)
    await route.fulfill({
      json: { memberships: people, membershipsPage: 1, membershipsPageCount: 2, membershipsCount: 13 },
    })
  })
  await page.route('**/chat/api/startNewChat', async (route) => {
    const request = route.request()
    const form = await new Response(request.postDataBuffer() as never, {
      headers: { 'content-type': (await request.headerValue('content-type'))! },
    }).formData()
    started.push([JSON.stringify(Object.fromEntries(form)), await request.headerValue('idempotency-key')])
    await route.fulfill({ json: answer })
  })
  await shows('newChat')
  await dialog()
    .getByRole('button', { name: /Bo Nakamura/ })
    .waitFor()
  return { asked, started, takes: (next: typeof answer) => Object.assign(answer, next) }
}
const state = () =>
  page
    .locator('[data-state]')
    .evaluate((it) => JSON.parse((it as HTMLElement).dataset.state!) as Record<string, unknown>)

it('[NEW-3] one person is picked, and the chat with them opens', async () => {
  const { asked, started } = await wizard({
    type: 'success',
    channelId: 'messaging:new',
    channelWithName: 'Bo Nakamura',
  })
  await outlined('new-chat')
  expect(asked).toEqual(['?search=&members-page=1'])
  await button('Next page').click()
  await expect.poll(() => asked).toEqual(['?search=&members-page=1', '?search=&members-page=2'])
  await dialog()
    .getByRole('button', { name: /Bo Nakamura/ })
    .click()
  await isGone()
  expect(started.map(([form]) => JSON.parse(form!))).toEqual([{ type: 'direct', userId: 'bo', orgId: 'kiku' }])
  expect(await state()).toMatchObject({ activeChannelId: 'messaging:new', chatWidgetOpen: true })
  expect(await page.locator('[data-address]').getAttribute('data-address')).toBe(members)
})

it('[NEW-4] [NEW-5] several people are picked and the group is named; a failure is shown, and retried with the same key', async () => {
  const { started, takes } = await wizard({ type: 'error', error: 'The chat is away.' })
  await dialog().getByRole('button', { name: 'New group' }).click()
  const rows = dialog().getByRole('checkbox')
  await rows.nth(0).click()
  await rows.nth(2).click()
  await rows.nth(1).click()
  await rows.nth(1).click()
  await outlined('new-group')
  await inDialog('Next').click()
  expect(await focused()).toBeNull()
  await page.getByLabel('Group name').fill('Supply')
  await page.getByLabel('First message (optional)').fill('Hello all')
  await outlined('new-group-named')
  await inDialog('Create group').click()
  await notice('The chat is away.', 'error')
  expect(await state()).toMatchObject({ newChatModalOpen: true, newChatView: 'groupSettings' })
  takes({ type: 'success', channelId: 'messaging:group', channelWithName: 'Supply' })
  await inDialog('Create group').click()
  await isGone()
  const [first, again] = started
  expect(again).toEqual(first)
  expect(JSON.parse(first![0]!)).toEqual({
    type: 'group',
    groupName: 'Supply',
    firstMessage: 'Hello all',
    selectedUsers: JSON.stringify([
      { userId: 'bo', orgId: 'kiku' },
      { userId: 'lucia', orgId: 'solviento' },
    ]),
  })
  expect(first![1]).toMatch(/^[\da-f]{32}$/)
})

it('[NEW-10] going back clears the selection and offers to restore it; closing asks first', async () => {
  await wizard({})
  await dialog().getByRole('button', { name: 'New group' }).click()
  await dialog().getByRole('checkbox').first().click()
  await inDialog('Back').click()
  // The library hides it in a page without the product's styles.
  const cleared = page.locator('[data-sonner-toast]', { hasText: 'The selection was cleared.' })
  await cleared.getByText('Undo').dispatchEvent('click')
  await expect.poll(() => dialog().getByRole('checkbox').first().getAttribute('aria-checked')).toBe('true')
  await inDialog('Close').first().click()
  const asking = page.locator('[role=alertdialog]')
  await asking.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => asking.count()).toBe(0)
  await inDialog('Close').first().click()
  await asking.getByRole('button', { name: 'Discard' }).click()
  await isGone()
  expect(await state()).toMatchObject({ selectedUsers: [], newChatModalOpen: false })
})
