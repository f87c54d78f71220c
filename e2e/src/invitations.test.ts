import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { now } from '../../scripts/machine-time.ts'
import { aGroup, type Group } from './kit/a-group.ts'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

const DAY_MS = 24 * 3_600_000

const product = theProduct()

it('a user is invited to a group, declines, changes their mind, and follows a link to a message', {
  timeout: 120_000,
}, async () => {
  const group = await aGroup(product.stack, 'Night shift', ['bo-nakamura', 'jisoo-park'])
  const ada = await product.member('ada@northwind.example', '/chat')
  const bo = await product.member('bo@kiku.example', group.path)
  await bo.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await ada.page.getByRole('link').filter({ hasText: 'Bo Nakamura' }).first().waitFor()

  const dialog = await picks(bo, group, 'Ada Lindqvist')
  await bo.takesPicture('ask-first')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await bo.page.getByText('1 person invited').first().waitFor()

  const invited = `Bo Nakamura invited you to ${group.name}`
  const card = ada.page.getByRole('list', { name: 'Invitations' }).getByRole('listitem').filter({ hasText: invited })
  await card.waitFor()
  await ada.takesPicture('invitation')
  await bo.composer.focus()
  await bo.says('Is Ada here already?')
  await bo.sees('Is Ada here already?')
  await card.getByRole('button', { name: 'Decline' }).press('Enter')
  await ada.page.getByText(`Invitation to ${group.name} declined`).first().waitFor()
  await ada.page.getByRole('button', { name: 'Undo' }).press('Enter')
  await card.getByRole('button', { name: 'Accept' }).press('Enter')
  await ada.sees('Is Ada here already?')
  await ada.says('Now I am')
  await bo.sees('Now I am')
  await expect.poll(() => card.count()).toBe(0)

  await bo.message('Is Ada here already?').focus()
  await bo.page.keyboard.press('l')
  const copied = () => bo.page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain('?message=')
  await ada.page.goto(await copied())
  const focused = () => ada.page.evaluate(() => document.activeElement?.closest('article')?.textContent ?? '')
  await expect.poll(focused).toContain('Is Ada here already?')

  bo.isWell()
  ada.isWell()
})

it('a user who declines keeps all other conversations', { timeout: 120_000 }, async () => {
  const group = await aGroup(product.stack, 'Late shift', ['bo-nakamura', 'jisoo-park'])
  const bo = await product.member('bo@kiku.example', group.path)
  const dialog = await picks(bo, group, 'Priya Raman')
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  await bo.page.getByText('1 person invited').first().waitFor()

  const priya = await product.member('priya@northwind.example', '/chat')
  const invitations = priya.page.getByRole('list', { name: 'Invitations' })
  const card = invitations.getByRole('listitem').filter({ hasText: group.name })
  await card.getByRole('button', { name: 'Decline' }).click()
  await priya.page.getByText(`Invitation to ${group.name} declined`).first().waitFor()
  // Dismissing the notice with Undo commits the decline; the page must have time to send it.
  const said = priya.page.waitForResponse((answer) => /\/channels\/\w+\/[^/?]+\?/.test(answer.url()))
  await priya.page.locator('.chat-notice').getByRole('button').last().click()
  await said
  await expect.poll(() => card.count()).toBe(0)
  await priya.page.reload()
  await priya.page
    .getByRole('link', { name: /Supply round table/ })
    .first()
    .waitFor()
  expect(await card.count()).toBe(0)
  expect(await priya.page.getByRole('link', { name: group.name }).count()).toBe(0)
  priya.isWell()
})

it('pressing Enter twice invites a user to the organization once, for the chosen days', async () => {
  const ada = await product.member('ada@northwind.example', '/organizations/northwind/members', {
    serviceWorkers: 'block',
  })
  let sent = 0
  await ada.page.route('**/members.data*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    sent += 1
    const response = await route.fetch()
    await new Promise((later) => setTimeout(later, 500))
    await route.fulfill({ response }).catch(() => {})
  })
  await ada.page.getByRole('button', { name: 'Invite people' }).click()
  const address = ada.page.getByRole('dialog').getByRole('textbox')
  const email = `twice-${randomUUID()}@northwind.example`
  await address.fill(email)
  await ada.page.getByLabel('The link is valid for').selectOption('30 days')
  await address.press('Enter')
  await ada.page.getByRole('dialog').locator('[type=submit][aria-disabled]').waitFor()
  await address.press('Enter')
  await ada.page.getByRole('dialog').getByRole('status').waitFor()
  expect(sent).toBe(1)
  await ada.page.getByRole('button', { name: 'Done' }).click()
  const until = ada.page.getByRole('listitem').filter({ hasText: email }).getByRole('time')
  const days = async () => {
    const end = Date.parse((await until.getAttribute('datetime'))!)
    return Math.round((end - now().getTime()) / DAY_MS)
  }
  expect(await days()).toBe(30)
  await ada.page.getByRole('button', { name: `New link for ${email}` }).click()
  await expect.poll(days).toBe(7)
  ada.isWell()
})

/** Searches for a user to add to a group, and chooses to ask them first. */
async function picks({ page, composer }: Visitor, group: Group, name: string) {
  await composer.waitFor()
  await page.getByRole('heading', { name: group.name }).getByRole('button').click()
  await page.getByRole('button', { name: 'Add members' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add members' })
  await dialog.getByRole('searchbox').fill(name)
  await dialog.getByRole('checkbox', { name: new RegExp(name) }).check()
  await dialog.getByRole('checkbox', { name: /^Ask first/ }).check()
  return dialog
}
