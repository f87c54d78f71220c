/** Founds an organization, invites the owner of another one, and hands it over. */
import type { Visitor } from './browser.ts'

export const password = 'a long road home'

export async function introduces({ page }: Visitor, givenName: string, familyName: string) {
  await page.getByLabel('Given name').fill(givenName)
  await page.getByLabel('Family name').fill(familyName)
  await page.getByLabel('Password', { exact: true }).fill(password)
}

/** The first visitor founds an organization. */
export async function founds(ada: Visitor) {
  await ada.page.goto('/')
  await ada.page.waitForURL(/\/welcome$/)
  await ada.canPress()
  await ada.page.getByRole('link', { name: 'Set up Parley' }).first().click()
  await ada.page.getByLabel('Name of the organization').fill('Northwind')
  await introduces(ada, 'Ada', 'Lindqvist')
  await ada.page.getByLabel('E-mail address').fill('ada@northwind.example')
  await ada.page.getByRole('button', { name: 'Create organization' }).click()
  await ada.page.getByText('No conversations yet').waitFor()
}

/**
 * Founds another organization and returns the invitation link for its owner.
 *
 * @param copying whether to copy the link as well, which needs a browser with clipboard access
 */
export async function invites({ page }: Visitor, { copying = false } = {}): Promise<string> {
  await page.getByRole('link', { name: 'Organizations' }).first().click()
  await page.getByRole('button', { name: 'New organization' }).click()
  await page.getByRole('dialog').getByLabel('Name of the organization').fill('Kiku Robotics')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Kiku Robotics', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Invite people' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill('bo@kiku.example')
  await dialog.getByLabel('Role').selectOption('Owner')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const link = await dialog.getByLabel('Invitation link').innerText()
  if (copying) {
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  }
  await dialog.getByRole('button', { name: 'Done' }).click()
  return link
}

/** Members of one organization do not find each other, so Ada leaves the other one. */
export async function leaves({ page }: Visitor) {
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByText('You have left Kiku Robotics.').first().waitFor()
}

export async function joins(bo: Visitor, link: string) {
  await bo.page.goto(link)
  await introduces(bo, 'Bo', 'Nakamura')
  await bo.page.getByRole('button', { name: 'Create account and join' }).click()
  await bo.page.getByRole('heading', { name: /Good to see you, Bo/ }).waitFor()
}
