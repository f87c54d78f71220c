import { expect, it } from 'vitest'
import { demoPassword } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

const product = theProduct()

it('[APP-16] a user who signs in after another on the same page is the one who chats, and the earlier one is gone', async () => {
  const visitor = await product.visitor()
  const connections: { userID: string; closed: Promise<number | undefined> }[] = []
  await visitor.page.routeWebSocket(/\/connect\?/, (socket) => {
    const { promise, resolve } = Promise.withResolvers<number | undefined>()
    const { user_id } = JSON.parse(new URL(socket.url()).searchParams.get('json')!)
    connections.push({ userID: user_id, closed: promise })
    const server = socket.connectToServer()
    // The server ends it as well, and does not notify the page.
    server.onMessage((frame) => String(frame).includes('"error"') || socket.send(frame))
    server.onClose(() => {})
    socket.onClose(resolve)
  })
  await visitor.signsIn('ada@northwind.example')
  await expect.poll(() => connections.length).toBe(1)
  await visitor.page.getByRole('button', { name: /^Open chat/ }).waitFor()

  await visitor.page.evaluate('globalThis.sameScript = true')
  await visitor.page.getByRole('button', { name: 'Sign out' }).click()
  await visitor.page.waitForURL(/\/sign-in/)
  await visitor.page.getByLabel('E-mail address').fill('bo@kiku.example')
  await visitor.page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await visitor.page.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => connections.length).toBe(2)
  const [ada, bo] = connections
  expect(await ada!.closed).toBe(1000)
  expect(bo!.userID).not.toBe(ada!.userID)
  expect(await visitor.page.evaluate('globalThis.sameScript')).toBe(true)
  // This list is Bo's: a conversation with Ada, and none with Bo.
  await visitor.page.getByRole('navigation').getByRole('link', { name: /^Chat/ }).click()
  const conversations = visitor.page.getByRole('navigation', { name: 'Conversations' })
  await conversations.getByRole('link', { name: /^Ada Lindqvist/ }).waitFor()
  expect(await conversations.getByRole('link', { name: /^Bo Nakamura/ }).count()).toBe(0)
})

it('a tab that still shows the former user does nothing in the name of the one who signed in elsewhere', async () => {
  const { page: first } = await product.member('cleo@northwind.example', '/settings')
  const family = first.locator('input[name=familyName]')
  await family.fill('Changed')

  const second = await first.context().newPage()
  await second.goto('/')
  await second.getByRole('button', { name: 'Sign out' }).click()
  await second.getByLabel('E-mail address').fill('samir@hansenvogt.example')
  await second.getByLabel('Password', { exact: true }).fill(demoPassword)
  await second.getByRole('button', { name: 'Sign in' }).click()
  await second.getByRole('heading', { name: /Samir/ }).waitFor()

  await first.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => first.locator('input[name=givenName]').inputValue()).toBe('Samir')
  expect(await family.inputValue()).toBe('Haddad')
  expect(new URL(first.url()).pathname).toBe('/settings')
  await second.goto('/settings')
  expect(await second.locator('input[name=familyName]').inputValue()).toBe('Haddad')
})
