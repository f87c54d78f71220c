import { describe, expect, it } from 'vitest'
import { now } from '../../scripts/machine-time.ts'
import { aGroup, type Group } from './kit/a-group.ts'
import { demoPassword, Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

describe('drafts and sent messages are not lost', () => {
  const product = theProduct()

  const aConversation = () => aGroup(product.stack, 'Long journeys', ['ada-lindqvist', 'bo-nakamura'])

  /** A user in a conversation, with an active service worker. */
  async function talks(email: string, { path }: Group): Promise<Visitor> {
    const visitor = await product.member(email, path)
    await visitor.composer.waitFor()
    await visitor.page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    // The worker controls only pages that were opened after it.
    await visitor.page.reload()
    await visitor.composer.waitFor()
    await visitor.page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    return visitor
  }

  it('a reload keeps the draft, and a message sent offline goes out afterwards, once', {
    timeout: 120_000,
  }, async () => {
    const group = await aConversation()
    const ada = await talks('ada@northwind.example', group)
    const bo = await talks('bo@kiku.example', group)

    await ada.page.context().setOffline(true)
    await ada.says('Said on the train')
    await ada.message('Said on the train').waitFor()
    await ada.composer.fill('Half a thought')
    await ada.page.reload()
    await ada.page.getByRole('heading', { name: 'You are offline' }).waitFor()
    await ada.takesPicture('offline')
    await ada.isAccessible('offline')

    // Nothing has to be pressed.
    await ada.page.context().setOffline(false)
    await ada.composer.waitFor()
    await expect.poll(() => ada.composer.inputValue()).toBe('Half a thought')
    await bo.sees('Said on the train')
    await ada.composer.press('Enter')
    await bo.sees('Half a thought')
    expect(await bo.page.getByRole('article').filter({ hasText: 'Said on the train' }).count()).toBe(1)
  })

  it('a message sent offline goes out from any page the user returns to', { timeout: 120_000 }, async () => {
    const group = await aConversation()
    const ada = await talks('ada@northwind.example', group)
    const bo = await talks('bo@kiku.example', group)

    await ada.page.context().setOffline(true)
    await ada.says('Said in the tunnel')
    await ada.message('Said in the tunnel').waitFor()
    await ada.page.goto('/settings')
    await ada.page.getByRole('heading', { name: 'You are offline' }).waitFor()

    await ada.page.context().setOffline(false)
    await ada.page.getByRole('heading', { name: 'Settings' }).waitFor()
    await bo.sees('Said in the tunnel')
  })

  it('a user who signs out finds their draft again, and the next user does not', {
    timeout: 120_000,
  }, async () => {
    const group = await aConversation()
    const { path } = group
    const ada = await talks('ada@northwind.example', group)
    await ada.composer.fill('Do not send this yet')
    await signsOut(ada)

    await ada.signsIn('bo@kiku.example')
    await ada.page.goto(path)
    await ada.composer.waitFor()
    expect(await ada.composer.inputValue()).toBe('')
    expect(await ada.page.getByText('Do not send this yet').count()).toBe(0)
    await signsOut(ada)

    await ada.signsIn('ada@northwind.example')
    await ada.page.goto(path)
    await expect.poll(() => ada.composer.inputValue()).toBe('Do not send this yet')
    ada.isWell()
  })

  it('[APP-31] a session that ends in the middle of a sentence leads to sign-in and back to the sentence', {
    timeout: 120_000,
  }, async () => {
    const ada = await talks('ada@northwind.example', await aConversation())
    await ada.composer.fill('I was about to s')
    await ada.page.context().clearCookies({ name: 'parley.session_token' })
    const path = new URL(ada.page.url()).pathname

    // The chat server asks for a new token, and the product has no session to issue it from.
    const { company } = product.stack
    const { users } = await company.queryUsers({ name: { $eq: 'Ada Lindqvist' } })
    await company.partialUpdateUser({
      id: users[0]!.id,
      set: { revoke_tokens_issued_before: now().toISOString() },
    })
    await ada.page.waitForURL(/\/sign-in\?back=/)
    await signsInThere(ada)
    await ada.page.waitForURL((url) => url.pathname === path)
    await expect.poll(() => ada.composer.inputValue()).toBe('I was about to s')
  })

  it('[APP-31] a session that has ended leads to sign-in and to the requested page', {
    timeout: 120_000,
  }, async () => {
    // Without chat nothing else notices it first.
    const cleo = await product.member('cleo@northwind.example')
    for (const goesOn of [
      () => cleo.page.getByRole('link', { name: 'Settings' }).click(),
      () => cleo.page.getByRole('button', { name: 'Save changes' }).click(),
    ]) {
      await cleo.page.context().clearCookies({ name: 'parley.session_token' })
      await goesOn()
      await cleo.page.waitForURL(/\/sign-in\?back=%2Fsettings$/)
      await cleo.page.getByText('Your session has ended.').waitFor()
      await signsInThere(cleo, 'cleo@northwind.example')
      await cleo.page.getByRole('heading', { name: 'Settings' }).waitFor()
      await cleo.canPress()
    }
  })

  it('[APP-31] a session that ends in the middle of a form leads to sign-in and back to the filled form', {
    timeout: 120_000,
  }, async () => {
    const cleo = await product.member('cleo@northwind.example', '/settings')
    const name = cleo.page.getByLabel('Given name')
    const before = await name.inputValue()
    await name.fill('Cleopatra')
    await cleo.page.getByLabel('New password').fill('not for anybody')
    await cleo.page.context().clearCookies({ name: 'parley.session_token' })
    await cleo.page.getByRole('button', { name: 'Save changes' }).click()
    await cleo.page.waitForURL(/\/sign-in\?back=%2Fsettings$/)
    await signsInThere(cleo, 'cleo@northwind.example')
    await expect.poll(() => name.inputValue()).toBe('Cleopatra')
    expect(await cleo.page.getByLabel('New password').inputValue()).toBe('')
    // It is not restored a second time, and an explicit sign-out discards it.
    await cleo.page.reload()
    await cleo.canPress()
    expect(await name.inputValue()).toBe(before)
    await name.fill('Nobody')
    await cleo.page.getByRole('button', { name: 'Sign out' }).click()
    await cleo.page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await cleo.page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Nobody')
    cleo.isWell()
  })

  it('[APP-31] a session that ends during a navigation leads to the requested page', async () => {
    const ada = await product.member('ada@northwind.example', '/organizations')
    const [list, settings] = [held(ada, /\/chat\/api\/channels$/), held(ada, /\/settings\.data/)]
    await ada.page.reload()
    await ada.canPress()
    const { letGo } = await list
    await ada.page.context().clearCookies({ name: 'parley.session_token' })
    await ada.page.getByRole('link', { name: 'Settings' }).click()
    const page = await settings
    letGo()
    await ada.page.waitForURL(/\/sign-in\?back=%2Fsettings$/)
    page.letGo()
  })

  it('signing out in one page signs out all pages of the browser, and keeps the draft; chat on the phone continues', {
    timeout: 120_000,
  }, async () => {
    const group = await aConversation()
    const phone = await product.member('ada@northwind.example', '/chat')
    const ada = await talks('ada@northwind.example', group)
    const path = new URL(ada.page.url()).pathname
    await ada.composer.fill('I was about to s')
    const other = await ada.page.context().newPage()
    await other.goto('/')
    await new Visitor(other).canPress()
    await other.getByRole('button', { name: 'Sign out' }).click()

    await ada.page.waitForURL((url) => url.pathname === '/sign-in' && url.searchParams.get('back') === path)
    await phone.page.getByRole('link', { name: group.name }).first().click()
    await phone.says('Still here')
    await phone.message('Still here').getByText('Delivered').waitFor()
    await signsInThere(ada)
    await expect.poll(() => ada.composer.inputValue()).toBe('I was about to s')
    await ada.sees('Still here')
  })

  it('a page of an old build reloads as the new one when a chunk is missing, and keeps the draft', {
    timeout: 120_000,
  }, async () => {
    const ada = await product.member('ada@northwind.example', '/chat', { serviceWorkers: 'block' })
    await ada.page
      .getByRole('link', { name: /Bo Nakamura/ })
      .first()
      .click()
    await ada.composer.fill('Before the update')
    const path = new URL(ada.page.url()).pathname
    // From the moment it requests the new page, that page's chunks are available.
    let isOld = true
    ada.page.on('request', (request) => {
      if (request.isNavigationRequest()) isOld = false
    })
    await ada.page.route('**/assets/**', (route) =>
      isOld ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue(),
    )
    const begunAnew = ada.page.waitForEvent('framenavigated')
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    await begunAnew
    await ada.canPress()
    expect(new URL(ada.page.url()).pathname).toBe(path)
    await expect.poll(() => ada.composer.inputValue()).toBe('Before the update')
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    await ada.page.getByRole('dialog').getByLabel('Search people').waitFor()
  })

  it('a chunk that could not be loaded is loaded on reconnect', { timeout: 120_000 }, async () => {
    const ada = await product.member('ada@northwind.example', '/', { serviceWorkers: 'block' })
    await ada.page.context().setOffline(true)
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    await ada.page.getByRole('heading', { name: 'You are offline' }).waitFor()
    await ada.page.context().setOffline(false)
    await ada.page.getByRole('heading', { name: /Good to see you/ }).waitFor()
    await ada.canPress()
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    await ada.page.getByRole('dialog').getByLabel('Search people').waitFor()
  })

  it('a page that cannot be loaded keeps the navigation, and is loaded on reconnect', {
    timeout: 120_000,
  }, async () => {
    const ada = await talks('ada@northwind.example', await aConversation())
    await ada.composer.fill('Do not forget me')
    const settings = ada.page.getByRole('link', { name: 'Settings' })
    // Its code is loaded already; its data is not.
    await settings.click()
    await ada.page.getByRole('heading', { name: 'Settings' }).waitFor()
    await ada.page.goBack()
    await ada.composer.waitFor()

    await ada.page.context().setOffline(true)
    await settings.click()
    await ada.page.getByRole('heading', { name: 'You are offline' }).waitFor()
    await ada.isAccessible('offline, in the shell')
    await ada.takesPicture('offline-in-the-shell')
    expect(await ada.page.getByRole('navigation', { name: 'Main navigation' }).isVisible()).toBe(true)

    await ada.page.context().setOffline(false)
    await ada.page.getByRole('heading', { name: 'Settings' }).waitFor()
    await ada.page.goBack()
    await expect.poll(() => ada.composer.inputValue()).toBe('Do not forget me')
  })
})

/** Signs in on the current sign-in page. */
async function signsInThere({ page }: Visitor, email = 'ada@northwind.example') {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signsOut({ page }: Visitor) {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/\/sign-in$/)
}

/** Holds the first request to an address until it is released. */
async function held({ page }: Visitor, address: RegExp): Promise<{ letGo(): void }> {
  const begun = Promise.withResolvers<{ letGo(): void }>()
  await page.route(
    address,
    (route) => begun.resolve({ letGo: () => void route.continue().catch(() => {}) }), // It may have been aborted.
    { times: 1 },
  )
  return begun.promise
}
