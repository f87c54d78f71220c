import { ChatClient } from '@parley/client'
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startPushService } from '../../scripts/services/push-service.ts'
import { Room, type Visitor } from './kit/browser.ts'
import { canBePushedTo } from './kit/fake-push.ts'
import { founds, introduces, invites, joins, leaves, password } from './kit/founding.ts'
import { startTlsStack, type TlsStack, type TlsStackOptions } from './kit/tls-stack.ts'

const PATIENCE = { timeout: 60_000 }
/** A green square, as a user's picture. */
const SQUARE =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsAthMOMY3wi+hcEKLDX9WgQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQELgvg6cDE7afxJgAAAABJRU5ErkJggg=='

/** An empty product behind TLS for each test of a group, and a browser that resolves it. */
function behindTls(options: TlsStackOptions & { windows?: boolean }) {
  let stack: TlsStack | undefined
  let room: Room | undefined
  beforeEach(async () => {
    stack = await startTlsStack(options)
    room = await Room.open({ windows: options.windows, args: stack.chromiumArgs })
  })
  afterEach(async ({ task }) => {
    await room?.clear(task)
    await room?.close()
    await stack?.stop()
  })
  return {
    get stack() {
      return stack!
    },
    /** A user whose browser records every insecure request, cookie and warning. */
    async visitor(options: BrowserContextOptions = {}) {
      const visitor = await room!.visitor(stack!.webUrl, options)
      return { visitor, ...watched(visitor, stack!) }
    },
  }
}

/** All hosts that a visitor's browser connected to, and its warnings. */
function watched({ page }: Visitor, { webUrl, chatUrl }: TlsStack) {
  const [sockets, strangers, errors] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const context = page.context()
  context.on('request', (request) => {
    const url = new URL(request.url())
    if (!['data:', 'blob:'].includes(url.protocol) && ![webUrl, chatUrl].includes(url.origin)) strangers.add(url.href)
  })
  context.on('console', (message) => {
    // A user who signs out may be asked for a token once more, as their connection ends.
    const { url } = message.location()
    if (url === `${webUrl}/session` && message.text().includes('401')) return
    if (['error', 'warning'].includes(message.type())) errors.add(`${message.text()} ${url}`)
  })
  const hears = (each: typeof page) =>
    each.on('websocket', (socket) => sockets.add(socket.url().replace(/\/connect\?.*/, '/connect')))
  hears(page)
  context.on('page', hears)
  return {
    /** TLS only, to the two hosts only; every cookie is `Secure`; and the browser logged no warning. */
    async wasSafe() {
      const cookies = await context.cookies()
      expect([...strangers]).toEqual([])
      expect([...errors]).toEqual([])
      expect([...sockets]).toEqual([`${chatUrl.replace(/^https/, 'wss')}/connect`])
      expect(cookies.map(({ name }) => name)).toContain('XSRF-TOKEN')
      expect(cookies.filter(({ secure }) => !secure)).toEqual([])
      expect(await page.evaluate(() => isSecureContext)).toBe(true)
    },
  }
}

async function signsIn({ page }: Visitor, email: string) {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL((url) => url.pathname === '/')
}

async function signsOut({ page }: Visitor) {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/\/sign-in$/)
}

async function opensChatWith({ page }: Visitor, name: RegExp) {
  await page.goto('/chat')
  await page.getByRole('link', { name }).first().click()
}

async function startsChat({ page, composer }: Visitor, name: RegExp) {
  await page.goto('/')
  await page.getByRole('button', { name: 'New chat' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name }).click()
  await composer.waitFor()
}

describe('an organization behind TLS, on two nodes of each kind', () => {
  const product = behindTls({ windows: true })
  let service: Awaited<ReturnType<typeof startPushService>>
  beforeAll(async () => {
    service = await startPushService()
  })
  afterAll(() => service.stop())

  it('[APP-33] founds, grows, chats, shares files, gets pushes and signs out, over TLS alone', {
    timeout: 300_000,
  }, async () => {
    const { webUrl, chatUrl } = product.stack
    const { visitor: ada, wasSafe: adaWasSafe } = await product.visitor()
    const { visitor: bo, wasSafe: boWasSafe } = await product.visitor()
    await founds(ada)
    const link = await invites(ada)
    expect(link).toMatch(new RegExp(`^${webUrl}/invitations/`))
    const { keys, path } = await canBePushedTo(bo, service, webUrl)
    await joins(bo, link)
    await leaves(ada)

    // Sessions begin and end on any node.
    await signsOut(bo)
    await signsIn(bo, 'bo@kiku.example')
    expect(
      (await bo.page.context().cookies()).find(({ name }) => name === '__Secure-parley.session_token'),
    ).toMatchObject({
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
      domain: new URL(webUrl).hostname,
    })

    await bo.page.goto('/settings')
    await bo.page.getByLabel('Family name').fill('Nakamura-Lee')
    await bo.page.getByRole('button', { name: 'Save changes' }).click()
    await bo.page.getByText('Your changes are saved.').first().waitFor()
    const chooser = bo.page.waitForEvent('filechooser')
    await bo.page.getByRole('button', { name: 'Upload a picture' }).click()
    await (await chooser).setFiles({ name: 'bo.png', mimeType: 'image/png', buffer: Buffer.from(SQUARE, 'base64') })
    await bo.page.getByText('Your picture was saved.').first().waitFor()

    await startsChat(ada, /Bo Nakamura-Lee/)
    await ada.says('Welcome to Parley!')
    await opensChatWith(bo, /Ada Lindqvist/)
    await bo.sees('Welcome to Parley!')
    await bo.says('Good to be here')
    await ada.sees('Good to be here')
    const face = ada.page.locator('img[src*="/pictures/"]').first()
    await expect.poll(() => face.evaluate((image: HTMLImageElement) => image.naturalWidth), PATIENCE).toBeGreaterThan(0)
    expect(await face.evaluate((image: HTMLImageElement) => image.src)).toMatch(new RegExp(`^${webUrl}/pictures/`))

    // A picture and a file are uploaded to one node and downloaded from either.
    await dropsPictureAndFile(ada)
    await expect
      .poll(
        () =>
          tiles(ada)
            .filter({ hasText: /kB|bytes/ })
            .count(),
        PATIENCE,
      )
      .toBe(2)
    await ada.composer.fill('Our tour')
    await ada.composer.press('Enter')
    await bo.sees('Our tour')
    const photo = bo.message('Our tour').getByRole('button', { name: 'Open photo lake.png' }).getByRole('img')
    await expect
      .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth), PATIENCE)
      .toBeGreaterThan(0)
    const plan = bo.message('Our tour').getByRole('link', { name: /plan\.txt/ })
    const address = (await plan.getAttribute('href'))!
    expect(address).toMatch(new RegExp(`^${chatUrl}/files/`))
    for (const _ of product.stack.chats) expect(await (await fetch(address)).text()).toBe('First the lake.')
    const [saved] = await Promise.all([bo.page.waitForEvent('download'), plan.click()])
    expect(saved.suggestedFilename()).toBe('plan.txt')

    // Bo closes everything, and Ada's message is pushed to his browser: through the web app, which the chat server
    // reaches
    // at its public URL.
    await bo.page.goto('/settings')
    await bo.page.waitForFunction(() => navigator.serviceWorker.controller !== null)
    const away = bo.page.getByRole('switch', { name: 'While Parley is closed' })
    await expect.poll(() => away.isEnabled(), PATIENCE).toBe(true)
    await away.click()
    await expect.poll(() => away.isChecked(), PATIENCE).toBe(true)
    await boWasSafe()
    const elsewhere = await bo.page.context().newPage()
    await bo.page.close()
    const pushed = () => service.brought.filter((one) => one.path === path)
    let said = 0
    await expect
      .poll(
        async () => {
          await ada.says(`Are you there, Bo? (${++said})`)
          return pushed().length
        },
        { timeout: 120_000, interval: 2_000 },
      )
      .toBeGreaterThan(0)
    expect(keys.reads(pushed()[0]!.body)).toMatchObject({
      title: 'Ada Lindqvist',
      body: expect.stringMatching(/^Are you there, Bo\?/),
      url: expect.stringMatching(/^\/chat\//),
    })
    // The push tells the push service a contact, which is the product's URL.
    const { authorization } = pushed()[0]!.headers
    expect(JSON.parse(String(Buffer.from(/t=[^.]+\.([^.,]+)/.exec(authorization!)![1]!, 'base64url')))).toMatchObject({
      sub: webUrl,
    })
    await elsewhere.close()

    await signsOut(ada)
    await adaWasSafe()
    for (const visitor of [ada, bo]) visitor.isWell()
  })
})

/** A proxy may or may not send the scheme that users came by, as in the documented blocks for Caddy and HAProxy. */
describe.each<TlsStackOptions>([
  { proxy: 'caddy', forwardedProto: true, chatNodes: 1, webNodes: 1 },
  { proxy: 'caddy', forwardedProto: false },
  { proxy: 'haproxy', forwardedProto: true },
])('behind %j', (options) => {
  const product = behindTls(options)

  it('[APP-33] users found an organization, invite, join, sign in and chat over wss', {
    timeout: 300_000,
  }, async () => {
    const { visitor: ada, wasSafe: adaWasSafe } = await product.visitor()
    const { visitor: bo, wasSafe: boWasSafe } = await product.visitor()
    await founds(ada)
    await joins(bo, await invites(ada))
    await leaves(ada)
    await signsOut(bo)
    await signsIn(bo, 'bo@kiku.example')
    await startsChat(ada, /Bo Nakamura/)
    await ada.says('Welcome to Parley!')
    await opensChatWith(bo, /Ada Lindqvist/)
    await bo.sees('Welcome to Parley!')
    for (const isSafe of [adaWasSafe, boWasSafe]) await isSafe()
    for (const visitor of [ada, bo]) visitor.isWell()

    // The metrics cannot be read through the proxy.
    const { chats, chatUrl } = product.stack
    expect((await fetch(`${chats[0]!.url}/metrics`)).status).toBe(200)
    expect((await fetch(`${chatUrl}/metrics`)).status).toBe(404)
  })
})

describe('the chat server alone, behind TLS', () => {
  let stack: TlsStack
  beforeAll(async () => {
    stack = await startTlsStack({ webNodes: 0 })
  })
  afterAll(() => stack?.stop())

  async function aRoom() {
    await stack.company.upsertUsers(['ada', 'bo'].map((id) => ({ id, name: id })))
    const channel = stack.company.channel('messaging', 'room', { created_by_id: 'ada', members: ['ada', 'bo'] })
    await channel.create()
    return channel
  }

  it('[CON-1] [LPL-9] users chat over wss, and by long poll where WebSockets are blocked', {
    timeout: 120_000,
  }, async () => {
    await aRoom()
    class NoSocket extends EventTarget {
      constructor() {
        super()
        queueMicrotask(() => this.dispatchEvent(new Event('error')))
        queueMicrotask(() => this.dispatchEvent(new CloseEvent('close', { code: 1006 })))
      }
      send() {}
      close() {}
    }
    const sockets: string[] = []
    class Socket extends WebSocket {
      constructor(url: string) {
        super(url)
        sockets.push(new URL(url).origin)
      }
    }
    const clients = []
    for (const [id, WebSocket] of [
      ['ada', Socket],
      ['bo', NoSocket],
    ] as const) {
      const options = {
        baseURL: stack.chatUrl.toUpperCase(),
        timeout: 20_000,
        enableWSFallback: true,
        WebSocket: WebSocket as never,
      }
      const client = new ChatClient(stack.key, options)
      onTestFinished(() => client.disconnectUser())
      await client.connectUser({ id }, stack.company.createToken(id))
      const channel = client.channel('messaging', 'room')
      await channel.watch()
      clients.push({ channel, heard: () => channel.state.messages.map(({ text }) => text) })
    }
    const [ada, bo] = clients
    await ada!.channel.sendMessage({ text: 'Is it safe?' })
    await expect.poll(bo!.heard, PATIENCE).toContain('Is it safe?')
    await bo!.channel.sendMessage({ text: 'It is' })
    await expect.poll(ada!.heard, PATIENCE).toContain('It is')
    expect(sockets).toEqual([stack.chatUrl.replace('https', 'wss')])
  })

  it('[ATT-16] [IMP-2] [IMP-4] every URL it returns begins with its PUBLIC_URL', { timeout: 120_000 }, async () => {
    const { company, chatUrl } = stack
    const channel = await aRoom()
    const { file } = await channel.sendFile(new File(['First the lake.'], 'plan.txt'), undefined, undefined, {
      id: 'ada',
    })
    const { upload_url } = await company.createImportURL('all.jsonl')
    const { task_id } = await company.exportChannels([{ type: 'messaging', id: 'room' }])
    let exported: string | undefined
    await expect
      .poll(async () => {
        const { result } = await company.getExportChannelStatus(task_id)
        exported = (result as { url?: string } | undefined)?.url
        return exported
      }, PATIENCE)
      .toBeDefined()
    for (const address of [file, upload_url, exported!]) expect(address).toMatch(new RegExp(`^${chatUrl}/`))
    for (const _ of stack.chats)
      for (const address of [file, exported!]) expect((await fetch(address)).status).toBe(200)
    expect((await fetch(upload_url, { method: 'PUT', body: '{}' })).status).toBe(200)
  })

  it('pages of other hosts may call it, and its own page shows every call', { timeout: 120_000 }, async () => {
    const origin = 'https://chat.parley.test'
    const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
    const allowed = await fetch(`${stack.chatUrl}/channels/messaging/room/message`, {
      method: 'OPTIONS',
      headers: asked,
    })
    expect(allowed.headers.get('access-control-allow-origin')).toBe('*')
    const room = await Room.open({ args: stack.chromiumArgs })
    onTestFinished(() => room.close())
    const { page, faults } = await room.visitor(stack.chatUrl)
    page.setDefaultTimeout(50_000)
    await page.goto('/docs#/channels/SendMessage')
    await page.locator('#operations-channels-SendMessage').getByText('The first flush is here!').first().waitFor()
    expect(await page.evaluate(() => location.protocol)).toBe('https:')
    const servers = await page.evaluate(async () => (await (await fetch('/docs/json')).json()).servers)
    expect(servers).toEqual([{ url: stack.chatUrl }])
    expect(faults).toEqual([])
  })

  it('a request without TLS is redirected to it', async () => {
    const { httpPort } = stack.proxy
    const answer = await fetch(`http://api.parley.test:${httpPort}/app?a=b`, { redirect: 'manual' })
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toMatch(/^https:\/\/api\.parley\.test.*\/app\?a=b$/)
  })
})

describe('a wrong PUBLIC_URL', () => {
  const product = behindTls({ chatNodes: 1, webNodes: 1 })
  /** The URL users visit, while the product is configured for another one. */
  const wrong = () => product.stack.webUrl.replace('chat.', 'portal.')

  it.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
    '[APP-34] is reported to a user who sends a form, with scripts and without (%j), and to the operator',
    {
      timeout: 180_000,
    },
    async (options) => {
      const { visitor: ada } = await product.visitor(options)
      await ada.page.goto(`${wrong()}/sign-up`)
      if (options.javaScriptEnabled) await ada.canPress()
      await ada.page.getByLabel('Name of the organization').fill('Northwind')
      await introduces(ada, 'Ada', 'Lindqvist')
      await ada.page.getByLabel('E-mail address').fill('ada@northwind.example')
      await ada.page.getByRole('button', { name: 'Create organization' }).click()
      await ada.page.getByRole('heading', { name: 'This is the wrong address' }).waitFor()
      const { webUrl } = product.stack
      await ada.page
        .getByText(`You opened ${wrong()}, but Parley is set up for ${webUrl}`)
        .filter({ hasText: 'PUBLIC_URL' })
        .waitFor()
      expect(product.stack.webs[0]!.output()).toContain(
        `A form from ${wrong()} was refused, since PUBLIC_URL is ${webUrl}.`,
      )
      if (options.javaScriptEnabled) await ada.isForEverybody('wrong-address')
      await ada.page.getByRole('link', { name: webUrl }).click()
      await ada.page.waitForURL(`${webUrl}/welcome`)
    },
  )
})

describe('the web app in development, behind TLS', () => {
  let stack: TlsStack
  beforeAll(async () => {
    stack = await startTlsStack({ chatNodes: 1, webNodes: 1, dev: true })
  })
  afterAll(() => stack?.stop())

  it('[APP-33] accepts its forms as the built one does, and no others', { timeout: 120_000 }, async () => {
    const { webUrl } = stack
    const page = await fetch(`${webUrl}/sign-up`)
    expect(page.status).toBe(200)
    const [cookie = ''] = page.headers.getSetCookie().map((set) => set.split(';')[0]!)
    const sends = (origin: string) =>
      fetch(`${webUrl}/sign-up`, {
        method: 'POST',
        redirect: 'manual',
        headers: { origin, cookie, 'x-xsrf-token': cookie.replace('XSRF-TOKEN=', '') },
        body: new URLSearchParams({
          ...{ organizationName: 'Northwind', givenName: 'Ada', familyName: 'Lindqvist' },
          ...{ email: 'ada@northwind.example', password },
        }),
      })
    expect((await sends('https://portal.parley.test')).status).toBe(403)
    const founded = await sends(webUrl)
    expect([founded.status, founded.headers.get('location')]).toEqual([302, '/'])
    const session = founded.headers.getSetCookie().find((set) => set.startsWith('__Secure-parley.session_token='))
    expect(session).toMatch(/; Secure/)
  })
})

/** Drops a picture of a lake in the evening and a plan onto the messages. */
function dropsPictureAndFile({ page }: Visitor) {
  return page.getByRole('feed').evaluate(async (feed) => {
    const canvas = new OffscreenCanvas(600, 400)
    const pen = canvas.getContext('2d')!
    const sky = pen.createLinearGradient(0, 0, 0, 400)
    for (const [at, colour] of ['#3b1d6e', '#c2547d', '#f6b26b', '#1d3b53'].entries()) sky.addColorStop(at / 3, colour)
    pen.fillStyle = sky
    pen.fillRect(0, 0, 600, 400)
    const carried = new DataTransfer()
    carried.items.add(new File([await canvas.convertToBlob()], 'lake.png', { type: 'image/png' }))
    carried.items.add(new File(['First the lake.'], 'plan.txt', { type: 'text/plain' }))
    for (const type of ['dragenter', 'drop'])
      feed.dispatchEvent(new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }))
  })
}

const tiles = ({ page }: Visitor) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
