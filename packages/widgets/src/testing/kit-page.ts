import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { aBrowserOn, type FixtureBrowser, type OpenFixture } from './browser.ts'

const WIDE = { viewport: { width: 1200, height: 900 } }
/** What the browser itself says of a call that is refused, or of a file that is not there. */
const NOT_THERE = /^Failed to load resource/

export interface KitPageOptions extends BrowserContextOptions {
  /** The tests of this file refuse calls, or leave files out: the browser may say so. */
  refuses?: boolean
}

/**
 * A page of its own for every test of the file, with the kit on it; a test after which the page has complained fails.
 *
 * @param given  gets the page before each test
 * @returns gives the running test another page instead, as one of a phone
 */
export function aKitPage(given: (page: Page) => void | Promise<void>, { refuses, ...options }: KitPageOptions = {}) {
  let browser: FixtureBrowser
  let opened: OpenFixture
  const open = async (own: BrowserContextOptions) => {
    opened = await browser.open({ ...WIDE, ...options, ...own })
    await given(opened.page)
  }
  const close = async () => {
    expect(opened.problems().filter((problem) => !(refuses && NOT_THERE.test(problem)))).toEqual([])
    await opened.leave()
  }
  beforeAll(async () => {
    browser = await aBrowserOn('kit-fixture.html')
  })
  afterAll(() => browser.close())
  beforeEach(() => open({}))
  afterEach(close)
  return async (own: BrowserContextOptions) => {
    await close()
    await open(own)
  }
}

/**
 * From now on frames come when they are asked for, as on a machine that is slow: what has to be there at once is there
 * without one.
 *
 * @returns draws one
 */
export async function framesRest(page: Page) {
  const waiting = await page.evaluateHandle(() => {
    const waiting = new Map<number, FrameRequestCallback>()
    let last = 0
    window.requestAnimationFrame = (run) => {
      waiting.set(++last, run)
      return last
    }
    window.cancelAnimationFrame = (id) => void waiting.delete(id)
    return waiting
  })
  return () =>
    waiting.evaluate((waiting) => {
      for (const [id, run] of [...waiting]) if (waiting.delete(id)) run(performance.now())
    })
}
