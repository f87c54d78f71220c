import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage((opened) => {
  page = opened
})

it('a channel that was just created, or created long before, is watched when it is opened', async () => {
  await page.evaluate(() => window.kitFixture.start({ open: 'racks' }))
  await page.waitForSelector('.chat-scroll')
  await page.evaluate(() => {
    const { aWorkingDay, bo, server, show } = window.kitFixture
    const find = async () => ({ people: [], hasMore: false })
    const startWith = async () => {
      const messages = [{ id: 'old-0', user: bo, text: 'We talked here before', created_at: new Date().toISOString() }]
      server().conversations.push({ ...aWorkingDay()[0]!, id: 'old', name: 'Old friends', messages, unread: 0 })
      const old = server().client.channel('messaging', 'old')
      await old.create()
      return old.cid
    }
    show({ people: { find, startWith } })
  })
  await page.getByRole('button', { name: 'Rack planning', exact: true }).click()
  await page.getByRole('button', { name: 'Actions for Cy Tanaka' }).click()
  await page.getByRole('menuitem', { name: 'Message Cy Tanaka' }).click()
  await page.getByRole('textbox', { name: 'Message Old friends' }).waitFor()
  await page.locator('.chat-scroll').getByText('We talked here before').waitFor()
  const asked = await page.evaluate(() => window.kitFixture.calls('/channels').at(-1)?.body)
  expect(asked).toMatchObject({ watch: true, filter_conditions: { cid: 'messaging:old' } })
})

it('a channel on a page where nobody has signed in yet is opened once somebody has, and again for the next user', async () => {
  await page.evaluate(() => window.kitFixture.startSignedOut({ open: 'racks' }))
  await page.locator('.chat-pane[data-state="loading"]').waitFor()
  await page.evaluate(() => window.kitFixture.server().connect())
  await page.locator('.chat-scroll').waitFor()
  await page.evaluate(() => window.kitFixture.server().client.disconnectUser())
  await page.locator('.chat-pane[data-state="loading"]').waitFor()
  await page.evaluate(() => window.kitFixture.server().connect())
  await page.locator('.chat-scroll').waitFor()
  await page.getByRole('button', { name: 'Rack planning', exact: true }).waitFor()
})
