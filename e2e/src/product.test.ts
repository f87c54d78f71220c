import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { fromNow } from '../../scripts/machine-time.ts'
import { aGroup } from './kit/a-group.ts'
import type { Visitor } from './kit/browser.ts'
import { theProduct } from './kit/the-product.ts'

/** A one-pixel picture. */
const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

declare global {
  interface Window {
    going: boolean[]
    isHeld: boolean
    later: (() => void)[]
  }
}

describe('the product', () => {
  const product = theProduct()

  it('[APP-3] [APP-13] [APP-17] [APP-18] [NEW-46] chat is reached through its own API alone, with requests for the app, the channels and their watchers', async () => {
    const visitor = await product.visitor()
    const asked: { url: URL; body: string | null }[] = []
    visitor.page.on('request', (request) => asked.push({ url: new URL(request.url()), body: request.postData() }))
    const sockets: URL[] = []
    visitor.page.on('websocket', (socket) => sockets.push(new URL(socket.url())))

    await visitor.signsIn('ada@northwind.example')
    await launcher(visitor).waitFor()

    const chat = new URL(product.stack.chats[0]!.url).host
    expect(sockets).toHaveLength(1)
    expect(sockets[0]!.host).toBe(chat)
    expect(sockets[0]!.pathname).toBe('/connect')
    expect(sockets[0]!.searchParams.get('api_key')).toBe(product.stack.key)
    const paths = () => asked.filter(({ url }) => url.host === chat).map(({ url }) => url.pathname)
    await expect.poll(paths).toContain('/app')
    await expect.poll(paths).toContain('/channels')
    const list = asked.find(({ url }) => url.host === chat && url.pathname === '/channels')
    expect(JSON.parse(list!.body!)).toMatchObject({ watch: true })
    const web = new URL(product.url).host
    const ownPaths = () => asked.filter(({ url }) => url.host === web).map(({ url }) => url.pathname)
    await expect.poll(ownPaths).toContain('/chat/api/channels')
    const elsewhere = asked.filter(({ url }) => url.protocol !== 'data:' && url.host !== chat && url.host !== web)
    expect(elsewhere.map(({ url }) => url.href)).toEqual([])

    // On the chat page the list itself makes the query, once.
    asked.length = 0
    await visitor.page.goto('/chat')
    await visitor.page
      .getByRole('link', { name: /Bo Nakamura/ })
      .first()
      .waitFor()
    await expect.poll(ownPaths).toContain('/chat/api/channels')
    const lists = () => asked.filter(({ url }) => url.host === chat && url.pathname === '/channels')
    await expect.poll(() => lists().map(({ body }) => JSON.parse(body!))).toMatchObject([{ watch: true }])
  })

  it('[APP-6] [APP-7] without a chat identity in the session nothing connects, and no chat can be started', async () => {
    const visitor = await product.visitor()
    let sockets = 0
    visitor.page.on('websocket', () => {
      sockets += 1
    })
    await visitor.signsIn('cleo@northwind.example')
    await visitor.page.getByRole('heading', { level: 1 }).waitFor()
    await visitor.page.goto('/organizations')
    await visitor.canPress()
    expect(sockets).toBe(0)
    expect(await launcher(visitor).count()).toBe(0)
    const ways = visitor.page.getByRole('button', { name: /New chat|^Message/ })
    const entry = visitor.page.getByRole('navigation').getByRole('link', { name: /^Chat/ })
    for (const path of ['/', '/chat', '/organizations/kiku/members']) {
      await visitor.page.goto(path)
      await visitor.page.getByRole('heading', { level: 1 }).waitFor()
      expect([await ways.count(), await entry.count()], path).toEqual([0, 0])
    }
  })

  it('[APP-8] [APP-27] [WID-16] [WID-17] [WID-18] every page has its URL; chat has a page, and a widget on the others', async () => {
    const ada = await product.member('ada@northwind.example')
    await launcher(ada).click()
    const panel = ada.page.locator('#chat-widget')
    await panel.waitFor()
    const goesTo = (name: RegExp) => ada.page.getByRole('navigation').getByRole('link', { name }).first().click()
    await goesTo(/^Chat/)
    await ada.page.waitForURL(/\/chat$/)
    await panel.waitFor({ state: 'detached' })
    expect(await launcher(ada).count()).toBe(0)
    await goesTo(/^Start/)
    await launcher(ada).waitFor()
    expect(await panel.isVisible()).toBe(false)
    for (const path of ['/organizations', '/settings', '/']) {
      await ada.page.goto(path)
      await ada.page.getByRole('heading', { level: 1 }).waitFor()
      await launcher(ada).waitFor()
    }
    await ada.page.goto('/chat')
    await ada.page
      .getByRole('link', { name: /Bo Nakamura/ })
      .first()
      .click()
    await ada.page.waitForURL(/\/chat\/messaging(:|%3A)/)
    expect(await launcher(ada).count()).toBe(0)

    await ada.page.goto('/chat/nonsense')
    await ada.page.getByRole('heading', { name: 'There is nothing here' }).waitFor()

    const stranger = await product.visitor()
    await stranger.page.goto('/settings')
    await stranger.page.waitForURL(/\/sign-in/)
  })

  it('switching conversations waits for nothing but the conversation', async () => {
    const ada = await product.member('ada@northwind.example', '/chat')
    const row = (name: RegExp) => ada.page.getByRole('navigation').getByRole('link', { name }).last()
    const asked: string[] = []
    await row(/^Bo Nakamura/).click()
    await ada.composer.waitFor()
    ada.page.on('request', (request) => asked.push(request.url()))
    await row(/^Trade fair Hamburg/).click()
    await ada.page.getByRole('textbox', { name: /^Message Trade fair/ }).waitFor()
    expect(asked.filter((url) => /\.data\b|manifest/.test(url))).toEqual([])
  })

  it('returning from a conversation in the panel restores the list and its focus', async () => {
    const ada = await product.member('ada@northwind.example')
    await launcher(ada).click()
    const panel = ada.page.getByRole('region', { name: 'Chat' })
    const row = panel.getByRole('button', { name: /^Samir Haddad/ })
    await row.scrollIntoViewIfNeeded()
    const before = await row.boundingBox()
    await row.click()
    await ada.composer.waitFor()
    await panel.getByRole('button', { name: 'Back' }).press('Enter')
    await expect.poll(() => row.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await row.boundingBox()).toEqual(before)
  })

  it('the panel has the size the user gives it, and the launcher stays in the corner it is dragged to', async () => {
    const ada = await product.member('ada@northwind.example')
    await launcher(ada).click()
    const panel = ada.page.getByRole('region', { name: 'Chat' })
    const grip = ada.page.getByRole('button', { name: 'Change size' })
    const sizeOf = async () => {
      const { width, height } = (await panel.boundingBox())!
      return [Math.round(width), Math.round(height)]
    }
    await expect.poll(sizeOf).toEqual([380, 600])
    const at = (await grip.boundingBox())!
    await ada.page.mouse.move(at.x + 12, at.y + 12)
    await ada.page.mouse.down()
    await ada.page.mouse.move(at.x - 88, at.y + 112, { steps: 4 })
    await ada.page.mouse.up()
    await expect.poll(sizeOf).toEqual([480, 500])
    await grip.press('ArrowRight')
    await grip.press('ArrowUp')
    await expect.poll(sizeOf).toEqual([456, 524])
    await grip.press('Enter')
    await expect.poll(sizeOf).toEqual([560, 672])
    await ada.takesPicture('widget-large')
    await grip.press('Enter')
    await grip.press('ArrowLeft')
    await grip.press('Escape')
    await panel.waitFor({ state: 'hidden' })

    const isOnTheLeft = async () => (await launcher(ada).boundingBox())!.x < 640
    const button = (await launcher(ada).boundingBox())!
    await ada.page.mouse.move(button.x + 28, button.y + 28)
    await ada.page.mouse.down()
    // The drag code is loaded on pointer down.
    await expect
      .poll(async () => {
        await ada.page.mouse.move(300, button.y + 28, { steps: 3 })
        return launcher(ada).evaluate(({ style }) => style.translate)
      })
      .not.toBe('')
    await ada.page.mouse.up()
    await expect.poll(isOnTheLeft).toBe(true)
    expect(await panel.isVisible()).toBe(false)

    await ada.page.reload()
    await launcher(ada).waitFor()
    expect(await isOnTheLeft()).toBe(true)
    await launcher(ada).click()
    await expect.poll(sizeOf).toEqual([404, 600])
    await ada.takesPicture('widget-left')
  })

  it('[APP-10] [APP-11] [APP-12] the accent is purple in both themes, and a change of theme swaps a class and remounts nothing', async () => {
    const ada = await product.member('ada@northwind.example', '/chat', { colorScheme: 'light' })
    await ada.page
      .getByRole('link', { name: /Bo Nakamura/ })
      .first()
      .click()
    await ada.composer.fill('Half a thou')
    const root = ada.page.locator('.chat').filter({ has: ada.composer }).first()
    expect(await root.getAttribute('class')).toContain('chat-theme-light')
    expect(await accentOf(ada.page)).toBe('rgb(109, 40, 217)')
    await root.evaluate((element) => element.setAttribute('data-mark', 'the same'))

    await ada.page.emulateMedia({ colorScheme: 'dark' })

    await expect.poll(() => root.getAttribute('class')).toContain('chat-theme-dark')
    expect(await accentOf(ada.page)).toBe('rgb(182, 156, 255)')
    expect(await root.getAttribute('data-mark')).toBe('the same')
    expect(await ada.composer.inputValue()).toBe('Half a thou')
  })

  it('[APP-16] signing out closes the connection', async () => {
    const visitor = await product.visitor()
    const closed = Promise.withResolvers<number | undefined>()
    await visitor.page.routeWebSocket(/\/connect\?/, (socket) => {
      const server = socket.connectToServer()
      // The server closes it as well, and does not notify the page.
      server.onMessage((frame) => String(frame).includes('"error"') || socket.send(frame))
      server.onClose(() => {})
      socket.onClose(closed.resolve)
    })
    await visitor.signsIn('ada@northwind.example')
    await launcher(visitor).waitFor()
    await visitor.page.getByRole('button', { name: 'Sign out' }).click()
    await visitor.page.waitForURL(/\/sign-in/)
    expect(await closed.promise).toBe(1000)
  })

  it('signing in works before, and without, any script', async () => {
    const visitor = await product.visitor({ javaScriptEnabled: false })
    await visitor.signsIn('ada@northwind.example')
    await visitor.page.getByRole('heading', { level: 1 }).waitFor()
    for (const path of ['/', '/chat']) {
      await visitor.page.goto(path)
      const said = await visitor.page.getByRole('main').innerText()
      expect(said).toContain('Chat needs JavaScript.')
      expect(said).not.toContain('Connecting')
    }
  })

  it('on a phone the floating chat covers the page, and closing it returns to the page', async () => {
    const ada = await product.member('ada@northwind.example', '/', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    await launcher(ada).tap()
    const panel = ada.page.getByRole('dialog', { name: 'Chat' })
    await panel.waitFor()
    // The covered page is not reachable by keyboard.
    for (let tabs = 0; tabs < 12; tabs++) {
      await ada.page.keyboard.press('Tab')
      expect(await ada.page.locator('main :focus, nav#navigation :focus, header.topbar :focus').count()).toBe(0)
    }
    await ada.isAccessible()
    await panel.getByRole('button', { name: 'Minimize' }).tap()
    await ada.page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => launcher(ada).evaluate((element) => element === document.activeElement)).toBe(true)
    ada.isWell()
  })

  it('on a phone Back leads from the floating chat to the page, step by step', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
    const ada = await product.member('ada@northwind.example', '/organizations', phone)
    await ada.page.goto('/')
    await launcher(ada).tap()
    const panel = ada.page.getByRole('dialog', { name: 'Chat' })
    const opens = async () => {
      await panel
        .getByRole('button', { name: /Bo Nakamura/ })
        .first()
        .tap()
      await ada.composer.waitFor()
    }
    const isUncovered = () => ada.page.waitForFunction(() => !(history.state?.usr?.layers > 0))
    await opens()
    await ada.page.goBack()
    await ada.composer.waitFor({ state: 'detached' })
    await opens()
    await ada.page.goBack()
    await panel.getByRole('heading', { name: 'Messages' }).waitFor()
    await ada.page.goBack()
    await panel.waitFor({ state: 'hidden' })
    await ada.page.getByRole('heading', { level: 1, name: /Ada/ }).waitFor()

    // Back from the chat page it is there again, as it was.
    await launcher(ada).tap()
    await opens()
    await panel.getByRole('button', { name: 'Open full page' }).tap()
    await ada.page.waitForURL('**/chat/**')
    await panel.waitFor({ state: 'hidden' })
    await ada.composer.waitFor()
    await ada.page.goBack()
    await panel.waitFor()
    await ada.composer.waitFor()

    // A reload shows the page without it.
    await ada.page.reload()
    await launcher(ada).waitFor()
    await isUncovered()
    await launcher(ada).tap()
    await panel.getByRole('heading', { name: 'Messages' }).waitFor()
    await opens()

    // Once closed by its buttons, it is not in the history.
    await panel.getByRole('button', { name: 'Minimize' }).tap()
    await panel.waitFor({ state: 'hidden' })
    await isUncovered()
    await ada.page.goBack()
    await ada.page.waitForURL('**/organizations')
    await ada.page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor()
    expect(await panel.isVisible()).toBe(false)
    ada.isWell()
  })

  it('on a phone the chat that covers a page opens and closes without the server, and at once', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
    const ada = await product.member('ada@northwind.example', '/', phone)
    await launcher(ada).tap()
    const panel = ada.page.getByRole('dialog', { name: 'Chat' })
    const row = panel.getByRole('button', { name: /Bo Nakamura/ }).first()
    await row.waitFor()
    await ada.page.waitForFunction(() => history.state?.usr?.layers === 1)
    const asked: string[] = []
    await ada.page.route(/\.data\b/, (route) => {
      asked.push(route.request().url())
      return route.abort()
    })
    await row.evaluate((row: HTMLElement) => row.click())
    await ada.page.waitForFunction(() => history.state?.usr?.layers === 2)
    await ada.page.goBack()
    await panel.getByRole('heading', { name: 'Messages' }).waitFor()
    await ada.page.goBack()
    await panel.waitFor({ state: 'hidden' })
    expect(asked).toEqual([])
    expect(new URL(ada.page.url()).pathname).toBe('/')
    ada.isWell()
  })

  it('on a phone a fast tap on a page that was covered when it was loaded stays on it', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
    const ada = await product.member('ada@northwind.example', '/organizations', phone)
    await ada.page.goto('/')
    await launcher(ada).tap()
    const panel = ada.page.getByRole('dialog', { name: 'Chat' })
    await panel
      .getByRole('button', { name: /Bo Nakamura/ })
      .first()
      .tap()
    await ada.composer.waitFor()
    // A busy phone goes back after a while.
    await ada.page.addInitScript(() => {
      const go = history.go.bind(history)
      history.go = (by) => void setTimeout(go, 1_500, by)
    })
    await ada.page.reload()
    await launcher(ada).tap()
    await panel.getByRole('heading', { name: 'Messages' }).waitFor()
    await ada.page.waitForFunction(() => history.state?.usr?.layers === 1)
    expect(new URL(ada.page.url()).pathname).toBe('/')
    await ada.page.goBack()
    await panel.waitFor({ state: 'hidden' })
    expect(new URL(ada.page.url()).pathname).toBe('/')
    ada.isWell()
  })

  it('on a phone a panel that is closed while a conversation opens in it returns to its page, and no further', async () => {
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true }
    const ada = await product.member('ada@northwind.example', '/organizations', phone)
    // A busy phone goes back after a while.
    await ada.page.addInitScript(() => {
      const go = history.go.bind(history)
      window.going = []
      history.go = (by) => {
        window.going.push(true)
        setTimeout(() => {
          go(by)
          window.going[window.going.indexOf(true)] = false
        }, 500)
      }
    })
    await ada.page.goto('/')
    await launcher(ada).tap()
    const panel = ada.page.getByRole('dialog', { name: 'Chat' })
    const row = panel.getByRole('button', { name: /Bo Nakamura/ }).first()
    await row.waitFor()
    await ada.page.waitForFunction(() => history.state?.usr?.layers === 1)
    await row.evaluate(async (row: HTMLElement) => {
      row.click()
      // After it is rendered, and before it is in the history.
      await null
      row.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    })
    await panel.waitFor({ state: 'hidden' })
    await ada.page.waitForFunction(() => window.going?.length > 0 && !window.going.includes(true))
    await ada.page.waitForFunction(() => !(history.state?.usr?.layers > 0))
    expect(new URL(ada.page.url()).pathname).toBe('/')
    expect(await ada.page.evaluate(() => history.state?.usr?.layers ?? 0)).toBe(0)
    ada.isWell()
  })

  it('[APP-26] on a phone the navigation opens 100 ms after it is pressed', async () => {
    const ada = await product.member('ada@northwind.example', '/', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    await launcher(ada).waitFor()
    await ada.page.clock.install()
    const open = ada.page.getByRole('button', { name: 'Open navigation' })
    await ada.page.clock.pauseAt(fromNow(60_000))
    await open.click()
    await ada.page.clock.runFor(90)
    expect(await ada.page.getByRole('link', { name: 'Settings' }).isVisible()).toBe(false)
    await ada.page.clock.runFor(20)
    await ada.page.getByRole('link', { name: 'Settings' }).waitFor()
  })

  it('a page that replaces another takes the focus that was lost with the pressed link', async () => {
    const isOnPage = (page: Page) => page.waitForFunction(() => document.activeElement?.matches('main'))
    const stranger = await product.visitor()
    await stranger.page.goto('/welcome')
    await stranger.canPress()
    await stranger.page.getByRole('link', { name: 'Sign in' }).first().press('Enter')
    await stranger.page.getByLabel('Password', { exact: true }).waitFor()
    await isOnPage(stranger.page)

    const ada = await product.member('ada@northwind.example', '/organizations')
    await ada.page
      .getByRole('main')
      .getByRole('link', { name: /Northwind/ })
      .press('Enter')
    await ada.page.getByRole('heading', { level: 1, name: /Northwind/ }).waitFor()
    await isOnPage(ada.page)
    // In the navigation the link still exists.
    await ada.page.getByRole('link', { name: 'Settings' }).press('Enter')
    await ada.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await ada.page.waitForFunction(() => document.activeElement?.matches('nav a[aria-current]'))

    await ada.page.setViewportSize({ width: 390, height: 844 })
    await ada.page.getByRole('button', { name: 'Open navigation' }).press('Enter')
    await ada.page.waitForFunction(() => document.activeElement?.matches('nav[data-open] a'))
    await ada.page.getByRole('link', { name: 'Organizations' }).press('Enter')
    await ada.page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor()
    await isOnPage(ada.page)
    ada.isWell()
  })

  it('on a phone a notice does not cover the navigation', async () => {
    const ada = await product.member('ada@northwind.example', '/settings', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
    })
    await ada.page.getByRole('button', { name: 'Save' }).first().tap()
    const notice = ada.page.locator('[data-sonner-toast]')
    await notice.waitFor()
    // A notice does not expire while the page is hidden.
    await ada.page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { get: () => true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await ada.page.getByRole('button', { name: 'Open navigation' }).tap()
    const start = ada.page.getByRole('navigation').getByRole('link', { name: 'Start' })
    await start.tap({ trial: true })
    expect(await notice.count()).toBe(1)
    ada.isWell()
  })

  it('[NEW-3] [NEW-7] [NEW-28] [NEW-29] [NEW-54] the wizard explains why it cannot go on, and its page is in the URL', async () => {
    const ada = await product.member('ada@northwind.example')
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    const dialog = ada.page.getByRole('dialog')
    await dialog.getByLabel('Search people').waitFor()
    await dialog.getByRole('listitem').first().waitFor()
    await dialog.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => new URL(ada.page.url()).searchParams.get('members-page')).toBe('2')

    await dialog.getByRole('button', { name: 'New group' }).click()
    const next = dialog.getByRole('button', { name: 'Next', exact: true })
    await next.focus()
    await ada.page.keyboard.press('Enter')
    await dialog.getByText('You must select at least 2 users').waitFor()
    for (const box of [0, 1]) await dialog.getByRole('checkbox').nth(box).click()
    await next.click()

    const create = dialog.getByRole('button', { name: 'Create group' })
    expect(await create.getAttribute('aria-disabled')).toBe('true')
    await create.focus()
    await ada.page.keyboard.press('Space')
    await dialog.getByRole('alert').getByText('Group name is required').waitFor()
    await dialog.getByLabel('Group name').fill('Too few')
    await dialog.getByLabel('First message (optional)').fill('Shall we?')
    await expect.poll(() => create.getAttribute('aria-disabled')).not.toBe('true')
    await dialog.getByRole('button', { name: 'Back' }).click()
    await next.click()
    expect(await dialog.getByLabel('Group name').inputValue()).toBe('Too few')
    expect(await dialog.getByLabel('First message (optional)').inputValue()).toBe('Shall we?')
    await dialog
      .getByRole('button', { name: /^Remove / })
      .first()
      .click()
    await expect.poll(() => create.getAttribute('aria-disabled')).toBe('true')
    await create.focus()
    await ada.page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('You must select at least 2 users').waitFor()
    ada.isWell()
  })

  it('[NEW-6] [NEW-7] the wizard reads its search and its page from the URL', async () => {
    const ada = await product.member('ada@northwind.example', '/?members-page=2')
    const dialog = ada.page.getByRole('dialog')
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    await dialog.getByText(/^Page 2 of \d+$/).waitFor()
    await dialog.getByRole('listitem').first().waitFor()
    await dialog.getByLabel('Search people').fill('a')
    await dialog.getByText(/^Page 1 of ([2-9]|\d\d+)$/).waitFor()
    expect(new URL(ada.page.url()).search).toBe('?members-search=a')

    await ada.page.goto('/?members-search=bo+naka')
    await ada.canPress()
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    await dialog.getByRole('button', { name: /Bo Nakamura/ }).waitFor()
    expect(await dialog.getByLabel('Search people').inputValue()).toBe('bo naka')
    expect(await dialog.getByRole('listitem').count()).toBe(1)
    ada.isWell()
  })

  it('[NEW-17] [NEW-52] [WID-30] [WID-31] the picture of a new chat is chosen on the device', async () => {
    const ada = await product.member('ada@northwind.example')
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    const dialog = ada.page.getByRole('dialog')
    await dialog.getByText('Add a first message').click()
    await dialog.getByLabel('First message (optional)').fill('Tea at five?')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    expect(await dialog.getByLabel('First message (optional)').inputValue()).toBe('Tea at five?')
    const chooser = ada.page.waitForEvent('filechooser')
    await dialog.getByRole('button', { name: 'Add a picture' }).click()
    await (await chooser).setFiles({ name: 'tea.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') })
    await dialog.getByRole('img', { name: 'tea.png' }).waitFor()
    await ada.takesPicture('new-chat-picture')
    await ada.isAccessible('a new chat with a picture')
    await dialog.getByLabel('Search people').fill('Jisoo Park')
    await ada.page.addStyleTag({ content: '.dialog-ground { transition-duration: 1s !important }' })
    await dialog.getByRole('button', { name: /Jisoo Park/ }).click()
    await dialog.waitFor({ state: 'hidden' })
    await expect
      .poll(() => ada.page.url(), { message: 'what was searched for leaves with the dialog' })
      .toBe(`${product.url}/`)
    await ada.sees('Tea at five?')
    const picture = ada.page.getByRole('article').last().locator('img[src*="/files/"]')
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
    ada.isWell()
  })

  it('[NEW-62] [NEW-63] a first message that is not sent is never lost, and its chat is not reported as failed', async () => {
    const { company } = product.stack
    const ada = await product.member('ada@northwind.example')
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    const dialog = ada.page.getByRole('dialog')
    await dialog.getByText('Add a first message').click()
    const field = dialog.getByLabel('First message (optional)')
    await field.fill('x'.repeat(6_000))
    await dialog.getByLabel('Search people').fill('Haruto Ishikawa')
    await dialog.getByRole('button', { name: /Haruto/ }).click()
    await dialog.getByText('A first message can have at most 5000 characters.').waitFor()
    await expect.poll(() => field.evaluate((it) => it === document.activeElement)).toBe(true)
    expect(await field.inputValue()).toHaveLength(6_000)
    await ada.takesPicture('new-chat-first-message')
    await ada.isAccessible('a first message that is too long')

    // This rule is only known to the chat server once the message is sent.
    const name = `words-${randomUUID()}`
    await company.createBlockList({ name, words: ['contraband'] })
    const key = 'chat:messaging'
    await company.moderation.upsertConfig({ key, block_list_config: { rules: [{ name, action: 'bounce_remove' }] } })
    await field.fill('Cheap contraband!')
    await dialog.getByRole('button', { name: /Haruto/ }).click()
    await ada.page
      .getByText('The chat was started, but your message did not meet our content guidelines and was not sent.')
      .first()
      .waitFor()
    await dialog.waitFor({ state: 'hidden' })
    await expect.poll(() => ada.composer.inputValue()).toBe('Cheap contraband!')
    await company.moderation.deleteConfig(key)
    await ada.says('Cheap forklifts!')
    await ada.sees('Cheap forklifts!')
    ada.isWell()
  })

  it('[NEW-42] [TOA-7] a chat that cannot be started explains why, and changes nothing', async () => {
    const ada = await product.member('ada@northwind.example', '/', { serviceWorkers: 'block' })
    await ada.page.route('**/chat/api/startNewChat', (route) =>
      route.fulfill({ json: { type: 'error', error: 'This person cannot be reached through chat.' } }),
    )
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    const dialog = ada.page.getByRole('dialog')
    await dialog.getByLabel('Search people').fill('Bo Nakamura')
    await dialog.getByRole('button', { name: /Bo Nakamura/ }).click()
    await ada.page.getByText('This person cannot be reached through chat.').first().waitFor()
    expect(await dialog.getByLabel('Search people').inputValue()).toBe('Bo Nakamura')
    expect(await ada.composer.count()).toBe(0)
  })

  it('a form that is submitted twice at once runs once, even before its pending state is rendered', async () => {
    const ada = await product.member('ada@northwind.example', '/organizations', { serviceWorkers: 'block' })
    // Holds back what React schedules, and with it the pending state.
    await ada.page.addInitScript(() => {
      const later: (() => void)[] = []
      Object.assign(window, { later, isHeld: false })
      Object.assign(window, {
        setImmediate: (draw: () => void) => (window.isHeld ? later.push(draw) : setTimeout(draw)),
      })
    })
    await ada.page.goto('/organizations')
    await ada.canPress()
    await ada.page.getByRole('button', { name: 'New organization' }).click()
    const name = `Twice ${randomUUID()}`
    await ada.page.getByRole('dialog').getByRole('textbox').fill(name)
    await ada.settles()
    await ada.page.evaluate(() => {
      window.isHeld = true
    })
    const create = ada.page.getByRole('dialog').getByRole('button', { name: 'Create' })
    const sent = ada.page.waitForRequest(/organizations\.data/)
    await create.click()
    await sent
    await create.click()
    await ada.page.evaluate(() => {
      window.isHeld = false
      for (const draw of window.later.splice(0)) draw()
    })
    await ada.page.getByRole('heading', { level: 1, name }).waitFor()
    await ada.page.goto('/organizations')
    expect(await ada.page.getByRole('link', { name }).count()).toBe(1)
  })

  it('confirming a dialog twice runs its action once', async () => {
    const ada = await product.member('ada@northwind.example', '/organizations')
    await ada.page.getByRole('button', { name: 'New organization' }).click()
    await ada.page.getByRole('dialog').getByRole('textbox').fill('Brief')
    await ada.page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
    await ada.page.getByRole('heading', { level: 1, name: 'Brief' }).waitFor()
    await ada.page.getByRole('button', { name: 'Delete organization' }).click()
    await ada.settles()
    await ada.page.getByRole('alertdialog').getByRole('button', { name: 'Delete organization' }).dblclick()
    await ada.page.waitForURL(/\/organizations$/)
    expect(await ada.page.getByText('That did not work').count()).toBe(0)
    ada.isWell()
  })

  it('Back restores the previous search, in the field as well', async () => {
    const { page } = await product.member('ada@northwind.example', '/organizations/kiku/members')
    const field = page.getByLabel('Search members')
    const isAt = (query: string) => expect.poll(() => new URL(page.url()).search).toBe(query)
    await field.fill('a')
    await isAt('?members-directory-search=a')
    await page.getByRole('button', { name: 'Next page' }).click()
    await isAt('?members-directory-search=a&members-directory-page=2')
    await page.getByRole('button', { name: 'Joined' }).click()
    await isAt('?members-directory-search=a&members-directory-sort=joined')
    await page.goBack()
    await isAt('?members-directory-search=a&members-directory-page=2')
    await field.fill('nakamura')
    await isAt('?members-directory-search=nakamura')
    await page.goBack()
    await expect.poll(() => field.inputValue()).toBe('a')
    await isAt('?members-directory-search=a')
  })

  it('[APP-31] a search whose session has ended leads to sign-in and back', async () => {
    const ada = await product.member('ada@northwind.example')
    await ada.page.getByRole('button', { name: 'New chat' }).first().click()
    const dialog = ada.page.getByRole('dialog')
    await dialog.getByRole('listitem').first().waitFor()
    await ada.page.context().clearCookies({ name: 'parley.session_token' })
    await dialog.getByLabel('Search people').fill('naka')
    await ada.page.waitForURL(/\/sign-in\?back=/)
  })

  it('[NEW-46] a list that failed to load is loaded again, and never reported as empty before', async () => {
    const bo = await product.visitor({ serviceWorkers: 'block' })
    let answers = 0
    await bo.page.route('**/chat/api/channels', (route) => {
      answers += 1
      return answers === 1 ? route.fulfill({ status: 502, body: 'Out of order' }) : route.continue()
    })
    await bo.hasSignedIn('bo@kiku.example')
    await bo.page.goto('/')
    await launcher(bo).waitFor()
    await expect.poll(() => answers).toBe(1)
    expect(await bo.page.getByText('No conversations yet').count()).toBe(0)
    await bo.page
      .getByRole('main')
      .getByRole('link', { name: /^Ada Lindqvist/ })
      .waitFor()
  })

  it('[APP-6] [APP-30] a user who loses chat access while chat is open sees a notice', async () => {
    const tom = await product.member('tom@northwind.example', '/chat')
    await tom.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().waitFor()
    const ada = await product.member('ada@northwind.example', '/organizations/northwind/members')
    await ada.page.getByLabel('Search members').fill('hadley')
    const access = ada.page.getByRole('switch', { name: 'Chat access of Tom Hadley' })
    await access.click()
    await tom.page.getByRole('heading', { name: 'Chat is not enabled for your account' }).waitFor()
    await access.click()
    await expect.poll(() => access.isChecked()).toBe(true)
  })

  it('[APP-6] a user who loses chat access during a navigation gets to the page', async () => {
    const tom = await product.member('tom@northwind.example', '/settings', { serviceWorkers: 'block' })
    await launcher(tom).waitFor()
    const ada = await product.member('ada@northwind.example', '/organizations/northwind/members')
    await ada.page.getByLabel('Search members').fill('hadley')
    const access = ada.page.getByRole('switch', { name: 'Chat access of Tom Hadley' })
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await tom.page.route('**/organizations.data*', async (route) => {
      await arrived
      await route.continue()
    })
    await tom.page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
    const noticed = tom.page.waitForResponse(/\/session$/)
    await access.click()
    await noticed
    // The page may be reloading by now.
    await tom.page.waitForTimeout(300)
    arrive()
    await tom.page.waitForURL('**/organizations')
    await tom.page.getByRole('heading', { level: 1, name: 'Organizations' }).waitFor()
    await launcher(tom).waitFor({ state: 'detached' })
    await access.click()
    await expect.poll(() => access.isChecked()).toBe(true)
  })

  it('[APP-31] a form that fails, or is offline, reports that and keeps its input', async () => {
    const ada = await product.member('ada@northwind.example', '/settings', { serviceWorkers: 'block' })
    const failed = (visitor: Visitor) => visitor.page.getByText('That did not work. Check the connection').first()
    await ada.page.route('**/*.data*', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'Out of order' }) : route.continue(),
    )
    await ada.page.getByLabel('Given name').fill('Adaline')
    await ada.page.getByRole('button', { name: 'Save changes' }).click()
    await failed(ada).waitFor()
    const again = ada.page.waitForResponse((answer) => answer.status() === 500)
    await ada.page.getByRole('button', { name: 'Save changes' }).click()
    await again
    await ada.settles()
    const notices = ada.page.getByRole('region', { name: 'Parley: Notices', exact: true })
    const toasts = notices.getByRole('listitem').filter({ hasText: 'That did not work' })
    expect(await toasts.count(), 'one and the same').toBe(1)
    expect(await ada.page.getByLabel('Given name').inputValue()).toBe('Adaline')

    await ada.page.unroute('**/*.data*')
    await ada.page.goto('/organizations')
    await ada.canPress()
    await ada.page.getByRole('button', { name: 'New organization' }).click()
    await ada.page.context().setOffline(true)
    const name = ada.page.getByRole('dialog').getByRole('textbox')
    await name.fill('Contoso')
    await name.press('Enter')
    await failed(ada).waitFor()
    expect(await name.inputValue()).toBe('Contoso')

    const stranger = await product.visitor()
    await stranger.page.goto('/sign-in')
    await stranger.canPress()
    await stranger.page.context().setOffline(true)
    await stranger.page.getByLabel('E-mail address').fill('ada@northwind.example')
    await stranger.page.getByLabel('Password', { exact: true }).fill('parley-demo')
    await stranger.page.getByRole('button', { name: 'Sign in' }).click()
    await failed(stranger).waitFor()
    await stranger.page.context().setOffline(false)
    await stranger.page.getByRole('button', { name: 'Sign in' }).click()
    await stranger.page.waitForURL((url) => url.pathname === '/')
  })

  it('[APP-23] [APP-24] the messages of a muted user collapse at once, and unread counts stay', async () => {
    const { company } = product.stack
    const [user_id, target_id] = ['ada-lindqvist', `mo-${randomUUID()}`]
    await company.upsertUser({ id: target_id, name: 'Mo' })
    const group = await aGroup(product.stack, 'The calmest of all', [user_id, target_id])
    await group.says(target_id, 'We have never been calmer')
    // Unread messages would be marked read while she looks.
    await company.markChannelsRead({ read_by_channel: { [group.cid]: '' }, user_id })
    const ada = await product.member('ada@northwind.example', group.path)
    await ada.sees('We have never been calmer')
    const badge = () => ada.page.getByRole('link', { name: /^Chat/ }).first().innerText()
    const unread = await badge()

    const body = { target_id, user_id }
    const listed = ada.page.waitForResponse((answer) => answer.url().endsWith('/chat/api/channels'))
    await company.request('POST', '/moderation/mute', { body })

    await ada.page.getByText('Message from a muted person').first().waitFor()
    await listed
    expect(await badge()).toBe(unread)

    await company.request('POST', '/moderation/unmute', { body })
    await expect.poll(() => ada.page.getByText('Message from a muted person').count()).toBe(0)
    ada.isWell()
  })

  it('[NEW-47] [NEW-48] [NEW-49] the channel list is loaded again when a channel is added, removed or deleted', async () => {
    const visitor = await product.visitor()
    let fetched = 0
    visitor.page.on('requestfinished', (request) => {
      if (request.url().endsWith('/chat/api/channels')) fetched += 1
    })
    await visitor.signsIn('bo@kiku.example')
    await launcher(visitor).waitFor()
    await expect.poll(() => fetched).toBeGreaterThan(0)
    const name = `Passing by ${randomUUID().slice(0, 8)}`
    const listed = () => visitor.page.getByRole('main').getByRole('link', { name }).count()

    const { company } = product.stack
    const [bo, ada] = ['bo-nakamura', 'ada-lindqvist'] as const
    const channel = company.channel('messaging', randomUUID(), { name, created_by_id: ada, members: [ada] })
    await channel.create()
    await channel.sendMessage({ text: 'Anybody here?', user_id: ada })
    for (const [change, isListed] of [
      [() => channel.addMembers([bo]), 1],
      [() => channel.removeMembers([bo]), 0],
      [() => channel.addMembers([bo]), 1],
      [() => channel.delete(), 0],
    ] as const) {
      const before = fetched
      await change()
      await expect.poll(() => fetched).toBeGreaterThan(before)
      await expect.poll(listed).toBe(isListed)
    }
  })

  it('[NEW-49] a conversation that the client watches is renamed and deleted on the start page, too', async () => {
    const { company } = product.stack
    const [bo, ada] = ['bo-nakamura', 'ada-lindqvist'] as const
    const name = `Watched by ${randomUUID().slice(0, 8)}`
    const channel = company.channel('messaging', randomUUID(), { name, created_by_id: ada, members: [ada, bo] })
    await channel.create()
    await channel.sendMessage({ text: 'Anybody here?', user_id: ada })
    const visitor = await product.visitor()
    await visitor.signsIn('bo@kiku.example')
    const listed = (name: string) => visitor.page.getByRole('main').getByRole('link', { name }).count()
    await expect.poll(() => listed(name)).toBe(1)
    await expect.poll(async () => (await channel.query({ state: true })).watcher_count).toBeGreaterThan(0)

    const renamed = name.replace('Watched by', 'Renamed by')
    await channel.updatePartial({ set: { name: renamed } })
    await expect.poll(() => listed(renamed)).toBe(1)
    await channel.delete()
    await expect.poll(() => listed(renamed)).toBe(0)
  })
})

function launcher({ page }: Visitor) {
  return page.getByRole('button', { name: /^Open chat/ }).last()
}

/** The computed accent colour of the page, in the current theme. */
function accentOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const probe = document.createElement('i')
    probe.style.color = 'var(--accent)'
    document.body.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })
}
