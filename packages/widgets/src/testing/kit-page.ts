import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { aBrowserOn, type FixtureBrowser } from './browser.ts'

/**
 * A page of its own for every test of the file, with the kit on it; a test after which the page has complained fails.
 *
 * @param given  gets the page before each test
 */
export function aKitPage(given: (page: Page) => void | Promise<void>) {
  let browser: FixtureBrowser
  let opened: Awaited<ReturnType<FixtureBrowser['open']>>
  beforeAll(async () => {
    browser = await aBrowserOn('kit-fixture.html')
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    opened = await browser.open({ viewport: { width: 1200, height: 900 } })
    await given(opened.page)
  })
  afterEach(async () => {
    expect(opened.problems()).toEqual([])
    await opened.page.context().close()
  })
}
