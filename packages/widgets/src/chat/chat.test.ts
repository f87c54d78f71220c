import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds, standsStill } from '../../../../scripts/axe.ts'
import type { KitOptions } from '../testing/kit-fixture.tsx'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
aKitPage(
  (opened) => {
    page = opened
  },
  { locale: 'de-DE' },
)

async function start(options: KitOptions = {}) {
  await page.evaluate((options) => window.kitFixture.start(options), options)
  await page.waitForSelector(options.open ? '.chat-scroll-row' : '.chat-channel-row')
}
const show = (options: KitOptions) => page.evaluate((options) => window.kitFixture.show(options), options)
const classes = () => page.locator('.chat').getAttribute('class')

describe('the theme', () => {
  it('[APP-11] follows the product’s theme, or that of the device with `system`', async () => {
    await start({ theme: 'dark' })
    expect(await classes()).toBe('chat chat-theme-dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await show({ theme: 'system' })
    await expect.poll(classes).toBe('chat chat-theme-light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(classes).toBe('chat chat-theme-dark')
  })

  it('[APP-12] a change replaces the class and mounts nothing again; an own class overrides', async () => {
    await start({ open: 'bo', theme: 'light' })
    await page.getByRole('textbox').fill('Half a thought')
    await page.getByRole('textbox').evaluate((it) => Object.assign(it, { marked: true }))
    await show({ theme: 'dark' })
    await expect.poll(classes).toBe('chat chat-theme-dark')
    expect(await page.getByRole('textbox').evaluate((it) => 'marked' in it)).toBe(true)
    expect(await page.getByRole('textbox').inputValue()).toBe('Half a thought')
    await show({ themeClass: 'our-brand' })
    await expect.poll(classes).toBe('chat our-brand')
  })
})

describe('the language', () => {
  it('[I18N-4] is the requested one, and a change keeps the draft', async () => {
    await start({ open: 'bo', language: 'ja' })
    await page.getByRole('button', { name: '送信' }).waitFor()
    expect(await page.locator('.chat').getAttribute('lang')).toBe('ja')
    await page.getByRole('textbox').fill('Half a thought')
    await show({ language: 'de' })
    await page.getByRole('button', { name: 'Senden' }).waitFor()
    expect(await page.getByRole('textbox').inputValue()).toBe('Half a thought')
  })

  it('[I18N-4] is that of the chat user by default', async () => {
    await page.evaluate(() => {
      const { ada } = window.kitFixture
      ada.language = 'ja'
      return window.kitFixture.start({ language: undefined })
    })
    await page.getByRole('navigation', { name: 'チャット' }).waitFor()
  })

  it('[I18N-5] is the browser’s if the user has none', async () => {
    await start({ language: '' })
    await page.getByRole('navigation', { name: 'Chats' }).waitFor()
  })
})

describe('the connection', () => {
  it('[TOA-9] shows nothing for five seconds, then that it reconnects, then that it is back', async () => {
    await page.clock.install()
    await start({ open: 'bo', language: 'en' })
    const banner = page.locator('.chat-connection')
    await page.evaluate(() => window.kitFixture.server().drops())
    // The page's own time runs on as well.
    await page.clock.runFor(3_000)
    expect(await banner.count()).toBe(0)
    await page.clock.runFor(2_100)
    await banner.getByText('Connection failure, reconnecting now...', { exact: true }).waitFor()
    await page.clock.runFor(30_000)
    await banner.getByRole('button', { name: 'Try now' }).waitFor()
    await page.evaluate(() => {
      window.kitFixture.server().down = false
    })
    await expect
      .poll(
        async () => {
          await page.clock.runFor(1_000)
          return banner.textContent()
        },
        { timeout: 20_000 },
      )
      .toBe('Connected')
    await page.clock.runFor(2_100)
    await banner.waitFor({ state: 'detached' })
  })

  it('keeps retrying after “Try now” has failed', async () => {
    await page.clock.install()
    await start({ open: 'bo', language: 'en' })
    const banner = page.locator('.chat-connection')
    await page.evaluate(() => window.kitFixture.server().drops())
    await page.clock.runFor(40_000)
    await banner.getByRole('button', { name: 'Try now' }).click()
    await page.clock.runFor(20_000)
    await banner.getByText('Connection failure, reconnecting now...', { exact: true }).waitFor()
    await page.evaluate(() => {
      window.kitFixture.server().down = false
    })
    await page.clock.runFor(30_000)
    await banner.waitFor({ state: 'detached' })
  })

  it('when lost, the list shows when it was last up to date', async () => {
    // Minutes are announced at their start.
    await page.clock.install({ time: new Date('2026-06-10T10:00:00') })
    await start({ language: 'en' })
    await page.locator('.chat-channel-row').first().waitFor()
    await page.clock.fastForward(600_000)
    await page.evaluate(() => window.kitFixture.server().drops())
    await page.clock.runFor(5_100)
    await page.getByText('Offline. Updated just now.', { exact: true }).waitFor()
    await page.clock.runFor(120_000)
    await page.getByText('Offline. Updated 2 minutes ago.', { exact: true }).waitFor()
  })

  it('[TOA-8] a failure of the first connection is shown', async () => {
    await page.evaluate(() => window.kitFixture.startUnreachable())
    await page
      .locator('.chat-connection')
      .getByText('Error connecting to chat, refresh the page to try again.', { exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Reload' }).waitFor()
  })
})

describe('a channel', () => {
  it('[LIM-1] is opened with its first 25 messages', async () => {
    await start({ open: 'bo' })
    const asked = await page.evaluate(() => window.kitFixture.calls('/channels').map(({ body }) => body))
    const opened = asked.filter(({ filter_conditions: filter }) => (filter as { cid?: unknown }).cid === 'messaging:bo')
    expect(opened).toHaveLength(1)
    expect(opened[0]).toMatchObject({ message_limit: 25 })
  })

  it('[TOA-41] that cannot be shown is replaced by its message', async () => {
    await page.evaluate(() => window.kitFixture.start({ open: 'nowhere', language: 'en' }))
    await page.getByRole('heading', { name: 'Channel Missing', exact: true }).waitFor()
  })

  it('announces a new message, and a mention at once', async () => {
    await start({ open: 'bo', language: 'en' })
    await page.evaluate(() => {
      const { server, ada, bo } = window.kitFixture
      server().says('bo', bo, 'Look at **this**')
      server().says('bo', bo, 'And @Ada Okafor this', { mentioned_users: [ada] })
    })
    const spoken = page.locator('[aria-live=polite]')
    await spoken.getByText('Bo Lindqvist mentioned you').waitFor()
    await spoken.getByText('Bo Lindqvist: Look at this').waitFor()
  })

  it('announces no messages of a muted user, and announces them again when the mute is over', async () => {
    await page.clock.install()
    await start({ open: 'bo', language: 'en' })
    await page.evaluate(() => {
      const { server, bo } = window.kitFixture
      const expires = new Date(Date.now() + 10_000).toISOString()
      server().pushes('bo', 'notification.mutes_updated', { me: { mutes: [{ target: bo, expires }] } })
    })
    const boSays = (text: string) =>
      page.evaluate((text) => window.kitFixture.server().says('bo', window.kitFixture.bo, text), text)
    const spoken = (text: string) => page.locator('[aria-live=polite]').getByText(`Bo Lindqvist: ${text}`)
    await boSays('Never mind')
    await page.clock.runFor(2_100)
    expect(await spoken('Never mind').count()).toBe(0)
    await page.clock.runFor(9_000)
    await boSays('Hear me')
    await page.clock.runFor(2_100)
    await spoken('Hear me').waitFor({ state: 'attached' })
  })
})

it("an empty field has the page's direction, one with text that of its text", async () => {
  await start({ open: 'racks' })
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  for (const field of [page.locator('.chat-channels-search input'), page.locator('.chat-composer textarea')]) {
    const direction = () => field.evaluate((it) => getComputedStyle(it).direction)
    expect(await direction()).toBe('rtl')
    await field.fill('Shalom')
    expect(await direction()).toBe('ltr')
    await field.fill('שלום')
    expect(await direction()).toBe('rtl')
  }
})

it('F6 moves from region to region, and Shift+F6 back', async () => {
  await start({ open: 'bo', language: 'en' })
  await page.getByRole('textbox').focus()
  const region = () =>
    page.evaluate(() => document.activeElement?.closest('nav, header, form, .chat-messages')?.className)
  const seen: (string | undefined)[] = []
  for (let press = 0; press < 4; press++) {
    await page.keyboard.press('F6')
    seen.push(await region())
  }
  expect(seen).toEqual(['chat-channels', 'chat-header', 'chat-messages', 'chat-composer'])
  await page.keyboard.press('Shift+F6')
  expect(await region()).toBe('chat-messages')
})

describe('typing users', () => {
  const typing = () => page.locator('.chat-typing-line').textContent()
  const types = (id: string, fields: Record<string, unknown> = {}) =>
    page.evaluate(
      ([id, fields]) =>
        window.kitFixture.server().pushes(id, 'typing.start', { user: window.kitFixture.bo, ...fields }),
      [id, fields] as const,
    )

  it('[TYP-3] disappear seven seconds after the last event', async () => {
    await page.clock.install()
    await start({ open: 'bo', language: 'en' })
    await types('bo')
    await expect.poll(typing).toBe('Bo Lindqvist is typing…')
    await page.clock.runFor(6_000)
    expect(await typing()).toBe('Bo Lindqvist is typing…')
    await page.clock.runFor(1_600)
    await expect.poll(typing).toBe('')
  })

  it('[TYP-7] disappear with the message; own typing and that in a thread are not shown', async () => {
    await start({ open: 'bo', language: 'en' })
    await types('bo')
    await expect.poll(typing).toBe('Bo Lindqvist is typing…')
    await page.evaluate(() => window.kitFixture.server().says('bo', window.kitFixture.bo, 'Here'))
    await expect.poll(typing).toBe('')
    await types('bo', { parent_id: 'bo-0' })
    await page.evaluate(() => window.kitFixture.server().types('bo', window.kitFixture.ada))
    // Of another user: a message ends the typing of its author.
    await page.evaluate(() => window.kitFixture.server().says('bo', window.kitFixture.cy, 'And here'))
    await page.getByText('And here', { exact: true }).first().waitFor()
    expect(await typing()).toBe('')
  })
})

describe.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', (theme) => {
  it('with any kind of conversation open', async () => {
    for (const open of ['racks', 'news', 'slow', 'empty']) {
      await page.evaluate((options) => window.kitFixture.start(options), { open, theme, language: 'en' })
      await page.waitForSelector('.chat-pane[data-state=loaded]')
      await page.evaluate(() => {
        const { server, bo, ada } = window.kitFixture
        for (const user of [bo, ada]) server().reacts('racks-13', user, 'like')
      })
      await standsStill(page)
      expect({ open, faults: await axeFinds(page) }).toEqual({ open, faults: [] })
    }
  })

  it('with a menu, a dialog and a notice open', async () => {
    await page.evaluate((theme) => {
      return window.kitFixture.start({ open: 'bo', theme, language: 'en' }, (server) =>
        server.refusals.set('POST /message', { status: 500, code: -1 }),
      )
    }, theme)
    await page.getByRole('textbox').fill('Hello')
    await page.keyboard.press('Enter')
    await page.locator('.chat-notice').waitFor()
    await standsStill(page)
    expect(await axeFinds(page)).toEqual([])

    await page.locator('[data-key="bo-2"]').focus()
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menu').waitFor()
    await standsStill(page)
    expect(await axeFinds(page)).toEqual([])
    await page.keyboard.press('Escape')
    const row = page.locator('[data-key="bo-2"]')
    await expect.poll(() => row.evaluate((it) => it === document.activeElement)).toBe(true)
    await page.keyboard.press('Delete')
    await page.getByRole('alertdialog').waitFor()
    await standsStill(page)
    expect(await axeFinds(page)).toEqual([])
  })

  it('without a conversation', async () => {
    await page.evaluate((theme) => window.kitFixture.start({ conversations: [], theme, language: 'en' }), theme)
    await page.getByText('No conversations yet').waitFor()
    expect(await axeFinds(page)).toEqual([])
  })
})

it('with double font size on a phone, the title and the composer have enough room', async () => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%'
    const conversations = window.kitFixture.aWorkingDay()
    for (const one of conversations)
      one.capabilities = ['send-message', 'upload-file', 'create-attachment', 'send-poll']
    return window.kitFixture.start({ open: 'racks', conversations })
  })
  await page.getByRole('button', { name: 'Create poll' }).waitFor()
  const widthOf = async (selector: string) => (await page.locator(selector).boundingBox())!.width
  expect(await widthOf('.chat-pane .chat-header-name button')).toBeGreaterThan(60)
  const [box, send] = await Promise.all(
    ['.chat-composer-box', '.chat-send'].map((one) => page.locator(one).boundingBox()),
  )
  expect(box!.width).toBeGreaterThan(160)
  expect(send!.x).toBeGreaterThanOrEqual(box!.x + box!.width)
})

it('a suggested first message is put into the text box, but not over a draft', async () => {
  await page.evaluate(() => window.kitFixture.start({ open: 'empty' }))
  const box = page.getByRole('textbox')
  const hello = page.getByRole('button', { name: 'Hello ليلى! 👋' })
  await hello.click()
  await expect.poll(() => box.inputValue()).toBe('Hello ليلى! 👋')
  expect(await box.evaluate((it) => it === document.activeElement)).toBe(true)
  await box.fill('In my own words')
  await hello.click()
  expect(await box.inputValue()).toBe('In my own words')
})
