import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPushService } from '../../scripts/services/push-service.ts'
import { aGroup } from './kit/a-group.ts'
import type { Visitor } from './kit/browser.ts'
import { canBePushedTo } from './kit/fake-push.ts'
import { theProduct } from './kit/the-product.ts'

const PATIENCE = { timeout: 60_000 }

/** A notification as the browser has it. */
interface Shown {
  title: string
  body: string
  tag: string
  url: string
}

describe('notifications', () => {
  let service: Awaited<ReturnType<typeof startPushService>>
  const product = theProduct({ windows: true })
  beforeAll(async () => {
    service = await startPushService()
  })
  afterAll(() => service.stop())

  /** Bo's browser allows notifications; the push service is a fake one, as no browser in a test has one. */
  async function boOnHisLaptop() {
    const bo = await product.visitor()
    const { keys, path } = await canBePushedTo(bo, service, product.url)
    await bo.signsIn('bo@kiku.example')
    await bo.page.goto('/settings')
    await bo.page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    return { bo, keys, path }
  }

  const worker = ({ page }: Visitor) => page.context().serviceWorkers()[0]!
  const shownTo = (visitor: Visitor): Promise<Shown[]> =>
    worker(visitor).evaluate(async () => {
      const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
      const shown = await registration.getNotifications()
      return shown.map(({ title, body, tag, data }) => ({ title, body, tag, url: data.url }))
    })

  /** Every page of a headless browser counts as visible. */
  async function looksAway(visitor: Visitor, page: Visitor['page']) {
    const hide = (prototype: object) =>
      Object.defineProperty(prototype, 'visibilityState', { get: () => 'hidden', configurable: true })
    await worker(visitor).evaluate(`(${hide})(WindowClient.prototype), 0`)
    await page.evaluate(`(${hide})(Document.prototype), 0`)
  }

  /** Waits until a connected page shows notifications: from then on it handles clicks on them. */
  async function tells(page: Visitor['page']) {
    const tools = await page.context().newCDPSession(page)
    const { result } = await tools.send('Runtime.evaluate', { expression: 'navigator.serviceWorker' })
    const heard = async () => {
      const { listeners } = await tools.send('DOMDebugger.getEventListeners', { objectId: result.objectId! })
      return listeners.map(({ type }) => type)
    }
    await expect.poll(heard, PATIENCE).toContain('message')
  }

  const presses = (visitor: Visitor) =>
    worker(visitor).evaluate(async () => {
      const worker = self as unknown as { registration: ServiceWorkerRegistration } & EventTarget
      const [notification] = await worker.registration.getNotifications()
      const { NotificationEvent } = self as unknown as {
        NotificationEvent: new (type: string, options: object) => Event
      }
      worker.dispatchEvent(new NotificationEvent('notificationclick', { notification }))
    })

  async function adaSays(text: string) {
    const ada = await product.member('ada@northwind.example', '/chat')
    await ada.page
      .getByRole('link', { name: /Bo Nakamura/ })
      .first()
      .click()
    await ada.says(text)
    await ada.sees(text)
    return ada
  }

  it('a message reaches a user who has closed the product', {
    timeout: 180_000,
  }, async () => {
    const { bo, keys, path } = await boOnHisLaptop()
    const away = bo.page.getByRole('switch', { name: 'While Parley is closed' })
    await expect.poll(() => away.isEnabled(), PATIENCE).toBe(true)
    await away.click()
    await expect.poll(() => away.isChecked(), PATIENCE).toBe(true)
    const elsewhere = await bo.page.context().newPage()
    await bo.page.close()

    // For some seconds it may be a lost connection only, and nothing is pushed.
    const brought = () => service.brought.filter((one) => one.path === path)
    let said = 0
    await expect
      .poll(
        async () => {
          said += 1
          const ada = await adaSays(`Are you there, Bo? (${said})`)
          await ada.page.context().close()
          return brought().length
        },
        { timeout: 120_000, interval: 2_000 },
      )
      .toBeGreaterThan(0)
    const notice = keys.reads(brought()[0]!.body) as Shown
    expect(notice).toMatchObject({ title: 'Ada Lindqvist', body: expect.stringMatching(/^Are you there, Bo\?/) })

    const cdp = await elsewhere.context().newCDPSession(elsewhere)
    const registrations = new Map<string, string>()
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: all }) => {
      for (const { registrationId, scopeURL } of all) registrations.set(scopeURL, registrationId)
    })
    await cdp.send('ServiceWorker.enable')
    await expect.poll(() => registrations.get(`${product.url}/`), PATIENCE).toBeDefined()
    const registrationId = registrations.get(`${product.url}/`)!
    await cdp.send('ServiceWorker.deliverPushMessage', {
      origin: product.url,
      registrationId,
      data: JSON.stringify(notice),
    })
    await expect.poll(() => shownTo(bo), PATIENCE).toEqual([notice])
  })

  it('a hidden page notifies of a message once, and a click opens it there', {
    timeout: 120_000,
  }, async () => {
    const { bo, path } = await boOnHisLaptop()
    const hidden = bo.page.getByRole('switch', { name: 'While Parley is in the background' })
    await expect.poll(() => hidden.isEnabled(), PATIENCE).toBe(true)
    const ada = await adaSays('Nobody is told of this one')
    await hidden.click()
    await expect.poll(() => hidden.isChecked(), PATIENCE).toBe(true)
    await bo.takesPicture('notifications-on')
    await bo.isAccessible()

    await looksAway(bo, bo.page)
    const told = async () => (await shownTo(bo)).map(({ title, body }) => [title, body])

    // No page has asked for this new conversation yet.
    const group = await aGroup(product.stack, 'Just begun', ['ada-lindqvist', 'bo-nakamura', 'priya-raman'])
    await group.says('ada-lindqvist', 'Welcome, all of you')
    await expect.poll(told, PATIENCE).toEqual([[`Ada Lindqvist in ${group.name}`, 'Welcome, all of you']])
    await worker(bo).evaluate(async () => {
      const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
      for (const notification of await registration.getNotifications()) notification.close()
    })

    await ada.says('Look here, Bo')
    await expect.poll(told, PATIENCE).toEqual([['Ada Lindqvist', 'Look here, Bo']])
    await presses(bo)
    await bo.page.waitForURL(/\/chat\/messaging.*message=/)
    await bo.sees('Look here, Bo')
    await expect.poll(() => shownTo(bo)).toEqual([])
    expect(service.brought.filter((one) => one.path === path)).toEqual([])
    bo.isWell()
  })

  it('a click leads through sign-in when only the sign-in page is open', { timeout: 60_000 }, async () => {
    const bo = await product.visitor()
    await bo.page.context().grantPermissions(['notifications'], { origin: product.url })
    await bo.page.goto('/sign-in')
    await bo.page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    await worker(bo).evaluate(async () => {
      const { registration } = self as unknown as { registration: ServiceWorkerRegistration }
      await registration.showNotification('Ada Lindqvist', { data: { url: '/chat/messaging%3Afair?message=m1' } })
    })
    await presses(bo)
    await bo.page.waitForURL('**/sign-in?back=%2Fchat%2Fmessaging%253Afair%3Fmessage%3Dm1')
  })

  it('a page that was open before notifications were allowed in another one shows them', {
    timeout: 120_000,
  }, async () => {
    const { bo } = await boOnHisLaptop()
    const other = await bo.page.context().newPage()
    await other.goto('/')
    await other.getByRole('button', { name: 'Open chat' }).last().waitFor()
    const hidden = bo.page.getByRole('switch', { name: 'While Parley is in the background' })
    await expect.poll(() => hidden.isEnabled(), PATIENCE).toBe(true)
    await hidden.click()
    await expect.poll(() => hidden.isChecked(), PATIENCE).toBe(true)
    await tells(other)
    await looksAway(bo, other)
    await bo.page.close()
    await adaSays('Are both of you there?')
    await expect
      .poll(async () => (await shownTo(bo)).map(({ body }) => body), PATIENCE)
      .toEqual(['Are both of you there?'])
  })

  it('the settings show the state of notifications, in light and dark and on a phone', {
    timeout: 120_000,
  }, async () => {
    const bo = await product.member('bo@kiku.example', '/settings')
    const hidden = bo.page.getByRole('switch', { name: 'While Parley is in the background' })
    const answers = async (permission: NotificationPermission) => {
      await bo.page.evaluate((given) => {
        Object.defineProperty(Notification, 'permission', { get: () => given, configurable: true })
        dispatchEvent(new Event('focus'))
      }, permission)
    }
    await answers('denied')
    await bo.page.getByText('Your browser blocks notifications').first().waitFor()
    expect(await hidden.isDisabled()).toBe(true)
    await hidden.scrollIntoViewIfNeeded()
    await bo.takesPicture('notifications-blocked')
    await answers('default')
    await bo.page.getByText('Your browser will ask whether you allow it').first().waitFor()
    await expect.poll(() => hidden.isEnabled()).toBe(true)
    await bo.page.emulateMedia({ colorScheme: 'dark' })
    await bo.page.setViewportSize({ width: 390, height: 800 })
    await hidden.scrollIntoViewIfNeeded()
    await bo.takesPicture('notifications-phone-dark')
    await bo.isAccessible()
    await bo.page.evaluate(() => Reflect.deleteProperty(window, 'PushManager'))
    await bo.page.evaluate(() => dispatchEvent(new Event('focus')))
    await bo.page.getByText('This browser cannot take messages while Parley is closed').waitFor()
    bo.isWell()
  })
})
