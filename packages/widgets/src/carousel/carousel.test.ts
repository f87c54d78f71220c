import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { axeFinds } from '../../../../scripts/axe.ts'
import { aBrowserOn, type FixtureBrowser } from '../testing/browser.ts'
import type { CarouselOptions } from '../testing/carousel-fixture.tsx'

let browser: FixtureBrowser
let page: Page
let problems: () => readonly string[]
let leave: () => Promise<void>

beforeAll(async () => {
  browser = await aBrowserOn('carousel-fixture.html')
})
afterAll(() => browser.close())
afterEach(async () => {
  expect(problems()).toEqual([])
  await leave()
})

/** A carousel of so many slides. */
async function looksAt(
  count: number,
  options: CarouselOptions & { dir?: string } = {},
  how: BrowserContextOptions = {},
) {
  ;({ page, problems, leave } = await browser.open(how))
  const { dir = 'ltr', ...given } = options
  await page.evaluate(
    ([count, given, dir]) => {
      document.documentElement.dir = dir
      window.carouselFixture.show(count, given)
    },
    [count, given, dir] as const,
  )
  await page.getByRole('region', { name: 'Holidays' }).waitFor()
  await stands(given.startIndex ?? 0, count)
}

/** Waits until the slides rest: the slide at this index, from 0, fills the frame, and no other can be reached. */
async function stands(index: number, count: number) {
  await expect.poll(() => shift()).toBe(index)
  await expect
    .poll(() =>
      page.locator('.chat-carousel-slide').evaluateAll((slides) => slides.map((slide) => (slide as HTMLElement).inert)),
    )
    .toEqual(Array.from({ length: count }, (_, place) => place !== index))
}

/** How far the slides are shifted, in slides. */
function shift(): Promise<number> {
  return page.locator('.chat-carousel-viewport').evaluate((viewport) => {
    const frame = viewport.getBoundingClientRect()
    const slide = viewport.querySelector('.chat-carousel-slide')!.getBoundingClientRect()
    const along = getComputedStyle(viewport).direction === 'rtl' ? slide.right - frame.right : frame.left - slide.left
    return Math.round((along / frame.width) * 100) / 100
  })
}

const control = (name: 'Previous' | 'Next') => page.getByRole('button', { name })

/** Drags from the link on the first slide, which a press would follow. */
async function drags(pixels: number) {
  const box = (await page.getByRole('link').first().boundingBox())!
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (let moved = 1; moved <= Math.abs(pixels); moved++) await page.mouse.move(x + moved * Math.sign(pixels), y)
  await page.mouse.up()
}

const followed = () => new URL(page.url()).hash === '#more'

/**
 * The position of the next slide in each frame between a press on Next and the end of the motion, in px. The frames are
 * faked, one for each sixtieth of a second, so that the same motion always gives the same values.
 */
function pathOfOneMove(): Promise<number[]> {
  return page.evaluate(() => {
    const waiting: FrameRequestCallback[] = []
    window.requestAnimationFrame = (draw) => waiting.push(draw)
    const slide = document.querySelectorAll('.chat-carousel-slide')[1]!
    const frame = document.querySelector('.chat-carousel-viewport')!.getBoundingClientRect()
    document.querySelector<HTMLButtonElement>('[data-way=next]')!.click()
    const path: number[] = []
    for (let at = 0; waiting.length > 0; at += 1_000 / 60) {
      for (const draw of waiting.splice(0)) draw(at)
      path.push(slide.getBoundingClientRect().left - frame.left)
      if (Math.abs(path.at(-1)!) < 1) break
    }
    return path
  })
}

describe('the carousel', () => {
  it('moves by one slide with each press of a button', async () => {
    await looksAt(3)
    await control('Next').click()
    await stands(1, 3)
    await control('Next').click()
    await stands(2, 3)
    await control('Previous').click()
    await stands(1, 3)
  })

  it('moves by the arrow keys, reversed in right-to-left languages', async () => {
    await looksAt(3)
    await control('Next').focus()
    await page.keyboard.press('ArrowRight')
    await stands(1, 3)
    await page.keyboard.press('ArrowLeft')
    await stands(0, 3)
    await leave()

    await looksAt(3, { dir: 'rtl' })
    await control('Next').focus()
    await page.keyboard.press('ArrowLeft')
    await stands(1, 3)
    await page.keyboard.press('ArrowRight')
    await stands(0, 3)
  })

  it('does nothing at its ends, and the disabled control there keeps the focus', async () => {
    await looksAt(2)
    await control('Previous').focus()
    expect(await control('Previous').getAttribute('aria-disabled')).toBe('true')
    for (const key of ['Enter', 'Space', 'ArrowLeft']) await page.keyboard.press(key)
    await stands(0, 2)
    expect(await control('Previous').evaluate((button) => button === document.activeElement)).toBe(true)

    await control('Next').focus()
    expect(await control('Next').getAttribute('aria-disabled')).toBe(null)
    await page.keyboard.press('Enter')
    await stands(1, 2)
    expect(await control('Next').getAttribute('aria-disabled')).toBe('true')
    for (const key of ['Enter', 'Space', 'ArrowRight']) await page.keyboard.press(key)
    await stands(1, 2)
    expect(await control('Next').evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('keeps the focus when the focused slide leaves', async () => {
    await looksAt(3)
    await page.getByRole('link', { name: 'More about 1' }).focus()
    await page.keyboard.press('ArrowRight')
    await stands(1, 3)
    expect(await control('Next').evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('a pointer drags the slides, and within 10 px, or the given threshold, it still presses', async () => {
    await looksAt(3)
    await drags(-16)
    await stands(0, 3)
    expect(followed()).toBe(false)
    await drags(-6)
    await expect.poll(followed).toBe(true)
    await drags(-50)
    await stands(0, 3)
    await leave()

    await looksAt(3, { dragThreshold: 40 })
    await drags(-16)
    await expect.poll(followed).toBe(true)
  })

  it('a pointer that has dragged a slide most of its way moves to the next one', async () => {
    await looksAt(3)
    const frame = (await page.locator('.chat-carousel-viewport').boundingBox())!
    await page.mouse.move(frame.x + frame.width - 10, frame.y + frame.height - 20)
    await page.mouse.down()
    for (let x = frame.width - 10; x > 60; x -= 5) await page.mouse.move(frame.x + x, frame.y + frame.height - 20)
    await page.mouse.up()
    await stands(1, 3)
  })

  it('[CAR-7] [CAR-8] moves with a strength of 25, and higher is slower; reduced motion means none', async () => {
    const moves = async (options: CarouselOptions, how: BrowserContextOptions = {}) => {
      await looksAt(3, options, how)
      const path = await pathOfOneMove()
      if (!how.reducedMotion) await leave()
      return path
    }
    const usual = await moves({})
    expect(usual.length).toBeGreaterThan(3)
    expect(await moves({ duration: 25 })).toEqual(usual)
    const [faster, slower] = [await moves({ duration: 24 }), await moves({ duration: 26 })]
    expect(faster[5]).toBeLessThan(usual[5]!)
    expect(slower[5]).toBeGreaterThan(usual[5]!)
    expect((await moves({}, { reducedMotion: 'reduce' })).length).toBeLessThanOrEqual(2)
  })

  it('begins at the given slide', async () => {
    await looksAt(3, { startIndex: 2 })
    expect(await control('Next').getAttribute('aria-disabled')).toBe('true')
  })

  it.each([1, 2, 60])('is accessible with %i slides', async (count) => {
    await looksAt(count)
    expect(await axeFinds(page)).toEqual([])
    expect(
      await page.getByRole('group', { name: `1 of ${count}`, exact: true }).getAttribute('aria-roledescription'),
    ).toBe('slide')
  })
})
