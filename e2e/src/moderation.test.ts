import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { aGroup, type Group } from './kit/a-group.ts'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

const product = theProduct()

/** A group founded by Ada, with more messages than fit on a screen. */
async function aGroupWithHistory(): Promise<Group> {
  const group = await aGroup(product.stack, 'Warehouse keys', ['ada-lindqvist', 'bo-nakamura', 'priya-raman'])
  for (let n = 1; n <= 40; n++) await group.says('priya-raman', `Key ${n} hangs where it should`)
  return group
}

/** Ada and Bo have it open. */
async function inTheGroup() {
  const group = await aGroupWithHistory()
  const ada = await product.member('ada@northwind.example', group.path)
  const bo = await product.member('bo@kiku.example', group.path)
  for (const { composer } of [ada, bo]) await composer.waitFor()
  return { group, ada, bo }
}

/** The group's messages with the word are stopped: by a block list of version 1, or by a rule of version 2. */
async function stops(word: string, { cid }: Group, action: 'block' | 'remove' | 'bounce' = 'block') {
  const { company } = product.stack
  const name = `words-${randomUUID()}`
  await company.createBlockList({ name, words: [word] })
  const [type, id] = cid.split(':') as [string, string]
  if (action !== 'block')
    return company.moderation.upsertConfig({ key: `chat:${cid}`, block_list_config: { rules: [{ name, action }] } })
  const config_overrides = { blocklist: name, blocklist_behavior: 'block' as const }
  return company.channel(type, id).updatePartial({ set: { config_overrides } })
}

/** Opens the menu of a message by keyboard, and moves to an item by typing the beginning of its name. */
async function choosesByKeys({ page }: Visitor, text: string, item: string) {
  await page.getByRole('article').filter({ hasText: text }).last().focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: item }).press('Enter')
}

const hasFocus = (page: Visitor['page'], selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector)

it('[PIN-1] [PIN-2] [PIN-4] Ada pins a message by keyboard, finds it in the list and unpins it', {
  timeout: 120_000,
}, async () => {
  const { ada, bo } = await inTheGroup()
  await ada.says('The door code is 4711')
  await bo.sees('The door code is 4711')
  await ada.message('The door code is 4711').focus()
  await ada.page.keyboard.press('p')
  await bo.message('The door code is 4711').getByText('Pinned by Ada Lindqvist').waitFor()

  // She is far up in the history when she looks for it.
  await ada.page.getByRole('article').last().focus()
  await ada.page.keyboard.press('Home')
  await ada.page.getByRole('button', { name: '1 pinned message' }).press('Enter')
  const pins = ada.page.getByRole('complementary', { name: 'Pinned messages' })
  await pins.getByText('The door code is 4711').waitFor()
  await ada.takesPicture('pins')
  await ada.isAccessible('pinned messages')
  await hasFocus(ada.page, 'aside h2')
  await ada.page.keyboard.press('Tab')
  await ada.page.keyboard.press('Tab')
  await ada.page.keyboard.press('Enter')
  const message = ada.message('The door code is 4711')
  await expect.poll(() => message.evaluate((it) => it === document.activeElement)).toBe(true)

  // Bo unpins it with the pointer, and both lists are empty.
  await bo.page.getByRole('button', { name: '1 pinned message' }).click()
  await bo.page.getByRole('button', { name: 'Unpin the message from Ada Lindqvist' }).click()
  await bo.page.getByText('Nothing is pinned yet').waitFor()
  await pins.getByText('Nothing is pinned yet').waitFor()
  ada.isWell()
  bo.isWell()
})

it('[MOD-15] [MOD-16] [TOA-40] Ada mutes, bans and unbans Bo, and Bo sees what he may do, and what was blocked', {
  timeout: 120_000,
}, async () => {
  const { group, ada, bo } = await inTheGroup()
  await stops('contraband', group)
  await bo.says('Cheap contraband!')
  const stopped = bo.message('This message did not meet our content guidelines')
  await stopped.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect.poll(() => bo.composer.inputValue()).toBe('Cheap contraband!')
  await stopped.waitFor({ state: 'detached' })
  await bo.says('Buy my old forklift!')
  await ada.sees('Buy my old forklift!')

  await choosesByKeys(ada, 'Buy my old forklift!', 'Mute Bo Nakamura')
  // A notice stays while the pointer is on it.
  await ada.page.getByRole('button', { name: 'Undo' }).hover()
  await ada.page.getByText('You muted Bo Nakamura').first().waitFor()
  await ada.page.getByText('Message from a muted person').last().waitFor()
  await ada.page.getByRole('button', { name: 'Undo' }).click()
  await ada.sees('Buy my old forklift!')

  await choosesByKeys(ada, 'Buy my old forklift!', 'Ban Bo Nakamura…')
  const question = ada.page.getByRole('alertdialog', { name: 'Ban Bo Nakamura?' })
  await question.getByRole('textbox', { name: 'Reason (optional)' }).fill('Advertising')
  await ada.takesPicture('ban')
  await ada.isAccessible('ban')
  await bo.composer.fill('Cheap, and it')
  await question.getByRole('button', { name: 'Ban', exact: true }).press('Enter')

  // Bo reads on and sees why he cannot write; his draft is kept.
  await bo.page.getByText('You were banned and cannot write here').waitFor()
  await bo.takesPicture('banned')
  await bo.isAccessible('banned')
  await ada.says('No selling here, please.')
  await bo.sees('No selling here, please.')

  // The member's menu has the unban action.
  await ada.page.getByRole('button', { name: group.name, exact: true }).click()
  const details = ada.page.getByRole('complementary', { name: 'Details' })
  await details.getByRole('searchbox', { name: 'Search members' }).fill('naka')
  await details.getByText('banned').waitFor()
  await ada.takesPicture('details')
  await ada.isAccessible('details')
  await details.getByRole('button', { name: 'Actions for Bo Nakamura' }).press('Enter')
  await ada.page.getByRole('menuitem', { name: 'Unban Bo Nakamura' }).press('Enter')
  await expect.poll(() => bo.composer.inputValue()).toBe('Cheap, and it')
  await bo.says('Sorry!')
  await ada.sees('Sorry!')

  // Bo's messages are deleted for every member.
  await ada.message('Buy my old forklift!').focus()
  await ada.page.keyboard.press('Delete')
  await ada.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => bo.page.getByText('Buy my old forklift!').count()).toBe(0)
  expect(await ada.page.getByText('contraband').count()).toBe(0)
  ada.isWell()
  bo.isWell()
})

it.each(['block', 'remove', 'bounce'] as const)(
  '[MOD2-16] what moderation stops keeps its text for Bo, can be changed and deleted, and Ada never sees it: %s',
  { timeout: 120_000 },
  async (action) => {
    const { group, ada, bo } = await inTheGroup()
    await stops('contraband', group, action)
    await ada.page.evaluate(() => {
      const look = () => {
        if (document.body.textContent?.includes('contraband')) Object.assign(window, { sawIt: true })
      }
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    const button = (text: string, name: string) => bo.message(text).getByRole('button', { name, exact: true })
    /** Bo's message says why it was stopped, now and after a reload. */
    const isStopped = async (text: string) => {
      const reason = bo.message(text).getByText('This message did not meet our content guidelines')
      await reason.waitFor()
      await bo.page.reload()
      await bo.canPress()
      await reason.waitFor()
    }

    await bo.says('Cheap contraband!')
    await isStopped('Cheap contraband!')
    await button('Cheap contraband!', 'Edit').click()
    await expect.poll(() => bo.composer.inputValue()).toBe('Cheap contraband!')
    await bo.says('Cheap tea!')
    await ada.sees('Cheap tea!')

    await bo.composer.press('ArrowUp')
    await bo.page.getByText('Editing message').waitFor()
    await bo.says('Cheap contraband tea!')
    await isStopped('Cheap contraband tea!')
    await ada.sees('Cheap tea!')
    await button('Cheap contraband tea!', 'Edit').click()
    await bo.page.getByText('Editing message').waitFor()
    await bo.says('Fine tea!')
    await ada.sees('Fine tea!')
    await bo.sees('Fine tea!')

    await bo.says('More contraband!')
    await isStopped('More contraband!')
    await button('More contraband!', 'Delete').click()
    await bo.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await bo.message('More contraband!').waitFor({ state: 'detached' })
    await bo.page.reload()
    await bo.sees('Fine tea!')
    expect(await bo.page.getByText('contraband').count()).toBe(0)

    expect(await ada.page.evaluate(() => 'sawIt' in window)).toBe(false)
    await ada.page.reload()
    await ada.sees('Fine tea!')
    expect(await ada.page.getByText('contraband').count()).toBe(0)
    ada.isWell()
    bo.isWell()
  },
)

it('on a phone, in dark mode, the list of pins, the details and their menus are accessible', {
  timeout: 120_000,
}, async () => {
  const options = {
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    reducedMotion: 'reduce',
  } as const
  const group = await aGroupWithHistory()
  const ada = await product.member('ada@northwind.example', group.path, options)
  const { page } = ada
  await ada.composer.waitFor()
  const last = page.getByRole('article').last()
  await last.focus()
  await page.keyboard.press('p')
  await last.getByText('Pinned by Ada Lindqvist').waitFor()

  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu').waitFor()
  await ada.takesPicture('menu-dark-phone')
  await ada.isAccessible('menu of a message')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: group.name, exact: true }).tap()
  const details = page.getByRole('complementary', { name: 'Details' })
  await details.getByRole('button', { name: 'Actions for Bo Nakamura' }).tap()
  await page.getByRole('menuitem', { name: 'Make moderator' }).waitFor()
  await ada.isAccessible('menu of a member')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await ada.takesPicture('details-dark-phone')
  await ada.isAccessible('details')
  await details.getByRole('tab', { name: 'Files' }).tap()
  await details.getByText('No files yet').waitFor()

  await details.getByRole('button', { name: 'Pinned messages' }).tap()
  const pins = page.getByRole('complementary', { name: 'Pinned messages' })
  await pins.getByRole('button', { name: /^Unpin/ }).waitFor()
  await ada.takesPicture('pins-dark-phone')
  await ada.isAccessible('pins')
  await pins.getByRole('listitem').getByRole('button').first().tap()
  await pins.waitFor({ state: 'detached' })
  await expect.poll(() => last.evaluate((it) => it === document.activeElement)).toBe(true)
  ada.isWell()
})
