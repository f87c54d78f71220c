import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBrowserOn, type FixtureBrowser } from './browser.ts'

let browser: FixtureBrowser
beforeAll(async () => {
  browser = await aBrowserOn('kit-fixture.html')
}, 120_000)
afterAll(() => browser.close())

/** Everywhere a page can keep something, and what it keeps there now. */
const kept = (page: Page) =>
  page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    cookies: document.cookie,
    clipboard: (await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })).state,
    theme: matchMedia('(prefers-color-scheme: dark)').matches,
    width: innerWidth,
  }))

it('a page finds nothing of the one before it', async () => {
  const first = await browser.open()
  const fresh = await kept(first.page)
  await first.page.context().grantPermissions(['clipboard-read'])
  await first.page.emulateMedia({ colorScheme: 'dark' })
  await first.page.setViewportSize({ width: 390, height: 800 })
  await first.page.evaluate(async () => {
    localStorage.setItem('half', 'a thought')
    sessionStorage.setItem('half', 'a thought')
    // biome-ignore lint/suspicious/noDocumentCookie: the way of every browser.
    document.cookie = 'half=a thought'
    await caches.open('half')
    await new Promise((opened) => {
      indexedDB.open('half').onsuccess = opened
    })
    addEventListener('pagehide', () => localStorage.setItem('last', 'words'))
  })
  const full = await kept(first.page)
  for (const place of Object.keys(fresh) as (keyof typeof fresh)[]) expect(full[place]).not.toEqual(fresh[place])
  await first.leave()

  const second = await browser.open()
  expect(second.page.context()).toBe(first.page.context())
  expect(await kept(second.page)).toEqual(fresh)
  await second.leave()
})

it('a clock that was pretended is not left to the next page', async () => {
  const first = await browser.open()
  await first.page.clock.install({ time: 0 })
  await first.leave()
  const second = await browser.open()
  expect(await second.page.evaluate(() => Date.now())).toBeGreaterThan(1_000_000_000_000)
  await second.leave()
})
