import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { theProduct } from './kit/the-product.ts'

const product = theProduct()

it('removing members and an invitation by keyboard keeps the focus in place', {
  timeout: 120_000,
}, async () => {
  const bo = await product.member('bo@kiku.example', '/organizations/kiku/members')
  const removes = bo.page.getByRole('row').getByRole('button', { name: /^Remove / })
  const [first, second] = await Promise.all([0, 1].map((row) => removes.nth(row).getAttribute('aria-label')))
  const row = bo.page.getByRole('row').filter({ has: bo.page.getByRole('button', { name: second! }) })
  await removes.first().press('Enter')
  const dialog = bo.page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Remove' }).press('Enter')
  await bo.page.getByRole('button', { name: first! }).waitFor({ state: 'detached' })
  await hasTheFocus(row.getByRole('combobox'))

  await bo.page.getByRole('button', { name: 'Invite people' }).press('Enter')
  await bo.page.getByRole('dialog').getByLabel('E-mail address').fill('new@kiku.example')
  await bo.page.keyboard.press('Enter')
  await bo.page.getByRole('dialog').getByRole('button', { name: 'Done' }).press('Enter')
  const withdraw = bo.page.getByRole('button', { name: 'Revoke the invitation of new@kiku.example' })
  await withdraw.press('Enter')
  await withdraw.waitFor({ state: 'detached' })
  await expect.poll(() => bo.page.evaluate(() => document.activeElement?.closest('.page') !== null)).toBe(true)
  bo.isWell()
})

it('removing one’s own picture by keyboard focuses the button that adds another', async () => {
  const bo = await product.member('bo@kiku.example', '/settings')
  await bo.page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
  await hasTheFocus(bo.page.getByRole('button', { name: 'Upload a picture' }))
  bo.isWell()
})

async function hasTheFocus(place: Locator) {
  await expect.poll(() => place.evaluate((element) => element === document.activeElement)).toBe(true)
}
