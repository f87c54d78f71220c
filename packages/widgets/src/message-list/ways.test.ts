/** Navigation through a history: to a day, to mentions of the reader, and over a gap. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeFinds, standsStill } from '../../../../scripts/axe.ts'
import { aBrowserOn, type FixtureBrowser } from '../testing/browser.ts'
import type { FixtureOptions } from '../testing/chat-fixture.tsx'

/** A busy machine takes long to connect. */
const PATIENT = { timeout: 30_000 }

let browser: FixtureBrowser
let page: Page
let leave: () => Promise<void>

beforeAll(async () => {
  browser = await aBrowserOn('chat-fixture.html')
})
afterAll(() => browser.close())
beforeEach(async () => {
  ;({ page, leave } = await browser.open({ viewport: { width: 700, height: 720 } }))
})
afterEach(() => leave())

async function adaOpens(count: number, options: FixtureOptions = {}) {
  await page.evaluate(([count, options]) => window.chatFixture.open(window.chatFixture.theLunchGroup(count), options), [
    count,
    options,
  ] as const)
  await page.waitForSelector('.chat-scroll')
}
const focusedRow = () => page.evaluate(() => document.activeElement?.getAttribute('data-key'))
const question = () => page.getByRole('dialog', { name: 'Jump to date' })
const field = () => question().getByLabel('Date', { exact: true })

/** The first message of a day a while ago, and that day in the format of the date field. */
const aDayAgo = () =>
  page.evaluate(() => {
    const { messages } = window.chatFixture.server().conversations[0]!
    const dayOf = (at: number) => new Date(messages[at]!.created_at).toLocaleDateString('sv-SE')
    const first = messages.findIndex((_, at) => at > 20 && dayOf(at) !== dayOf(at - 1))
    return { id: messages[first]!.id, day: dayOf(first) }
  })

/** Scrolls up until the start of a day is final: the first row names its day only until older ones are loaded. */
const scrollsToDays = () =>
  expect
    .poll(async () => {
      await page.evaluate(() => window.chatFixture.scrollBy(-400))
      return page.locator('.chat-day').count()
    }, PATIENT)
    .toBeGreaterThan(1)

describe('the name of a day', () => {
  it('opens the date dialog by key, goes to the first message of the day and focuses it, however far back it is', async () => {
    await adaOpens(200)
    const { id, day } = await aDayAgo()
    expect(await page.evaluate(() => window.chatFixture.rows())).not.toContain(id)
    await scrollsToDays()
    await page.locator('.chat-scroll-row:has(.chat-day)').last().focus()
    await page.keyboard.press('Enter')
    const isIn = (part: string) =>
      page.evaluate((part) => document.activeElement?.closest(`article ${part}`) != null, part)
    await expect.poll(() => isIn('.chat-message')).toBe(true)
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => isIn('.chat-day')).toBe(true)
    await page.keyboard.press('Enter')
    await field().fill(day)
    await page.keyboard.press('Enter')
    await expect.poll(focusedRow).toBe(id)
    expect(await question().count()).toBe(0)
    expect(await page.evaluate(() => window.chatFixture.inView())).toContain(id)
    await page.getByRole('button', { name: 'Back to where you were' }).waitFor()
  })

  it('floats over the list while scrolling, opens the dialog as well, and restores the focus on cancel', async () => {
    await adaOpens(200)
    await page.getByLabel('Message', { exact: true }).focus()
    const chip = page.locator('.chat-floating-date button')
    await page.locator('.chat-scroll').hover()
    // It disappears a moment after the list rests: the wheel turns until it is pressed.
    let isPressed = false
    const pressed = chip.click(PATIENT).finally(() => {
      isPressed = true
    })
    while (!isPressed) {
      await page.mouse.wheel(0, -10)
      await page.evaluate(() => window.chatFixture.painted())
    }
    await pressed
    await field().waitFor()
    expect(await field().inputValue()).toMatch(/^\d{4}-\d\d-\d\d$/)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    expect(await question().count()).toBe(0)
  })

  it('does not float when the message at the end shrinks without scrolling by the reader', async () => {
    await adaOpens(200)
    const shown = await page.evaluate(async () => {
      const chip = document.querySelector<HTMLElement>('.chat-floating-date')!
      let isShown = false
      new MutationObserver(() => {
        isShown ||= chip.dataset.shown !== undefined
      }).observe(chip, { attributes: true })
      const viewport = document.querySelector('.chat-scroll')!
      const text = [...document.querySelectorAll<HTMLElement>('[data-key] .chat-bubble')].at(-1)!
      text.style.paddingBlockEnd = '80px'
      await window.chatFixture.painted()
      const longer = viewport.scrollTop
      text.style.paddingBlockEnd = ''
      // The dialog makes the browser scroll the list at once; the list itself is notified with the next frame.
      const isMoved = viewport.scrollTop < longer
      for (let frame = 0; frame < 3; frame += 1) await window.chatFixture.painted()
      return { isMoved, isShown }
    })
    expect(shown).toEqual({ isMoved: true, isShown: false })
  })

  it('a day without later messages leads to the newest message; a failed lookup leads nowhere', async () => {
    await adaOpens(60)
    const newest = await page.evaluate(() => window.chatFixture.rows().at(-1))
    await scrollsToDays()
    const asks = async () => {
      await page.locator('.chat-day button').last().click()
      await field().fill(await page.evaluate(() => new Date(Date.now() + 86_400_000).toLocaleDateString('sv-SE')))
      // The field itself would refuse such a day.
      await field().evaluate((it) => it.removeAttribute('max'))
      await page.keyboard.press('Enter')
    }
    await asks()
    await expect.poll(focusedRow).toBe(newest)
    await page.evaluate(() => window.chatFixture.refuse('POST /query'))
    await page.evaluate(() => window.chatFixture.scrollBy(-600))
    await page.locator('.chat-day button').last().click()
    await page.keyboard.press('Enter')
    await page.getByText('The messages of that day could not be loaded').first().waitFor()
    expect(await question().count()).toBe(0)
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  })

  it('is cancelled when its dialog is closed, however late the answer comes', async () => {
    await adaOpens(200)
    const { id, day } = await aDayAgo()
    await scrollsToDays()
    await page.locator('.chat-day button').last().click()
    await field().fill(day)
    await page.evaluate(() => window.chatFixture.server().hold())
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(() => window.chatFixture.server().calls.at(-1)?.path)).toMatch(/query$/)
    await page.keyboard.press('Escape')
    await question().waitFor({ state: 'detached' })
    await page.evaluate(async () => {
      window.chatFixture.server().deliver()
      for (let i = 0; i < 10; i++) await window.chatFixture.painted()
    })
    expect(await page.evaluate(() => window.chatFixture.rows())).not.toContain(id)
    expect(await focusedRow()).not.toBe(id)
  })

  it.each(['light', 'dark'] as const)(
    'axe finds nothing in the %s theme while the date dialog is open',
    async (theme) => {
      await adaOpens(60, { theme })
      await scrollsToDays()
      await page.locator('.chat-day button').last().click()
      await field().waitFor()
      await standsStill(page)
      expect(await axeFinds(page)).toEqual([])
    },
  )
})

describe('the button to the newest messages', () => {
  it('leads to mentions of the reader first, one after the other, and then to the newest message', async () => {
    await adaOpens(60)
    await page.evaluate(() => window.chatFixture.scrollBy(-1_200))
    const ids = await page.evaluate(() => {
      const { says, bo } = window.chatFixture
      const some = () => {
        for (let i = 0; i < 20; i++) says(bo, 'And so on')
      }
      const names = { mentioned_users: [{ id: 'ada', name: 'Ada Okafor' }] }
      some()
      const first = says(bo, 'What does @Ada Okafor think?', names)
      some()
      const second = says(bo, 'Well, @Ada Okafor?', names)
      some()
      return [first, second]
    })
    const named = page.getByRole('button', { name: 'Bo Lindqvist mentioned you' })
    for (const id of ids) {
      await named.press('Enter')
      await expect.poll(focusedRow).toBe(id)
      expect(await page.evaluate(() => window.chatFixture.inView())).toContain(id)
    }
    await expect.poll(() => named.count()).toBe(0)
    await page.getByRole('button', { name: /go to the newest$/ }).press('Enter')
    await page.waitForFunction(() => window.chatFixture.toEnd() <= 1)
  })

  it('skips mentions the reader has seen already, and those by muted users', async () => {
    await adaOpens(60)
    await page.evaluate(async () => {
      const { says, bo, channel, painted, scrollBy, toEnd } = window.chatFixture
      await channel().getClient().muteUser('cy')
      await scrollBy(-900)
      const names = { mentioned_users: [{ id: 'ada', name: 'Ada Okafor' }] }
      says(bo, 'What does @Ada Okafor think?', names)
      for (let i = 0; i < 20; i++) says(bo, 'And so on')
      says({ id: 'cy', name: 'Cy Tanaka' }, '@Ada Okafor!', names)
      for (let i = 0; i < 20; i++) says(bo, 'And so on')
      for (let i = 0; i < 10 && toEnd() < 1_500; i++) await painted()
      await scrollBy(toEnd() - 200)
      await scrollBy(-1_500)
    })
    await page.getByRole('button', { name: /go to the newest$/ }).waitFor()
    expect(await page.getByRole('button', { name: /mentioned you/ }).count()).toBe(0)
  })
})

describe('a gap', () => {
  it('of a lost connection is shown in its place, and is filled on request', async () => {
    await adaOpens(40)
    await page.evaluate(() => {
      const { server, says, bo } = window.chatFixture
      server().refusals.set('POST /channels', { status: 500, code: -1 })
      server().drops()
      says(bo, 'Nobody has heard this')
      server().down = false
    })
    const gap = page.getByText('Some messages could not be loaded', { exact: true })
    await gap.waitFor(PATIENT)
    expect(await page.getByText('Nobody has heard this').count()).toBe(0)
    await page.getByRole('button', { name: 'Load', exact: true }).press('Enter')
    await page.getByText('Nobody has heard this').first().waitFor(PATIENT)
    await expect.poll(() => gap.count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY')
  })
})
