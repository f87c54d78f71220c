import { describe, expect, it } from 'vitest'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

const password = 'a long road home'

describe('signing up in an empty product', () => {
  const product = theProduct({ demo: false, anew: true })

  it('the first owner founds it, invites the owner of another organization, and they chat', {
    timeout: 300_000,
  }, async () => {
    const ada = await product.visitor({ timezoneId: 'Asia/Tokyo' })
    await ada.page.goto('/')
    await ada.page.waitForURL(/\/welcome$/)
    await ada.canPress()
    await ada.page.getByRole('link', { name: 'Set up Parley' }).first().click()
    await ada.page.getByRole('button', { name: 'Create organization' }).click()
    await ada.page.getByText('Use at least 8 characters.').waitFor()
    await expect.poll(() => focused(ada)).toBe('organizationName')
    await ada.isForEverybody('sign-up')
    await ada.page.getByLabel('Name of the organization').fill('Northwind')
    await introduces(ada, 'Ada', 'Lindqvist')
    await ada.page.getByLabel('E-mail address').fill('ada@northwind.example')
    await ada.page.getByRole('button', { name: 'Create organization' }).click()
    await ada.page.getByText('No conversations yet').waitFor()
    await ada.isForEverybody('start-empty')
    await ada.page.goto('/chat')
    await ada.page.getByText('Start one, and it will appear here.').waitFor()
    await ada.page.getByRole('heading', { name: 'One conversation, several organizations' }).waitFor()
    expect(await ada.page.getByRole('button').filter({ hasText: 'New chat' }).count()).toBe(1)
    await ada.page.getByRole('button').filter({ hasText: 'New chat' }).click()
    await ada.page.getByText('An owner can add one under “Organizations”').waitFor()
    await ada.page.keyboard.press('Escape')

    // Ada founds the other organization, too, and invites its owner.
    await ada.page.getByRole('link', { name: 'Organizations' }).first().click()
    await ada.page.getByRole('button', { name: 'New organization' }).click()
    await ada.page.getByRole('dialog').locator('[type=submit]').click()
    await ada.page.getByText('Enter a name.').waitFor()
    await expect.poll(() => focused(ada)).toBe('name')
    await ada.page.getByRole('dialog').getByLabel('Name of the organization').fill('Kiku Robotics')
    await ada.page.keyboard.press('Enter')
    await ada.page.getByRole('heading', { name: 'Kiku Robotics', level: 1 }).waitFor()
    await ada.page.getByRole('button', { name: 'Invite people' }).click()
    const dialog = ada.page.getByRole('dialog', { name: 'Invite somebody' })
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText('Enter a complete e-mail address.').waitFor()
    await expect.poll(() => focused(ada)).toBe('email')
    expect(await dialog.locator('[aria-invalid=true]').getAttribute('name')).toBe('email')
    await ada.page.keyboard.press('Escape')
    const link = await invites(ada, 'bo@kiku.example', 'Owner')
    await ada.page.getByText('Open invitations').waitFor()
    const until = ada.page.getByText(/^Valid until/)
    const end = (await until.getAttribute('datetime'))!
    const time = new Date(end).toLocaleTimeString('en-GB', { timeStyle: 'short', timeZone: 'Asia/Tokyo' })
    expect(await until.innerText()).toContain(time)
    await ada.isForEverybody('members-invitations')

    const bo = await product.visitor()
    await bo.page.goto(link)
    await bo.page.getByRole('heading', { name: 'Join Kiku Robotics' }).waitFor()
    await bo.isForEverybody('invitation')
    expect(await bo.page.getByLabel('E-mail address').inputValue()).toBe('bo@kiku.example')
    await introduces(bo, 'Bo', 'Nakamura')
    await bo.page.getByRole('button', { name: 'Create account and join' }).click()
    await bo.page.getByRole('heading', { name: /Good to see you, Bo/ }).waitFor()

    const late = await product.visitor()
    await late.page.goto(link)
    await late.page.getByText('This invitation is no longer valid').waitFor()
    await late.isForEverybody('invitation-gone')

    // Members of one organization do not find each other, so Ada leaves the other one.
    await ada.page.getByRole('button', { name: 'Leave' }).click()
    await ada.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
    await ada.page.getByText('You have left Kiku Robotics.').first().waitFor()

    await ada.page.getByRole('link', { name: 'Start', exact: true }).click()
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    await ada.page
      .getByRole('dialog')
      .getByRole('button', { name: /Bo Nakamura/ })
      .click()
    await ada.composer.waitFor()
    await ada.says('Welcome to Parley!')
    await bo.page.goto('/chat')
    await bo.page
      .getByRole('link', { name: /Ada Lindqvist/ })
      .first()
      .click()
    await bo.sees('Welcome to Parley!')
    for (const visitor of [ada, bo]) visitor.isWell()
  })
})

async function introduces({ page }: Visitor, givenName: string, familyName: string) {
  await page.getByLabel('Given name').fill(givenName)
  await page.getByLabel('Family name').fill(familyName)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

async function invites(visitor: Visitor, email: string, role: string): Promise<string> {
  const { page } = visitor
  await page.getByRole('button', { name: 'Invite people' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill(email)
  await dialog.getByLabel('Role').selectOption(role)
  await visitor.isForEverybody('inviting')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.getByLabel('Invitation link').innerText()
  await visitor.isForEverybody('invitation-link')
  // Where a page may not write to the clipboard, the link is shown for copying by keyboard.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return link
}

function focused({ page }: Visitor) {
  return page.evaluate(() => document.activeElement?.getAttribute('name'))
}
