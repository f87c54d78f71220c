import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { now } from '../../scripts/machine-time.ts'
import { aGroup } from './kit/a-group.ts'
import { theProduct } from './kit/the-product.ts'

const DAY_MS = 24 * 3_600_000

const product = theProduct()

it('[APP-19] [APP-20] [APP-21] [APP-22] [WID-34] [TOA-6] whichever event carries the counts, they show on the launcher, in the navigation and in one toast', async () => {
  const ada = await product.visitor()
  let brings = (_: object) => {}
  await ada.page.routeWebSocket(/\/connect\?/, (socket) => {
    socket.connectToServer()
    brings = (event) => socket.send(JSON.stringify(event))
  })
  await ada.hasSignedIn('ada@northwind.example')
  await ada.page.goto('/settings')
  const launcher = ada.page.getByRole('button', { name: /^Open chat/ })
  const entry = ada.page.getByRole('navigation').getByRole('link', { name: /^Chat/ })
  const toasts = ada.page.getByText(/^You have/)
  const said = async () => ({
    launcher: [await launcher.getAttribute('aria-label'), await launcher.innerText()],
    entry: await entry.locator('.badge, .unseen').allTextContents(),
    toasts: await toasts.allTextContents(),
  })
  await launcher.waitFor()

  const message = { id: 'm', text: 'Hi', user: { id: 'somebody' }, created_at: now().toISOString() }
  const somewhere = { cid: 'messaging:somewhere', channel_type: 'messaging', channel_id: 'somewhere', message }
  const user = { id: 'ada-lindqvist' }
  for (const [type, unread, channels, badge] of [
    ['notification.message_new', 1, 1, '1'],
    ['message.new', 120, 2, '99+'],
    ['message.read', 99, 2, '99'],
    ['notification.mark_read', 12, 1, '12'],
  ] as const) {
    brings({ ...somewhere, type, user, total_unread_count: unread, unread_channels: channels })
    const messages = `${unread} unread message${unread === 1 ? '' : 's'}`
    await expect.poll(said, { message: type }).toEqual({
      launcher: [`Open chat, ${messages}`, badge],
      entry: [badge, messages],
      toasts: [`You have ${messages} in ${channels} channel${channels === 1 ? '' : 's'}`],
    })
  }
  brings({ ...somewhere, type: 'message.read', user, total_unread_count: 0, unread_channels: 0 })
  await expect.poll(said).toEqual({ launcher: ['Open chat', ''], entry: [], toasts: [] })
  ada.isWell()
})

it('[WID-34] a message marked unread again, or deleted unread, counts at once on every page of its reader', async () => {
  const group = await aGroup(product.stack, 'Second shift', ['ada-lindqvist', 'bo-nakamura'])
  const ada = await product.member('ada@northwind.example', group.path)
  const elsewhere = await ada.page.context().newPage()
  await elsewhere.goto('/settings')
  const bo = await product.member('bo@kiku.example', group.path)
  const unread = () => Promise.all([ada.page, elsewhere].map(unreadIn))
  const [before] = (await unread()) as [number]

  await ada.page.bringToFront()
  await bo.composer.waitFor()
  for (const text of ['The belt stands', 'The belt runs']) await bo.says(text)
  await ada.sees('The belt runs')
  await expect.poll(unread).toEqual([before, before])
  await ada.message('The belt stands').focus()
  await ada.page.keyboard.press('u')
  await expect.poll(unread).toEqual([before + 2, before + 2])

  await bo.message('The belt runs').focus()
  await bo.page.keyboard.press('Delete')
  await bo.page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect.poll(unread).toEqual([before + 1, before + 1])
  ada.isWell()
})

it('the latest message moves its conversation to the top of the recent ones, with its time', async () => {
  const people = ['ada-lindqvist', 'bo-nakamura']
  const [evening, morning] = [
    await aGroup(product.stack, 'Evening shift', people),
    await aGroup(product.stack, 'Morning shift', people),
  ]
  await morning.says('bo-nakamura', 'All calm')
  const ada = await product.member('ada@northwind.example')
  const first = () => ada.page.getByRole('main').getByRole('listitem').first().innerText()
  await expect.poll(first).toContain(morning.name)

  await evening.says('bo-nakamura', 'The belt is back')
  await expect.poll(first).toMatch(new RegExp(`^${evening.name}\\s+\\d\\d:\\d\\d$`))

  await ada.page.clock.setSystemTime(now().getTime() + DAY_MS)
  await ada.page.reload()
  await expect.poll(first).toMatch(new RegExp(`^${evening.name}\\s+yesterday$`))
  ada.isWell()
})

it('[TOA-6] View opens the newest conversation with an unread message', async () => {
  const people = ['ada-lindqvist', 'bo-nakamura']
  const [older, newer, silent] = [
    await aGroup(product.stack, 'Older news', people),
    await aGroup(product.stack, 'Newer news', people),
    await aGroup(product.stack, 'Read already', people),
  ]
  await older.says('ada-lindqvist', 'The older news')
  await newer.says('ada-lindqvist', 'The newer news')
  await silent.says('bo-nakamura', 'My own words')
  const bo = await product.member('bo@kiku.example', '/settings')
  await bo.page.getByRole('button', { name: 'View' }).click()
  await bo.sees('The newer news')
  await bo.page.getByRole('textbox', { name: `Message ${newer.name}` }).waitFor()
  bo.isWell()
})

it('[APP-32] [HTTP-15] the token stays in the memory of the page, and chat is called without cookies', async () => {
  const ada = await product.visitor()
  const chat = new URL(product.stack.chats[0]!.url).host
  const asked: Promise<Record<string, string>>[] = []
  ada.page.on('request', (request) => {
    if (new URL(request.url()).host === chat) asked.push(request.allHeaders())
  })
  const socket = ada.page.waitForEvent('websocket')
  await ada.signsIn('ada@northwind.example')
  const token = new URL((await socket).url()).searchParams.get('authorization')!
  expect(token).toMatch(/^ey/)
  await ada.page.goto('/chat')
  await ada.page
    .getByRole('link', { name: /Bo Nakamura/ })
    .first()
    .click()
  await ada.composer.waitFor()
  const kept = await ada.page.evaluate(() => [location.href, ...Object.values(localStorage)].join('\n'))
  expect(kept).not.toMatch(/ey\w+\.\w+/)
  expect(
    (await ada.page.context().cookies(product.stack.chats[0]!.url)).length,
    'there are some to send',
  ).toBeGreaterThan(0)
  const headers = await Promise.all(asked)
  expect(headers.length).toBeGreaterThan(0)
  expect(headers.filter(({ cookie }) => cookie !== undefined)).toEqual([])
})

/** The count in the navigation. */
async function unreadIn(page: Page): Promise<number> {
  const badges = page.getByRole('link', { name: /^Chat/ }).first().locator('.badge')
  return Number((await badges.allTextContents())[0] ?? 0)
}
