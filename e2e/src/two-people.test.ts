import { describe, expect, it } from 'vitest'
import { aGroup } from './kit/a-group.ts'
import type { Place } from './kit/stack.ts'
import { theProduct } from './kit/the-product.ts'

for (const place of ['sqlite', 'cluster'] satisfies Place[])
  describe(`on ${place}`, () => {
    const product = theProduct({ place })
    /** The web app of the second member: a second node where there are two. */
    const there = () => product.stack.webs.at(-1)!.url

    it('[APP-1] [NEW-1] [NEW-6] [NEW-12] [WID-33] [TOA-2] [TOA-6] two members of two organizations meet, and chat', {
      timeout: 120_000,
    }, async () => {
      const ada = await product.member('ada@northwind.example')
      const bo = await product.room.member(there(), 'bo@kiku.example')

      // Ada looks for Bo, page by page, and writes the first message before she picks him.
      await ada.page.getByRole('button', { name: 'New chat' }).first().click()
      const dialog = ada.page.getByRole('dialog', { name: 'New chat' })
      await dialog.getByRole('button', { name: 'Next page' }).click()
      await expect.poll(() => ada.page.url()).toMatch(/members-/)
      await dialog.getByLabel('Search people').fill('Bo Naka')
      await dialog.getByRole('button', { name: /Bo Nakamura/ }).waitFor()
      await expect.poll(() => new URL(ada.page.url()).searchParams.get('members-search')).toBe('Bo Naka')
      await dialog.getByText('Add a first message').click()
      await dialog.getByLabel(/First message/).fill('Hello Bo, this is Ada')
      await dialog.getByRole('button', { name: /Bo Nakamura/ }).click()
      await dialog.waitFor({ state: 'hidden' })

      // Bo is on another page: a toast notifies him, and View opens the widget on the conversation.
      await bo.page.getByText(/You have \d+ unread messages? in/).waitFor()
      await bo.takesPicture(`${place}-toast`)
      await bo.page.getByRole('button', { name: 'View' }).click()
      await bo.sees('Hello Bo, this is Ada')
      await bo.takesPicture(`${place}-widget`)

      await bo.composer.pressSequentially('Hello Ad')
      await ada.page.getByText('Bo Nakamura is typing').filter({ visible: true }).first().waitFor()
      await bo.says('Hello Ada, good to hear you')
      await ada.sees('Hello Ada, good to hear you')

      // Ada's next message is marked read as soon as Bo sees it.
      await ada.says('Shall we meet on Monday?')
      await bo.sees('Shall we meet on Monday?')
      await bo.page.bringToFront()
      await ada
        .message('Shall we meet on Monday?')
        .getByText('Read', { exact: false })
        .first()
        .waitFor({ state: 'attached' })

      ada.isWell()
      bo.isWell()
    })

    it('[MSG-22] [MSG-23] [RXN-12] a message is edited, reacted to and deleted while both watch', {
      timeout: 120_000,
    }, async () => {
      const { ada, bo } = await together()
      await ada.says('Monday at nine')
      await bo.sees('Monday at nine')

      await ada.message('Monday at nine').hover()
      await ada.message('Monday at nine').getByRole('button', { name: 'More actions' }).click()
      await ada.page.getByRole('menuitem', { name: 'Edit' }).click()
      await ada.composer.fill('Monday at ten')
      await ada.composer.press('Enter')
      await bo.sees('Monday at ten')
      await bo.message('Monday at ten').getByText('Edited').waitFor()

      await bo.message('Monday at ten').hover()
      await bo.message('Monday at ten').getByRole('button', { name: 'React with red heart' }).click()
      await ada
        .message('Monday at ten')
        .getByRole('button', { name: /red heart, 1 person/ })
        .waitFor()
      await ada.takesPicture(`${place}-chat`)

      await ada.message('Monday at ten').hover()
      await ada.message('Monday at ten').getByRole('button', { name: 'More actions' }).click()
      await ada.page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
      await ada.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
      await bo.message('Message deleted').waitFor()
      await expect.poll(() => bo.page.getByText('Monday at ten').count()).toBe(0)

      ada.isWell()
      bo.isWell()
    })

    it('[APP-2] [NEW-2] [NEW-4] [NEW-5] [NEW-27] [NEW-51] three users meet in a group made in the wizard', {
      timeout: 120_000,
    }, async () => {
      const { ada, bo } = await together()
      await ada.page.getByRole('button', { name: 'New chat' }).first().click()
      const dialog = ada.page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'New group' }).click()
      const next = dialog.getByRole('button', { name: 'Next', exact: true })
      await expect.poll(() => next.getAttribute('aria-disabled')).toBe('true')
      for (const name of ['Bo Nakamura', 'Dana Hoffmann']) {
        await dialog.getByLabel('Search people').fill(name)
        await dialog.getByRole('checkbox', { name: new RegExp(name) }).click()
      }
      await next.click()
      await dialog.getByLabel('Group name').fill(`Trade winds ${place}`)
      await dialog.getByLabel(/First message/).fill('Welcome, both of you')
      await ada.takesPicture(`${place}-group`)
      await dialog.getByRole('button', { name: 'Create group' }).click()
      await dialog.waitFor({ state: 'hidden' })

      await ada.page.getByRole('heading', { name: `Trade winds ${place}` }).waitFor()
      await ada.sees('Welcome, both of you')
      await bo.page
        .getByRole('link', { name: new RegExp(`Trade winds ${place}`) })
        .first()
        .click()
      await bo.sees('Welcome, both of you')

      ada.isWell()
      bo.isWell()
    })

    it('everything is still there after the whole product is stopped and started', { timeout: 120_000 }, async () => {
      const { group, ada, bo } = await together()
      await ada.says('Written before the night')
      await bo.sees('Written before the night')

      for (const program of [...product.stack.webs, ...product.stack.chats]) await program.stop()
      for (const program of [...product.stack.chats, ...product.stack.webs]) await program.start()

      for (const { page } of [ada, bo]) await page.goto(group.path)
      await ada.sees('Written before the night')
      await bo.sees('Written before the night')
    })

    /** Both on the chat page, with their conversation open. */
    async function together() {
      const group = await aGroup(product.stack, 'Night trains', ['ada-lindqvist', 'bo-nakamura'])
      const ada = await product.member('ada@northwind.example', group.path)
      const bo = await product.room.member(there(), 'bo@kiku.example', group.path)
      await ada.composer.waitFor()
      await bo.composer.waitFor()
      return { group, ada, bo }
    }
  })
