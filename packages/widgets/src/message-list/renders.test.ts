/** Which rows are rendered on a change: the changed ones, and no others [interface.md 10.3]. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aBrowserOn, type FixtureBrowser } from '../testing/browser.ts'
import type {} from '../testing/chat-fixture.tsx'
import { watchRenders } from '../testing/renders.ts'

let browser: FixtureBrowser
let page: Page

beforeAll(async () => {
  browser = await aBrowserOn('chat-fixture.html')
  page = (await browser.open({ viewport: { width: 700, height: 720 } })).page
  await page.addInitScript(watchRenders)
  await page.reload()
  await page.waitForSelector('html[data-ready]')
  await page.evaluate(() => window.chatFixture.open(window.chatFixture.theLunchGroup(140)))
  await page.evaluate(async () => {
    for (let n = 0; n < 4; n++) await window.chatFixture.channel().loadOlder()
  })
  await page.waitForSelector('[data-key="m139"]')
})
afterAll(() => browser.close())

/** The rows rendered once the page is idle again. */
async function rendered(change: () => Promise<unknown>): Promise<string[]> {
  await rest()
  await page.evaluate(() => window.rendersOfRows())
  await change()
  await rest()
  return page.evaluate(() => [...new Set(window.rendersOfRows())])
}

const rest = () =>
  page.evaluate(async () => {
    for (let i = 0; i < 8; i++) await window.chatFixture.painted()
  })

it('all rows are in the document', async () => {
  expect(await page.evaluate(() => window.chatFixture.rows().length)).toBeGreaterThan(100)
  const all = await rendered(() => page.evaluate(() => window.chatFixture.show({ language: 'de' })))
  expect(all.length).toBeGreaterThan(100)
})

it('a new message renders its own row, and the one before it', async () => {
  const says = () => page.evaluate(() => void window.chatFixture.says(window.chatFixture.bo, 'One more'))
  // The first one moves the avatar of its author down to it, from the former row.
  await says()
  await rest()
  const before = await page.evaluate(() => window.chatFixture.rows().at(-1)!)
  const rows = await rendered(says)
  const newest = await page.evaluate(() => window.chatFixture.rows().at(-1)!)
  expect(rows).toEqual([before, newest])
})

it('a reaction, an edit and a deletion render one row each', async () => {
  const [first, second, third] = await page.evaluate(() => window.chatFixture.rows().slice(-9, -6))
  const reaction = () =>
    page.evaluate((row) => window.chatFixture.server().reacts(row, window.chatFixture.bo, 'like'), first!)
  expect(await rendered(reaction)).toEqual([first])
  const edit = () => page.evaluate((row) => window.chatFixture.server().edits(row, { text: 'Other words' }), second!)
  expect(await rendered(edit)).toEqual([second])
  const deletion = () => page.evaluate((row) => window.chatFixture.server().deletes(row, { hard: false }), third!)
  expect(await rendered(deletion)).toEqual([third])
})

it('typing users, a key in the box, and the theme render no row', async () => {
  expect(
    await rendered(() => page.evaluate(() => window.chatFixture.server().types('racks', window.chatFixture.bo))),
  ).toEqual([])
  expect(await rendered(() => page.getByLabel('Message').fill('Half a sentence'))).toEqual([])
  expect(await rendered(() => page.evaluate(() => window.chatFixture.show({ theme: 'dark' })))).toEqual([])
})
