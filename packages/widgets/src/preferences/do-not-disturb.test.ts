import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'
import { endOf, nextMorning } from './do-not-disturb-times.ts'

let page: Page
const anotherPage = aKitPage(
  (opened) => {
    page = opened
  },
  { refuses: true },
)

const dialog = () => page.getByRole('dialog', { name: 'Chat preferences' })
const choice = () => dialog().getByRole('combobox', { name: 'Pause notifications' })
const note = () => page.locator('.chat-quiet')
const asked = async () => {
  const calls = await page.evaluate(() => window.kitFixture.calls('/push_preferences'))
  return calls.map(({ body }) => (body.preferences as { disabled_until?: string }[])[0]!)
}
const hears = (sentence: RegExp) =>
  page.locator('[aria-live=polite]').getByText(sentence).waitFor({ state: 'attached' })

async function adaOpens({ until = '' } = {}) {
  await page.evaluate((until) => {
    const push_preferences = until ? { disabled_until: until } : undefined
    Object.assign(window.kitFixture.ada, { push_preferences })
    return window.kitFixture.start({ open: 'bo', preferences: true })
  }, until)
  await page.waitForSelector('.chat-scroll-row')
}
async function adaOpensPreferences() {
  await adaOpens()
  await page.getByRole('button', { name: 'Chat preferences' }).click()
  await dialog().waitFor()
}

describe('notifications', () => {
  it.each([
    ['in the morning', '2026-06-10T10:20', /^Notifications are paused until 11:20\sAM$/],
    ['before midnight', '2026-06-10T23:20', /^Notifications are paused until Thu,? 12:20\sAM$/],
    ['at the end of a year', '2026-12-31T23:20', /^Notifications are paused until Fri,? 12:20\sAM$/],
  ])(
    'are paused for an hour %s, which is shown over the conversations, and resumed there by one press',
    async (_, time, sentence) => {
      await page.clock.setFixedTime(new Date(time))
      await adaOpensPreferences()
      await choice().selectOption('For an hour')
      await hears(sentence)
      await expect.poll(() => choice().inputValue()).toBe('on')
      expect(Date.parse((await asked())[0]!.disabled_until!) - Date.parse(time)).toBe(3_600_000)
      await page.keyboard.press('Escape')
      await note()
        .getByText(/^Notifications are paused until/)
        .waitFor()
      expect(await axeFinds(page, '.chat-quiet')).toEqual([])
      await note().getByRole('button', { name: 'Resume' }).focus()
      await page.keyboard.press('Enter')
      await hears(/^Notifications are on again$/)
      await note().waitFor({ state: 'detached' })
      expect((await asked())[1]).toEqual({ remove_disable: true })
      // The focus stays with the conversations.
      await expect.poll(() => page.evaluate(() => document.activeElement?.closest('nav') !== null)).toBe(true)
    },
  )

  it('are paused until the morning, and resumed in the dialog, where the focus stays', async () => {
    await adaOpensPreferences()
    await choice().selectOption({ index: 2 })
    await expect.poll(() => choice().inputValue()).toBe('on')
    const until = new Date((await asked())[0]!.disabled_until!)
    expect([until.getMinutes(), until.getTime() > Date.now()]).toEqual([0, true])
    await dialog().getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => choice().inputValue()).toBe('')
    expect(await choice().evaluate((it) => it === document.activeElement)).toBe(true)
  })

  it('are paused until a time, but not until one in the past', async () => {
    await adaOpensPreferences()
    await choice().selectOption('Until a time…')
    const field = dialog().getByLabel('Pause until')
    expect(await field.evaluate((it) => it === document.activeElement)).toBe(true)
    await field.fill('2020-01-01T08:00')
    await dialog().getByRole('button', { name: 'Pause', exact: true }).click()
    await dialog().getByText('Choose a time in the future.').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await axeFinds(page, '[role=dialog]')).toEqual([])
    expect(await asked()).toEqual([])
    const year = new Date().getFullYear() + 1
    await field.fill(`${year}-03-01T09:30`)
    await page.keyboard.press('Enter')
    await hears(new RegExp(`until Mar 1, ${year}, 9:30 AM`))
    expect(new Date((await asked())[0]!.disabled_until!).getFullYear()).toBe(year)
  })

  it('stay as they were if the server refuses', async () => {
    await adaOpensPreferences()
    await page.evaluate(() =>
      window.kitFixture.server().refusals.set('POST /push_preferences', { status: 500, code: -1 }),
    )
    await choice().selectOption('For an hour')
    await page.getByText('This could not be saved').first().waitFor()
    expect(await choice().inputValue()).toBe('')
  })
})

describe('a pause', () => {
  const soon = (ms: number) => new Date(Date.now() + ms).toISOString()

  it('from another device is shown from the start, and ends by itself', async () => {
    await page.clock.install()
    await adaOpens({ until: soon(90_000) })
    await note().waitFor()
    await page.clock.runFor(150_000)
    await note().waitFor({ state: 'detached' })
  })

  it('of another device is shown and ended like one of this device', async () => {
    await adaOpensPreferences()
    await choice().selectOption('For an hour')
    await note().waitFor()
    await page.evaluate(() => window.kitFixture.server().isDoNotDisturb())
    await expect.poll(() => choice().inputValue()).toBe('')
    await note().waitFor({ state: 'detached' })
    await page.evaluate((until) => window.kitFixture.server().isDoNotDisturb(until), soon(3_600_000))
    await expect.poll(() => choice().inputValue()).toBe('on')
    await note().waitFor()
  })

  it('allows no sound, for messages of this page, too', async () => {
    await page.evaluate(() => localStorage.setItem('parley.preferences.ada', '{"sounds":true}'))
    await adaOpensPreferences()
    await page.evaluate(() => {
      Object.assign(window, { heard: 0 })
      document.hasFocus = () => false
      OscillatorNode.prototype.start = () => {
        window.heard! += 1
      }
      OscillatorNode.prototype.stop = () => {}
    })
    const says = (text: string) =>
      page.evaluate((text) => window.kitFixture.server().says('bo', window.kitFixture.bo, text), text)
    const isSaid = (text: string) => page.locator('.chat-scroll-row').getByText(text, { exact: true }).waitFor()
    await choice().selectOption('For an hour')
    await expect.poll(() => choice().inputValue()).toBe('on')
    await says('Quietly')
    await isSaid('Quietly')
    await page.waitForTimeout(400)
    expect(await page.evaluate(() => window.heard)).toBe(0)
    await choice().selectOption('Not paused')
    await expect.poll(() => choice().inputValue()).toBe('')
    await says('Loudly')
    await expect.poll(() => page.evaluate(() => window.heard)).toBe(2)
  })

  it('can be ended by touch as well, from right to left', async () => {
    await anotherPage({ viewport: { width: 360, height: 740 }, hasTouch: true })
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl'
      Object.assign(window.kitFixture.ada, { push_preferences: { disabled_until: '2199-01-01T00:00:00Z' } })
      return window.kitFixture.start({})
    })
    const button = note().getByRole('button', { name: 'Resume' })
    await button.waitFor()
    const box = (await button.boundingBox())!
    expect(box.height).toBeGreaterThanOrEqual(44)
    expect(box.x).toBeGreaterThanOrEqual(0)
    await button.tap()
    await note().waitFor({ state: 'detached' })
  })
})

it('the morning is that of the next day, and in the small hours that of the same day', () => {
  expect(nextMorning(new Date(2026, 4, 31, 22, 10))).toEqual(new Date(2026, 5, 1, 8))
  expect(nextMorning(new Date(2026, 4, 31, 2, 10))).toEqual(new Date(2026, 4, 31, 8))
})

it('the end of a pause includes its day if it is another one', () => {
  const now = new Date(2026, 5, 3, 14)
  expect(endOf('en', new Date(2026, 5, 3, 15, 5), now)).toMatch(/^3:05\sPM$/)
  expect(endOf('en', new Date(2026, 5, 4, 8), now)).toMatch(/^Thu,? 8:00\sAM$/)
  expect(endOf('de', new Date(2026, 6, 4, 8), now)).toBe('04.07.2026, 08:00')
})
