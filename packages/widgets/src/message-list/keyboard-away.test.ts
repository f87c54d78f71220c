import type { CDPSession, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { aKitPage } from '../testing/kit-page.ts'

const PHONE = { viewport: { width: 390, height: 560 }, isMobile: true, hasTouch: true }

let page: Page
let fingers: CDPSession
aKitPage(async (opened) => {
  page = opened
  fingers = await page.context().newCDPSession(page)
}, PHONE)

beforeEach(async () => {
  await page.evaluate(() => window.kitFixture.start({ open: 'racks' }))
  await page.waitForSelector('.chat-scroll')
})

const box = () => page.getByRole('textbox', { name: /^Message/ })
const scroller = () => page.locator('.chat-scroll')
const isWriting = () => box().evaluate((it) => it === document.activeElement)

const touches = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
  fingers.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })

/** A finger drags the messages down by so many px, up if it is less than 0, and stays there. */
async function fingerDraws(px: number) {
  const { x, y, width, height } = (await scroller().boundingBox())!
  const at = { x: x + width / 2, y: y + height / 2 - px / 2 }
  await touches('touchStart', at)
  // The code that follows the finger is loaded with the first touch.
  await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => /keyboard-a/.test(name)))
  const step = Math.sign(px) * 5
  for (let way = step; Math.abs(way) <= Math.abs(px); way += step)
    await touches('touchMove', { x: at.x, y: at.y + way })
}

const lifts = () => touches('touchEnd')
const top = () => scroller().evaluate((it) => it.scrollTop)
/** No list moves any more: the momentum has ended. */
async function rests() {
  await page.evaluate(async () => {
    const list = document.querySelector('.chat-scroll')!
    for (let still = 0, at = list.scrollTop; still < 10; still = list.scrollTop === at ? still + 1 : 0) {
      at = list.scrollTop
      await new Promise(requestAnimationFrame)
    }
  })
}

describe('on a phone, a finger that scrolls the messages', () => {
  it('hides the on-screen keyboard without moving the messages', async () => {
    await box().fill('Half a sent')
    const before = await top()
    await fingerDraws(160)
    await expect.poll(isWriting).toBe(false)
    await lifts()
    expect(before - (await top())).toBeGreaterThan(80)
    expect(await box().inputValue()).toBe('Half a sent')
    // Further keys act on the messages, and there is no focus ring around all of them.
    const feed = page.getByRole('feed')
    expect(await feed.evaluate((it) => [it === document.activeElement, getComputedStyle(it).outlineStyle])).toEqual([
      true,
      'none',
    ])
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('chat-scroll-row')
    expect(await feed.getAttribute('tabindex')).toBeNull()
  })

  it('keeps the keyboard after a short drag, and after one towards newer messages', async () => {
    await box().fill('Half a sent')
    await scroller().evaluate((it) => it.scrollBy(0, -400))
    await rests()
    await fingerDraws(70)
    expect(await isWriting()).toBe(true)
    await lifts()
    await rests()
    const before = await top()
    await fingerDraws(-160)
    await lifts()
    await rests()
    expect(await top()).toBeGreaterThan(before)
    expect(await isWriting()).toBe(true)
  })

  it('keeps the keyboard while text in the box is selected', async () => {
    await box().fill('Half a sent')
    await box().selectText()
    await fingerDraws(160)
    await lifts()
    expect(await isWriting()).toBe(true)
    expect(await page.evaluate(() => String(getSelection()))).toBe('Half a sent')
  })
})

it('scrolling by the list itself keeps the keyboard', async () => {
  await box().fill('Half a sent')
  await fingerDraws(20)
  await lifts()
  await rests()
  await scroller().evaluate((it) => it.scrollBy(0, -300))
  await rests()
  expect(await isWriting()).toBe(true)
})
