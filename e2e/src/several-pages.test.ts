import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { fromNow } from '../../scripts/machine-time.ts'
import { aGroup } from './kit/a-group.ts'
import { theProduct } from './kit/the-product.ts'

const product = theProduct()
const launcher = (page: Page) => page.getByRole('button', { name: /^Open chat/ })
const numbers = (pages: Page[]) => () =>
  Promise.all(pages.map((page) => launcher(page).getAttribute('aria-label', { timeout: 1_000 }).catch(String)))
const unread = (count: number) => `Open chat, ${count} unread message${count === 1 ? '' : 's'}`

/** A user with several pages in one browser, none of which shows chat. */
async function withPages(email: string, paths: string[]) {
  const visitor = await product.visitor()
  await visitor.hasSignedIn(email)
  const pages: Page[] = []
  const connections = new Map<Page, number>()
  for (const path of paths) {
    const page = pages.length === 0 ? visitor.page : await visitor.page.context().newPage()
    connections.set(page, 0)
    page.on('websocket', (socket) => {
      connections.set(page, connections.get(page)! + 1)
      socket.on('close', () => connections.set(page, connections.get(page)! - 1))
    })
    await page.goto(path)
    await launcher(page).waitFor()
    pages.push(page)
  }
  return { visitor, pages, connections: () => pages.map((page) => connections.get(page)) }
}

/** A headless browser reports every page as visible. */
async function isLookedAt(page: Page) {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
}

it('[TOA-6] of one user’s pages without chat one is connected, and all have its unread counts', async () => {
  const ada = await withPages('ada@northwind.example', ['/settings', '/', '/organizations'])
  expect(ada.connections()).toEqual([1, 0, 0])
  const [settings, start] = ada.pages as [Page, Page]
  const group = await aGroup(product.stack, 'Several pages', ['bo-nakamura', 'ada-lindqvist'])
  await group.says('bo-nakamura', 'Hello, all of you')
  await start.getByRole('link', { name: new RegExp(group.name) }).waitFor()
  await expect.poll(numbers(ada.pages)).toEqual([unread(1), unread(1), unread(1)])
  const toasts = () => Promise.all(ada.pages.map((page) => page.getByText(/^You have/).count()))
  await expect.poll(toasts).toEqual([0, 0, 1])
  await isLookedAt(settings)
  await expect.poll(toasts).toEqual([1, 0, 0])

  // A page that opens later has the counts at once; when the connected one is closed, another takes over.
  await start.reload()
  await launcher(start).waitFor()
  expect(ada.connections()).toEqual([1, 0, 0])
  await expect.poll(numbers([start])).toEqual([unread(1)])
  await settings.close()
  ada.pages.shift()
  await expect.poll(() => ada.connections().toSorted()).toEqual([0, 1])
  await group.says('bo-nakamura', 'And to whoever is left')
  await expect.poll(numbers(ada.pages)).toEqual([unread(2), unread(2)])

  // In a page that is not connected, View connects it first.
  const unconnected = ada.pages[ada.connections().indexOf(0)]!
  await isLookedAt(unconnected)
  await unconnected.getByRole('button', { name: 'View' }).click()
  await unconnected.getByRole('article').filter({ hasText: 'And to whoever is left' }).waitFor()
  ada.visitor.isWell()
})

it('a page in which chat is opened connects itself, and messages read there are read in all', async () => {
  const group = await aGroup(product.stack, 'Read in one', ['bo-nakamura', 'tom-hadley'])
  const tom = await withPages('tom@northwind.example', ['/settings', '/organizations'])
  const [, second] = tom.pages as [Page, Page]
  await group.says('bo-nakamura', 'Who reads this?')
  await expect.poll(numbers(tom.pages)).toEqual([unread(1), unread(1)])
  await launcher(second).click()
  await second.getByRole('button', { name: new RegExp(group.name) }).click()
  await second.getByRole('article').filter({ hasText: 'Who reads this?' }).waitFor()
  expect(tom.connections()).toEqual([1, 1])
  await expect.poll(numbers([tom.pages[0]!])).toEqual(['Open chat'])
  await second.getByRole('button', { name: 'Minimize' }).click()
  await expect.poll(numbers(tom.pages)).toEqual(['Open chat', 'Open chat'])
  tom.visitor.isWell()
})

it('a page that gets no answer from the others connects itself', async () => {
  const ewa = await product.visitor()
  await ewa.hasSignedIn('ewa@northwind.example')
  // The page that should answer the others hangs.
  await ewa.page.goto('/settings')
  await launcher(ewa.page).waitFor()
  await ewa.page.evaluate(() => {
    BroadcastChannel.prototype.postMessage = () => {}
  })
  const other = await ewa.page.context().newPage()
  await other.goto('/organizations')
  await launcher(other).waitFor()
})

it('a user who has paused notifications has no toast in any page', async () => {
  const group = await aGroup(product.stack, 'Quiet', ['bo-nakamura', 'priya-raman'])
  const disabled_until = fromNow(3_600_000).toISOString()
  await product.stack.company.setPushPreferences([{ user_id: 'priya-raman', disabled_until }])
  const priya = await withPages('priya@northwind.example', ['/settings', '/organizations'])
  await group.says('bo-nakamura', 'Not now')
  await expect.poll(numbers(priya.pages)).toEqual([unread(1), unread(1)])
  for (const page of priya.pages) {
    await isLookedAt(page)
    await page.waitForTimeout(200)
    expect(await page.getByText(/^You have/).count()).toBe(0)
  }
})
