import { expect, it } from 'vitest'
import { aGroup } from './kit/a-group.ts'
import { demoPassword, type Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

const product = theProduct({ anew: true })

it('[USR-18] a user deletes their account by keyboard alone, and their messages stay without their name', {
  timeout: 240_000,
}, async () => {
  const words = 'I will put it all on one slide for Thursday.'
  const bo = await product.member('bo@kiku.example', '/chat')
  await opens(bo, /^Priya Raman/)
  await bo
    .message(words)
    .getByRole('heading', { name: /^Priya Raman/ })
    .waitFor()
  const elsewhere = await product.member('priya@northwind.example', '/chat')
  const priya = await product.member('priya@northwind.example', '/settings')

  await priya.page.getByRole('button', { name: 'Delete account' }).focus()
  await priya.page.keyboard.press('Enter')
  const dialog = priya.page.getByRole('alertdialog', { name: 'Delete account' })
  await dialog.getByText('This cannot be undone.').waitFor()
  await priya.isForEverybody('delete-account')
  await priya.page.keyboard.type('a guess')
  await priya.page.keyboard.press('Enter')
  await dialog.getByText('The current password is wrong.').waitFor()
  expect(await dialog.getByLabel('Current password').inputValue()).toBe('a guess')
  await priya.isAccessible('a wrong password')
  await priya.page.keyboard.press('ControlOrMeta+A')
  await priya.page.keyboard.type(demoPassword)
  await priya.page.keyboard.press('Enter')
  await priya.page.waitForURL(/\/welcome$/)
  await priya.page.getByText('Your account was deleted.').waitFor()
  await priya.isForEverybody('account-deleted')
  await elsewhere.page.waitForURL(/\/sign-in\?back=%2Fchat$/)

  // Bo has the conversation open, and later returns to it.
  const isNameless = async () => {
    await bo
      .message(words)
      .getByRole('heading', { name: /^Deleted user/ })
      .waitFor()
    await bo.page.getByRole('heading', { level: 2, name: 'Deleted user' }).waitFor()
    await expect.poll(() => bo.page.locator('body').ariaSnapshot()).not.toMatch(/Priya|Raman/)
  }
  await isNameless()
  await bo.isForEverybody('deleted-user')
  await bo.page.goto('/')
  await bo.page
    .getByRole('main')
    .getByRole('link', { name: /^Deleted user/ })
    .click()
  await isNameless()

  await priya.page.goto('/settings')
  await priya.page.waitForURL(/\/sign-in/)
  for (const visitor of [priya, elsewhere, bo]) visitor.isWell()
})

it('the only owner of an organization sees what to settle first, with a link', { timeout: 120_000 }, async () => {
  const bo = await product.member('bo@kiku.example', '/settings')
  await bo.page.getByRole('button', { name: 'Delete account' }).press('Enter')
  const dialog = bo.page.getByRole('alertdialog', { name: 'Delete account' })
  await dialog.getByText('Make somebody else an owner').waitFor()
  expect(await dialog.getByRole('textbox').count()).toBe(0)
  await bo.isForEverybody('delete-account-held')
  await dialog.getByRole('link', { name: 'Kiku Robotics' }).press('Enter')
  await bo.page.getByRole('heading', { level: 1, name: 'Kiku Robotics' }).waitFor()
  expect(await dialog.count()).toBe(0)
  bo.isWell()
})

it('a user who leaves a group returns to their other conversations, with a notice of what they left', {
  timeout: 240_000,
}, async () => {
  const people = ['bo-nakamura', 'ada-lindqvist', 'mei-sakamoto']
  const leaves = async (ada: Visitor, name: string) => {
    await ada.page.getByRole('button', { name, exact: true }).press('Enter')
    const missing = ada.page.getByText('Channel Missing')
    const seen = missing.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    )
    await ada.page.getByRole('button', { name: 'Leave group…' }).press('Enter')
    await ada.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).press('Enter')
    await ada.page.getByText(`You left “${name}”`).first().waitFor()
    expect(await seen).toBe(false)
    await expect
      .poll(() => ada.page.evaluate(() => document.activeElement?.closest('nav')?.className))
      .toBe('chat-channels')
    ada.isWell()
  }
  const wide = await aGroup(product.stack, 'Wide', people)
  await leaves(await product.member('ada@northwind.example', wide.path), wide.name)

  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
  const narrow = await aGroup(product.stack, 'Narrow', people)
  const onPhone = await product.member('ada@northwind.example', narrow.path, phone)
  await leaves(onPhone, narrow.name)
  await onPhone.page.waitForURL(/\/chat$/)

  const floating = await aGroup(product.stack, 'Floating', people)
  const inPanel = await product.member('ada@northwind.example')
  await inPanel.page
    .getByRole('button', { name: /^Open chat/ })
    .last()
    .press('Enter')
  await inPanel.page
    .getByRole('region', { name: 'Chat' })
    .getByRole('button', { name: /^Floating/ })
    .press('Enter')
  await inPanel.composer.waitFor()
  await leaves(inPanel, floating.name)
})

it('[NEW-55] when the founder of a group leaves, and then the successor, its longest-standing member moderates it', {
  timeout: 240_000,
}, async () => {
  const { company } = product.stack
  // Cleo is the longest-standing of the remaining members, and has no chat access.
  await company.upsertUser({ id: 'cleo-adeyemi', name: 'Cleo Adeyemi' })
  const people = ['ada-lindqvist', 'cleo-adeyemi', 'bo-nakamura', 'mei-sakamoto']
  const group = await aGroup(product.stack, 'Order', people)
  const [type, id] = group.cid.split(':') as [string, string]
  const keepers = async () => {
    const { members } = await company.channel(type, id).queryMembers({ is_moderator: true })
    return members.map(({ user_id }) => user_id)
  }
  expect(await keepers()).toEqual(['ada-lindqvist'])
  const ada = await product.member('ada@northwind.example', group.path)
  await ada.page.getByRole('button', { name: group.name, exact: true }).click()
  await ada.page.getByRole('button', { name: 'Leave group…' }).click()
  await ada.page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect.poll(keepers, { timeout: 30_000 }).toEqual(['bo-nakamura'])
  await company.channel(type, id).removeMembers(['bo-nakamura'])
  await expect.poll(keepers, { timeout: 30_000 }).toEqual(['mei-sakamoto'])
  ada.isWell()
})

it('[APP-29] an owner deletes an organization: its members see it disappear, and others keep their conversations', {
  timeout: 240_000,
}, async () => {
  const ada = await product.member('ada@northwind.example', '/chat')
  await opens(ada, /^Samir Haddad/)
  await ada.page.getByText('Hansen & Vogt Logistik').first().waitFor()
  const samir = await product.member('samir@hansenvogt.example', '/organizations/hansenvogt/members')
  await samir.page.getByRole('heading', { level: 1, name: 'Hansen & Vogt Logistik' }).waitFor()
  expect(await samir.page.getByRole('button', { name: 'Organisation löschen' }).count()).toBe(0)

  const dana = await product.member('dana@hansenvogt.example', '/organizations/hansenvogt/members')
  const ends = dana.page.getByRole('main').getByRole('button', { name: 'Organisation löschen' })
  await ends.press('Enter')
  const dialog = dana.page.getByRole('alertdialog', { name: 'Organisation „Hansen & Vogt Logistik“ löschen?' })
  await dialog.waitFor()
  await dana.isForEverybody('delete-organization')
  await dana.page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => ends.evaluate((it) => it === document.activeElement)).toBe(true)
  await ends.press('Enter')
  await dialog.getByRole('button', { name: 'Organisation löschen' }).press('Enter')
  await dana.page.waitForURL(/\/organizations$/)
  await dana.page.getByRole('heading', { level: 1, name: 'Organisationen' }).waitFor()
  expect(await dana.page.getByRole('main').getByText('Hansen & Vogt Logistik').count()).toBe(0)
  await dana.isForEverybody('organization-deleted')

  // Ada has the conversation open and keeps it; Samir has no chat until an organization admits him.
  await expect.poll(() => ada.page.getByText('Hansen & Vogt Logistik').count()).toBe(0)
  await ada.message('Gate 3, noted. Thank you!').waitFor()
  await samir.page.reload()
  await samir.page.getByRole('heading', { name: 'Hier ist nichts' }).waitFor()
  await samir.page.getByRole('link', { name: 'Zurück zum Start' }).click()
  await samir.page.getByText('Sie gehören noch keiner Organisation an').waitFor()
  await samir.isForEverybody('start-without-organization')
  await samir.page.goto('/chat')
  await samir.page.getByText('Der Chat ist für Ihr Konto nicht freigeschaltet').waitFor()
  for (const visitor of [ada, samir, dana]) visitor.isWell()
})

async function opens({ page, composer }: Visitor, name: RegExp) {
  await page.getByRole('link', { name }).first().click()
  await composer.waitFor()
}
