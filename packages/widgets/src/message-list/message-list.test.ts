import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBrowserOn, type FixtureBrowser } from '../testing/browser.ts'
import type { FixtureOptions } from '../testing/chat-fixture.tsx'
import type { Conversation } from '../testing/fake-server.ts'

const STILL_PX = 1

let browser: FixtureBrowser
let page: Page
let problems: () => readonly string[]
let leave: () => Promise<void>

beforeAll(async () => {
  browser = await aBrowserOn('chat-fixture.html')
})
afterAll(() => browser.close())
beforeEach(async () => {
  ;({ page, problems, leave } = await browser.open({ viewport: { width: 700, height: 720 } }))
})
afterEach(async () => {
  expect(problems()).toEqual([])
  await leave()
})

/** Ada opens "Rack planning", a group with Bo and Cy whose messages are m0 … m(count − 1). */
async function adaOpens(count: number, fields: Partial<Conversation> = {}, options: FixtureOptions = {}) {
  await page.evaluate(
    ([count, fields, options]) => window.chatFixture.open(window.chatFixture.theLunchGroup(count, fields), options),
    [count, fields, options] as const,
  )
  if (!options.hold && !options.refusing) await page.waitForSelector('.chat-scroll')
}

const isVisible = (text: string) => page.getByText(text, { exact: true }).isVisible()
const focusedRow = () => page.evaluate(() => document.activeElement?.getAttribute('data-key'))
const toEnd = () => page.evaluate(() => window.chatFixture.toEnd())
const frames = (count: number) =>
  page.evaluate(async (count) => {
    for (let i = 0; i < count; i++) await window.chatFixture.painted()
  }, count)

describe('opening a channel', () => {
  it('with nothing unread shows its end', async () => {
    await adaOpens(40)
    await frames(2)
    expect(await toEnd()).toBeLessThanOrEqual(STILL_PX)
  })

  it('with unread messages puts their line at one fifth of the height', async () => {
    await adaOpens(40, { unread: 15 })
    await frames(2)
    expect(await isVisible('15 new messages')).toBe(true)
    const [top, height] = await page.evaluate(() => [window.chatFixture.topOf('m25'), window.chatFixture.height()])
    expect(Math.abs(top! - height! / 5)).toBeLessThanOrEqual(STILL_PX)
  })

  it('loads the messages around the first unread one if it is further back', async () => {
    await adaOpens(200, { unread: 90 })
    await page.getByText('90 new messages').waitFor()
    await frames(2)
    const [top, height] = await page.evaluate(() => [window.chatFixture.topOf('m110'), window.chatFixture.height()])
    expect(Math.abs(top! - height! / 5)).toBeLessThanOrEqual(STILL_PX)
  })

  it('loads them by their time in a channel that was never read', async () => {
    await adaOpens(200, { unread: 90, neverRead: true })
    await page.getByText('90 new messages').waitFor()
    await frames(2)
    const [top, height] = await page.evaluate(() => [window.chatFixture.topOf('m110'), window.chatFixture.height()])
    expect(Math.abs(top! - height! / 5)).toBeLessThanOrEqual(STILL_PX)
  })

  it('[LIM-1] [LIM-2] requests 25 messages at first, and never more than 100', async () => {
    await adaOpens(200, { unread: 90 })
    await page.getByText('90 new messages').waitFor()
    await page.evaluate(() => window.chatFixture.scrollBy(-100_000))
    await page.evaluate(() => window.chatFixture.scrollBy(200_000))
    await page.waitForFunction(() => window.chatFixture.calls('/query').length >= 4)
    const limits = await page.evaluate(() =>
      window.chatFixture.calls('/query').map(({ messages }) => (messages as { limit: number }).limit),
    )
    expect(limits[0]).toBe(25)
    expect(Math.max(...limits)).toBeLessThanOrEqual(100)
  })

  it('again restores the reading position', async () => {
    await adaOpens(40)
    await page.evaluate(() => window.chatFixture.scrollBy(-500))
    const before = await page.evaluate(() => {
      const row = window.chatFixture.inView()[0]!
      return { row, top: window.chatFixture.topOf(row) }
    })
    await page.evaluate(() => window.chatFixture.reopen())
    await page.waitForSelector('.chat-scroll')
    await frames(2)
    const top = await page.evaluate((row) => window.chatFixture.topOf(row), before.row)
    expect(Math.abs(top - before.top)).toBeLessThanOrEqual(STILL_PX)
  })

  it('shows a skeleton while loading, and an error with a retry button', async () => {
    await adaOpens(40, {}, { hold: true, refusing: ['POST /query'] })
    await page.getByText('Loading messages').waitFor({ state: 'attached' })
    await page.evaluate(() => window.chatFixture.server().deliver())
    await page.getByText('The messages could not be loaded.').waitFor()
    const why = page.locator('.chat-state details p')
    expect(await why.isVisible()).toBe(false)
    await page.getByText('Details', { exact: true }).click()
    await why.waitFor()
    await page.evaluate(() => window.chatFixture.server().refusals.clear())
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForSelector('[data-key="m39"]')
    // The refusal is the fake server's own and is logged only by the browser.
  })

  it('without messages names the members', async () => {
    await adaOpens(0)
    expect(await isVisible('This is the start of Rack planning')).toBe(true)
    expect(await page.locator('.chat-list-start .chat-receipt-faces .chat-avatar').count()).toBeGreaterThan(1)
  })

  it('shows since when there is a history to a user who cleared it, but not to one added later', async () => {
    await adaOpens(3)
    const hidden = (hide_messages_before: string) =>
      page.evaluate((hide_messages_before) => {
        const server = window.chatFixture.server()
        const { id } = server.conversations[0]!
        const channel = { id, cid: `messaging:${id}`, hide_messages_before }
        server.pushes(id, 'channel.hidden', { channel, clear_history: true })
      }, hide_messages_before)
    await hidden('2026-05-31T12:00:00.000Z')
    await page.getByText(/^Earlier messages were cleared on Sunday, May 31, 2026/).waitFor()
    await hidden('2020-01-01T12:00:00.000Z')
    await page.getByText(/^Earlier messages were cleared/).waitFor({ state: 'detached' })
  })
})

describe('reading', () => {
  it('[READ-23] marks the channel read once the newest message is on screen, and not before', async () => {
    await adaOpens(40, { unread: 20 })
    await frames(60)
    expect(await page.evaluate(() => window.chatFixture.calls('/read'))).toEqual([])
    await page.evaluate(() => window.chatFixture.scrollBy(100_000))
    await page.waitForFunction(() => window.chatFixture.calls('/read').length === 1)
    expect(await isVisible('20 new messages')).toBe(true)
  })

  it('[TOA-29] shows a notice when marking read failed', async () => {
    await adaOpens(40, { unread: 1 })
    await page.evaluate(() => window.chatFixture.refuse('POST /read'))
    await page.getByText('Failed to mark channel as read').first().waitFor()
    problems = () => []
  })

  it('[READ-20] jumps to the first unread message, also when it is not loaded', async () => {
    await adaOpens(200, { unread: 90 })
    await page.getByText('90 new messages').waitFor()
    await page.getByRole('button', { name: 'Go to the newest message' }).click()
    await page.waitForSelector('[data-key="m199"]')
    await page.getByRole('button', { name: /90 unread/ }).click()
    await page.getByText('90 new messages').waitFor()
    await frames(2)
    const [top, height] = await page.evaluate(() => [window.chatFixture.topOf('m110'), window.chatFixture.height()])
    expect(Math.abs(top! - height! / 5)).toBeLessThanOrEqual(STILL_PX)
    expect(await focusedRow()).toBe('m110')
  })

  it('[READ-20] jumps there by time in a channel that was never read', async () => {
    await adaOpens(200, { unread: 90, neverRead: true })
    await page.getByText('90 new messages').waitFor()
    await page.getByRole('button', { name: 'Go to the newest message' }).click()
    await page.waitForSelector('[data-key="m199"]')
    await page.getByRole('button', { name: /90 unread/ }).click()
    await page.getByText('90 new messages').waitFor()
    expect(await focusedRow()).toBe('m110')
  })

  it('[READ-20] jumps there from the newest messages, too, after these were marked read meanwhile', async () => {
    await adaOpens(200, { unread: 90 })
    await page.getByText('90 new messages').waitFor()
    await page.getByRole('button', { name: 'Go to the newest message' }).click()
    await page.waitForFunction(() => window.chatFixture.channel().snapshot().unreadCount === 0)
    await page.getByRole('button', { name: /90 unread/ }).click()
    await page.getByText('90 new messages').waitFor()
    expect(await focusedRow()).toBe('m110')
  })

  it('[TOA-30] a failed jump to the unread messages shows a notice and does not move the list', async () => {
    await adaOpens(200, { unread: 90 }, { refusing: ['POST /query around'] })
    await page.waitForSelector('[data-key="m199"]')
    await frames(2)
    const before = await page.evaluate(() => window.chatFixture.inView())
    await page.getByRole('button', { name: /90 unread/ }).click()
    await page.getByText('Failed to jump to the first unread message').first().waitFor()
    expect(await page.evaluate(() => window.chatFixture.inView())).toEqual(before)
    problems = () => []
  })

  it('[READ-23] messages that arrive while the page is hidden stay unread, below a line, with the end in view', async () => {
    await adaOpens(40)
    await page.evaluate(() => window.chatFixture.hide(true))
    await page.evaluate(() => {
      for (let n = 0; n < 3; n++) window.chatFixture.says(window.chatFixture.bo, `While you were away ${n}`)
    })
    await page.getByText('3 new messages').waitFor()
    await frames(60)
    expect(await page.evaluate(() => window.chatFixture.calls('/read'))).toEqual([])
    expect(await toEnd()).toBeLessThanOrEqual(STILL_PX)

    await page.evaluate(() => window.chatFixture.hide(false))
    await page.waitForFunction(() => window.chatFixture.calls('/read').length === 1)
    expect(await isVisible('3 new messages')).toBe(true)
  })

  it('[READ-23] messages that arrive while the window lacks the focus stay unread until it has it again', async () => {
    await adaOpens(40)
    await page.evaluate(() => window.chatFixture.blur(true))
    await page.evaluate(() => window.chatFixture.says(window.chatFixture.bo, 'While you wrote elsewhere'))
    await page.getByText('1 new message', { exact: true }).waitFor()
    await frames(60)
    expect(await page.evaluate(() => window.chatFixture.calls('/read'))).toEqual([])
    await page.evaluate(() => window.chatFixture.blur(false))
    await page.waitForFunction(() => window.chatFixture.calls('/read').length === 1)
  })

  it('finishing reading removes the new-messages line and marks the channel read', async () => {
    await adaOpens(40, { unread: 20 })
    await page.evaluate(() => window.chatFixture.finishReading())
    await page.waitForFunction(() => window.chatFixture.calls('/read').length === 1)
    expect(await isVisible('20 new messages')).toBe(false)
  })

  it('a message that is deleted lowers the count on the line', async () => {
    await adaOpens(40, { unread: 20 })
    await page.getByText('20 new messages').waitFor()
    await page.evaluate(() => window.chatFixture.server().deletes('m39', { hard: true }))
    await page.getByText('19 new messages').waitFor()
  })
})

describe('following the conversation', () => {
  it('a reader further up is not moved by a new message, and sees how many there are below', async () => {
    await adaOpens(40)
    await page.evaluate(() => window.chatFixture.scrollBy(-600))
    const { before, frames } = await page.evaluate(() => {
      const { inView, watch, says, bo } = window.chatFixture
      return watch(inView()[0]!, () => {
        says(bo, 'One more thing')
        says(bo, 'and another')
      })
    })
    for (const frame of frames) expect(Math.abs(frame.top! - before.top!)).toBeLessThanOrEqual(STILL_PX)
    await page.getByRole('button', { name: '2 new messages below' }).press('Enter')
    await page.waitForFunction(() => window.chatFixture.toEnd() <= 1)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('and another')
    expect(await isVisible('2 new messages')).toBe(true)
  })

  it('sending scrolls to the sent message', async () => {
    await adaOpens(40)
    await page.evaluate(() => window.chatFixture.scrollBy(-900))
    await page.evaluate(() => void window.chatFixture.channel().send({ text: 'Found it!' }))
    await page.getByText('Found it!').waitFor()
    await frames(2)
    expect(await toEnd()).toBeLessThanOrEqual(STILL_PX)
  })

  it('sending while an old part of the history is shown loads the newest messages first', async () => {
    await adaOpens(200, { unread: 90 })
    await page.getByText('90 new messages').waitFor()
    await page.evaluate(() => void window.chatFixture.channel().send({ text: 'Found it!' }))
    await page.getByText('Found it!').waitFor()
    await page.waitForFunction(() => window.chatFixture.toEnd() <= 1)
    expect(await isVisible('90 new messages')).toBe(false)
  })

  it('an older page is loaded while scrolling up and moves nothing', async () => {
    await adaOpens(200)
    await page.evaluate(() => {
      window.chatFixture.server().hold()
      return window.chatFixture.scrollBy(-100_000)
    })
    const watched = await page.evaluate(() => {
      const { inView, watch, server } = window.chatFixture
      return watch(inView()[0]!, () => server().deliver())
    })
    expect(await page.evaluate(() => window.chatFixture.rows().length)).toBe(50)
    for (const frame of watched.frames) expect(Math.abs(frame.top! - watched.before.top!)).toBeLessThanOrEqual(STILL_PX)
  })

  it('an older page that arrives under a moving finger neither scrolls nor jumps', async () => {
    await leave()
    const phone = { viewport: { width: 390, height: 720 }, hasTouch: true, isMobile: true }
    ;({ page, problems, leave } = await browser.open(phone))
    await adaOpens(200)
    await page.evaluate(async () => {
      await window.chatFixture.scrollBy(-800)
      window.chatFixture.server().hold()
    })
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: 200, y }] })
    const top = () => page.evaluate(() => window.chatFixture.scroller().scrollTop)

    await touch('touchStart', 100)
    for (let y = 120; y <= 300; y += 20) await touch('touchMove', y)
    await page.waitForFunction(() => window.chatFixture.calls('/query').length === 2)
    // The finger rests on the screen until its last movement has been painted.
    let before = Number.NaN
    for (let now = await top(); now !== before; now = await top()) {
      before = now
      await frames(4)
    }
    const row = await page.evaluate(() => window.chatFixture.inView()[2]!)
    const { frames: held } = await page.evaluate((row) => {
      const { watch, server } = window.chatFixture
      return watch(row, () => server().deliver())
    }, row)
    expect(await page.evaluate(() => window.chatFixture.rows().length)).toBe(50)
    expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(STILL_PX)
    await touch('touchEnd')
    await page.waitForFunction((before) => window.chatFixture.scroller().scrollTop > before + 500, before)
    const { frames: rested } = await page.evaluate((row) => window.chatFixture.watch(row, () => {}), row)
    const tops = [...held, ...rested].map((frame) => frame.top!)
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(STILL_PX)
  })

  it('a page that fails to load shows an error in its place, and is loaded on retry', async () => {
    await adaOpens(200)
    await page.evaluate(() => {
      window.chatFixture.refuse('POST /query')
      return window.chatFixture.scrollBy(-100_000)
    })
    await page.getByText('Older messages could not be loaded.').waitFor()
    await page.evaluate(() => window.chatFixture.server().refusals.clear())
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.waitForFunction(() => window.chatFixture.rows().length === 50)
    problems = () => []
  })

  it('a jump highlights and focuses the message and offers the way back', async () => {
    await adaOpens(200)
    await frames(2)
    const before = await page.evaluate(() => window.chatFixture.inView())
    await page.evaluate(() => window.chatFixture.says(window.chatFixture.bo, 'See above', { quoted_message_id: 'm50' }))
    await page.getByText('See above').waitFor()
    await page.getByTitle('Go to the message from').click()
    await page.waitForSelector('[data-key="m50"][data-highlighted]')
    await frames(2)
    expect(await focusedRow()).toBe('m50')
    expect(await page.evaluate(() => window.chatFixture.inView())).toContain('m50')

    await page.getByRole('button', { name: 'Back to where you were' }).click()
    await page.waitForSelector('[data-key="m199"]')
    await frames(2)
    expect(await page.evaluate(() => window.chatFixture.inView())).toContain(before.at(-1))
  })

  it('a page that fails to load is requested once, however far the reader scrolls', async () => {
    await adaOpens(200)
    await page.evaluate(() => window.chatFixture.refuse('POST /query'))
    await page.locator('.chat-scroll').hover()
    for (let i = 0; i < 12; i++) {
      await page.mouse.wheel(0, -400)
      await frames(2)
    }
    await page.getByText('Older messages could not be loaded.').waitFor()
    expect(await page.evaluate(() => window.chatFixture.calls('/query').length)).toBe(2)
    problems = () => []
  })

  it('a page that fails to load in a high list is requested once, and the list keeps working', async () => {
    await adaOpens(200)
    await frames(2)
    await page.evaluate(() => window.chatFixture.refuse('POST /query'))
    await page.setViewportSize({ width: 700, height: 2_400 })
    await page.getByText('Older messages could not be loaded.').waitFor()
    expect(await page.evaluate(() => window.chatFixture.calls('/query').length)).toBe(2)
    await page.evaluate(() => window.chatFixture.server().refusals.clear())
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Older messages could not be loaded.').waitFor({ state: 'detached' })
    problems = () => []
  })

  it('"Try again" leaves the focus in a row in view', async () => {
    await adaOpens(200)
    await page.evaluate(() => {
      window.chatFixture.refuse('POST /query')
      return window.chatFixture.scrollBy(-100_000)
    })
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await page.waitForFunction(() => window.chatFixture.calls('/query').length === 3)
    await frames(4)
    expect(await page.evaluate(() => window.chatFixture.inView())).toContain(await focusedRow())
    problems = () => []
  })
})

describe('concurrent jumps', () => {
  /** Two messages with links to others. */
  async function adaGetsLinks(first: string, second: string) {
    await adaOpens(2_000)
    await page.evaluate(
      ([first, second]) => {
        window.chatFixture.says(window.chatFixture.bo, 'See this', { quoted_message_id: first })
        window.chatFixture.says(window.chatFixture.bo, 'And that', { quoted_message_id: second })
      },
      [first, second] as const,
    )
    await page.getByText('And that').waitFor()
    await frames(2)
    await page.evaluate(() => window.chatFixture.server().hold())
  }
  const follow = (text: string) => page.locator('article', { hasText: text }).getByTitle('Go to the message').click()

  it('the last jump counts, whichever answer comes last', async () => {
    await adaGetsLinks('m50', 'm1000')
    await follow('See this')
    await follow('And that')
    await page.evaluate(() => window.chatFixture.server().deliver({ newestFirst: true }))
    await page.waitForSelector('[data-key="m1000"][data-highlighted]')
    await frames(8)
    expect(await focusedRow()).toBe('m1000')
    expect(await page.evaluate(() => window.chatFixture.inView())).toContain('m1000')
  })

  it('a failed jump does not move a reader who has scrolled meanwhile', async () => {
    await adaGetsLinks('m50', 'm1990')
    await page.evaluate(() => window.chatFixture.refuse('POST /query around'))
    await follow('See this')
    await page.evaluate(() => window.chatFixture.scrollBy(-700))
    const before = await page.evaluate(() => window.chatFixture.inView())
    await page.evaluate(() => window.chatFixture.server().deliver())
    await page.locator('.chat-notice').getByText('This message is not available').waitFor()
    await frames(4)
    // Announced once.
    expect(await page.locator('[aria-live]').getByText('This message is not available').count()).toBe(1)
    expect(await page.evaluate(() => window.chatFixture.inView())).toEqual(before)
    problems = () => []
  })

  it('sending scrolls to the sent message, even during a jump', async () => {
    await adaGetsLinks('m50', 'm1000')
    await follow('See this')
    await page.evaluate(() => void window.chatFixture.channel().send({ text: 'Here I am' }))
    await page.getByText('Here I am').waitFor()
    await page.evaluate(() => window.chatFixture.server().deliver())
    await frames(20)
    expect(await page.getByText('Here I am').isVisible()).toBe(true)
    expect(await toEnd()).toBeLessThanOrEqual(STILL_PX)
  })
})

describe('by keyboard', () => {
  it('all messages are one tab stop; arrows, Home and End move through them', async () => {
    await adaOpens(20)
    await page.locator('[data-key="m19"]').focus()
    for (const [key, row] of [
      ['ArrowUp', 'm18'],
      ['ArrowUp', 'm17'],
      ['ArrowDown', 'm18'],
      ['Home', 'm0'],
      ['ArrowUp', 'm0'],
      ['End', 'm19'],
    ]) {
      await page.keyboard.press(key!)
      expect(await focusedRow()).toBe(row)
    }
    expect(await page.locator('[data-key][tabindex="0"]').count()).toBe(1)
    const inView = await page.evaluate(() => window.chatFixture.inView())
    expect(inView).toContain('m19')
  })

  it('the page keys scroll a page and focus the first message that is fully in view', async () => {
    await adaOpens(40)
    await page.locator('[data-key="m39"]').focus()
    await page.keyboard.press('PageUp')
    await frames(2)
    const [first] = await page.evaluate(() => window.chatFixture.inView())
    expect(await focusedRow()).toBe(first)
  })

  it('Enter goes inside a message, Tab stays there, Escape comes back and then leaves for the composer', async () => {
    await adaOpens(40)
    await page.locator('[data-key="m34"]').focus()
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.closest('[data-key="m34"]') !== document.activeElement)
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('[data-key]')?.getAttribute('data-key'))).toBe(
        'm34',
      )
    }
    await page.keyboard.press('Escape')
    expect(await focusedRow()).toBe('m34')
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  })

  it('focus moves to the neighbour when the focused message is deleted for good', async () => {
    await adaOpens(40)
    await page.locator('[data-key="m35"]').focus()
    await page.evaluate(() => window.chatFixture.server().deletes('m35', { hard: true }))
    await page.waitForFunction(() => !document.querySelector('[data-key="m35"]'))
    expect(await focusedRow()).toBe('m36')
  })

  it('a reader far from the focused message is not moved when it is deleted for good', async () => {
    await adaOpens(300)
    await page.evaluate(async () => {
      for (let n = 0; n < 6; n++) await window.chatFixture.channel().loadOlder()
    })
    await page.locator('[data-key="m298"]').focus()
    await page.evaluate(() => window.chatFixture.scrollBy(-6_000))
    const before = await page.evaluate(() => window.chatFixture.inView())
    await page.evaluate(() => window.chatFixture.server().deletes('m298', { hard: true }))
    await page.waitForFunction(() => !document.querySelector('[data-key="m298"]'))
    await frames(4)
    expect(await page.evaluate(() => window.chatFixture.inView())).toEqual(before)
    expect(before).toContain(await focusedRow())
  })
})

describe('to a screen reader', () => {
  it('the list is a feed of articles, each named by its author and text, with the days as headings', async () => {
    await adaOpens(20)
    const feed = page.getByRole('feed', { name: 'Messages' })
    expect(await feed.locator('> *').evaluateAll((rows) => rows.every((row) => row.tagName === 'ARTICLE'))).toBe(true)
    const named = (name: string) => feed.getByRole('article', { name, exact: true })
    for (const name of ['You Lunch at noon?', 'Bo Lindqvist Sure, the usual place']) await named(name).first().waitFor()
    expect(await feed.getByRole('heading', { level: 3, name: 'Today' }).count()).toBe(1)
    const last = page.locator('[data-key="m19"]')
    expect([await last.getAttribute('aria-posinset'), await last.getAttribute('aria-setsize')]).toEqual(['20', '20'])
  })

  it('the size of the set is unknown while older messages are not loaded', async () => {
    await adaOpens(40)
    expect(await page.locator('[data-key="m39"]').getAttribute('aria-setsize')).toBe('-1')
  })
})
