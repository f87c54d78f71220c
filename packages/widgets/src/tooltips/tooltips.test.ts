import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'

let page: Page
const anotherPage = aKitPage((opened) => {
  page = opened
})

const tooltip = () => page.locator('.chat-tip:popover-open')
async function adaOpens(options = {}) {
  await page.evaluate((options) => window.kitFixture.start({ open: 'racks', ...options }), options)
  await page.waitForSelector('.chat-scroll-row')
}
const upFromBox = async (rows: number) => {
  await page.locator('.chat-composer textarea').focus()
  await page.keyboard.press('Shift+Tab')
  while (!(await page.evaluate(() => document.activeElement?.matches('.chat-scroll-row'))))
    await page.keyboard.press('Shift+Tab')
  for (let row = 0; row < rows; row++) await page.keyboard.press('ArrowUp')
}

it('[interface.md 4.5] shows the full time of a message to keyboard users, until they move on', async () => {
  await adaOpens()
  await upFromBox(1)
  const title = await page.locator('.chat-scroll-row:focus time').first().getAttribute('title')
  expect(title).toMatch(/\d{4} at /)
  await tooltip().getByText(title!).waitFor()
  expect(await axeFinds(page, '.chat')).toEqual([])
  // It can be hovered, and stays.
  await tooltip().hover()
  await tooltip().click()
  await tooltip().waitFor()
  await page.keyboard.press('ArrowUp')
  await tooltip().waitFor({ state: 'detached' })
})

it('[interface.md 4.5] shows a name that is cut, and nothing if all of it is visible', async () => {
  await adaOpens({ open: 'bo' })
  const row = (name: string) =>
    page.locator('.chat-channel-row').filter({ has: page.locator(`.chat-channel-name:text-is("${name}")`) })
  await row('Bo Lindqvist').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await tooltip().waitFor()
  expect(await tooltip().innerText()).toMatch(/^\w+day, .* at [^\n]*$/)
  await row('Maximiliane Freifrau von Hohenstein-Oberndorf').focus()
  await expect.poll(() => tooltip().innerText()).toMatch(/^Maximiliane Freifrau von Hohenstein-Oberndorf\n\w+day, /)
})

it('shows the name of an icon button, and Escape closes it', async () => {
  await adaOpens()
  await page.locator('.chat-composer textarea').focus()
  await page.keyboard.press('Tab')
  const name = await page.evaluate(() => document.activeElement?.getAttribute('title'))
  await tooltip().getByText(name!, { exact: true }).waitFor()
  const [box, button] = await page.evaluate(() =>
    [document.querySelector('.chat-tip')!, document.activeElement!].map((it) => it.getBoundingClientRect().toJSON()),
  )
  expect(box.bottom <= button.top || box.top >= button.bottom).toBe(true)
  await page.keyboard.press('Escape')
  await tooltip().waitFor({ state: 'detached' })
})

it('shows nothing to a mouse, for which the browser does, and nothing under a finger', async () => {
  await adaOpens()
  await page.getByRole('button', { name: 'Search this conversation' }).click()
  await page.waitForTimeout(700)
  expect(await page.locator('.chat-tip:popover-open').count()).toBe(0)
  await anotherPage({ viewport: { width: 390, height: 800 }, hasTouch: true })
  await adaOpens()
  await page.getByRole('button', { name: 'Search this conversation' }).tap()
  await page.waitForTimeout(700)
  expect(await tooltip().count()).toBe(0)
})

it('stays inside of the window, from right to left as well', async () => {
  await anotherPage({ viewport: { width: 320, height: 700 } })
  await page.evaluate(() => {
    document.documentElement.dir = 'rtl'
  })
  await adaOpens()
  await upFromBox(1)
  await tooltip().waitFor()
  const { left, right } = await tooltip().evaluate((it) => it.getBoundingClientRect().toJSON())
  expect(left).toBeGreaterThanOrEqual(0)
  expect(right).toBeLessThanOrEqual(320)
})

describe('with touch', () => {
  const phone = {
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  } as const
  /** Holds a finger on an element for the time of a long press. */
  async function holds(on: Locator, until: () => Promise<unknown>) {
    const fingers = await page.context().newCDPSession(page)
    const { x, y, width, height } = (await on.boundingBox())!
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }]
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await until()
    await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await fingers.detach()
  }
  const metaOf = (key: string) => page.locator(`[data-key="${key}"] .chat-meta`)

  it('[interface.md 4.5] a long press on the time of a message shows it in full, until the next touch', async () => {
    await anotherPage(phone)
    await adaOpens()
    const time = page.locator('.chat-meta[data-shown] time').last()
    const title = (await time.getAttribute('title'))!
    expect(title).toMatch(/\d{4} at /)
    // Its code is loaded with the first touch, which may be this one.
    await holds(time, () => tooltip().getByText(title).waitFor())
    const [shown, below] = [(await tooltip().boundingBox())!, (await time.boundingBox())!]
    expect(shown.y + shown.height).toBeLessThanOrEqual(below.y)
    expect(await tooltip().count()).toBe(1)
    expect(await axeFinds(page, '.chat-tip')).toEqual([])
    await page.locator('.chat-header h2').tap()
    await tooltip().waitFor({ state: 'detached' })
  })

  it('[interface.md 4.5] a long press on a read receipt shows the readers, and opens nothing', async () => {
    await anotherPage(phone)
    await adaOpens()
    await page.evaluate(() => {
      const { server, bo, cy } = window.kitFixture
      server().reads('racks', bo)
      server().reads('racks', cy)
    })
    const mark = page.locator('button.chat-receipt[data-delivery=read]').last()
    const names = (await mark.getAttribute('title'))!
    await holds(mark, () => tooltip().getByText(names).waitFor())
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await tooltip().count()).toBe(1)
  })

  it('the menu of a message shows its exact time', async () => {
    await anotherPage(phone)
    await adaOpens({ open: 'bo' })
    const bubble = page.locator('[data-key="bo-2"] .chat-bubble')
    const title = (await metaOf('bo-2').locator('time').first().getAttribute('title'))!
    await holds(bubble, () => page.getByRole('menu').waitFor())
    await page.locator('.chat-sheet').getByText(title, { exact: true }).waitFor()
    expect(await axeFinds(page, '.chat-sheet')).toEqual([])
  })
})

it('shows the readers of a message to keyboard users', async () => {
  await adaOpens()
  await page.evaluate(() => window.kitFixture.server().reads('racks', window.kitFixture.bo))
  const mark = page.locator('button.chat-receipt[data-delivery=read]').last()
  const names = (await mark.getAttribute('title'))!
  const row = page.locator('.chat-scroll-row').filter({ has: mark }).last()
  await upFromBox(0)
  while (!(await row.evaluate((it) => it === document.activeElement))) await page.keyboard.press('ArrowUp')
  await tooltip().getByText(names).waitFor()
})
