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
