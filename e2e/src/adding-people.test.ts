import { expect, it } from 'vitest'
import { aGroup } from './kit/a-group.ts'
import { theProduct } from './kit/the-product.ts'

const product = theProduct()

it('[NEW-38] [NEW-53] an outsider is not offered for a group and cannot join past the page; a guest can do both', {
  timeout: 120_000,
}, async () => {
  const group = await aGroup(product.stack, 'Harbour planning', ['ada-lindqvist', 'bo-nakamura'])
  const ada = await product.member('ada@northwind.example', group.path)
  await ada.composer.waitFor()
  await ada.page.getByRole('heading', { name: group.name }).getByRole('button').click()
  await ada.page.getByRole('button', { name: 'Add members' }).click()
  const dialog = ada.page.getByRole('dialog', { name: 'Add members' })

  // Cleo has no chat access, and Ewa is a colleague: Ada can start a chat with neither.
  for (const name of ['Cleo Adeyemi', 'Ewa Nowak']) {
    const found = ada.page.waitForResponse((answer) => new URL(answer.url()).searchParams.get('search') === name)
    await dialog.getByRole('searchbox').fill(name)
    await (await found).finished()
    await dialog.getByText('Nobody has that name').waitFor()
    expect(await dialog.getByRole('checkbox', { name: new RegExp(name) }).count()).toBe(0)
  }
  const answered = await ada.page.evaluate(async (channelId) => {
    const body = new URLSearchParams({
      channelId,
      selectedUsers: JSON.stringify([{ userId: 'cleo-adeyemi', orgId: 'northwind' }]),
    })
    const answer = await fetch('/chat/api/addMembers', { method: 'POST', body })
    return { status: answer.status, ...(await answer.json()) }
  }, group.cid)
  expect(answered).toMatchObject({ status: 403, type: 'error', error: 'This person cannot be reached through chat.' })

  await dialog.getByRole('searchbox').fill('Mei')
  await dialog.getByRole('checkbox', { name: /Mei Sakamoto/ }).check()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await ada.page.getByText('1 person added').first().waitFor()
  const details = ada.page.getByRole('complementary', { name: 'Details' })
  await details.getByText('Mei Sakamoto', { exact: true }).waitFor()
  expect(await details.getByText('Cleo Adeyemi').count()).toBe(0)

  // Her menu opens their direct conversation.
  await details.getByRole('button', { name: 'Actions for Mei Sakamoto' }).press('Enter')
  await ada.page.getByRole('menuitem', { name: 'Message Mei Sakamoto' }).press('Enter')
  await ada.page.getByRole('textbox', { name: 'Message Mei Sakamoto' }).waitFor()
  ada.isWell()
})
