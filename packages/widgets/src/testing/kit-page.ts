import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { aBrowserOn, type FixtureBrowser, type OpenFixture } from './browser.ts'

const WIDE = { viewport: { width: 1200, height: 900 } }
/** The browser's own console messages for a refused call, or for a missing file. */
const NOT_THERE = /^Failed to load resource/

export interface KitPageOptions extends BrowserContextOptions {
  /** The tests of this file refuse calls, or leave files out: such console messages are expected. */
  refuses?: boolean
}

/**
 * A page of its own for every test of the file, with the kit on it; a test fails if the page logs an error.
 *
 * @param given  gets the page before each test
 * @returns gives the running test another page instead, as that of a phone
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
 * From now on frames are drawn only on request, as on a slow machine: an immediate change must not depend on one.
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
