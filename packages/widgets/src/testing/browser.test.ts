import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBrowserOn, type FixtureBrowser } from './browser.ts'

let browser: FixtureBrowser
beforeAll(async () => {
  browser = await aBrowserOn('kit-fixture.html')
}, 120_000)
afterAll(() => browser.close())

/** Every storage of a page, and its present content. */
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

it('a page finds no stored data of the one before it', async () => {
  const first = await browser.open()
  const fresh = await kept(first.page)
  await first.page.context().grantPermissions(['clipboard-read'])
  await first.page.emulateMedia({ colorScheme: 'dark' })
  await first.page.setViewportSize({ width: 390, height: 800 })
  await first.page.evaluate(async () => {
    localStorage.setItem('half', 'a thought')
    sessionStorage.setItem('half', 'a thought')
    // biome-ignore lint/suspicious/noDocumentCookie: it works in every browser.
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

it('a fake clock is not passed on to the next page', async () => {
  const first = await browser.open()
  await first.page.clock.install({ time: 0 })
  await first.leave()
  const second = await browser.open()
  expect(await second.page.evaluate(() => Date.now())).toBeGreaterThan(1_000_000_000_000)
  await second.leave()
})

it.skipIf(process.env.TEST_DAY === 'machine')(
  'tests and pages have the same day, whatever the machine’s is',
  async () => {
    const { page, leave } = await browser.open()
    const inPage = () =>
      page.evaluate(() => {
        const late = new Date()
        return { days: [Date(), late.toString(), new Date(Date.now()).toString()], is: late.constructor === Date }
      })
    const day = /^Wed Jun 10 2026 1\d:/
    for (const said of [Date(), new Date().toString(), new Date(Date.now()).toString()]) expect(said).toMatch(day)
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z')
    const { days, is } = await inPage()
    for (const said of days) expect(said).toMatch(day)
    expect(is).toBe(true)
    expect(Math.abs((await page.evaluate(() => Date.now())) - Date.now())).toBeLessThan(60_000)
    // A fake clock begins there as well, and so does a reloaded page.
    await page.clock.install()
    expect((await inPage()).days[2]).toMatch(day)
    await page.reload()
    expect((await inPage()).days[2]).toMatch(day)
    await leave()
  },
)
