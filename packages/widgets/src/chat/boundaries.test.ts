import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { aBrowserOn, type FixtureBrowser } from '../testing/browser.ts'

let browser: FixtureBrowser
let page: Page
let problems: () => readonly string[]
let leave: () => Promise<void>
beforeAll(async () => {
  browser = await aBrowserOn('kit-fixture.html')
}, 120_000)
afterAll(() => browser.close())
beforeEach(async () => {
  ;({ page, problems, leave } = await browser.open({ viewport: { width: 1200, height: 900 } }))
})
afterEach(() => leave())

/** Fields that no server sends, and that no component can draw. */
const garbled = { reply_count: 1, thread_participants: { length: 1 } }

const retry = () => page.getByRole('button', { name: 'Try again' })

it('a message that cannot be drawn leaves the others, and is drawn once it can be', async () => {
  await page.evaluate(() => window.kitFixture.start({ open: 'bo' }))
  await page.getByRole('feed').waitFor()
  const id = await page.evaluate((garbled) => {
    const { bo } = window.kitFixture
    const server = window.kitFixture.server()
    const id = server.says('bo', bo, 'Garbled', garbled)
    server.says('bo', bo, 'And well again')
    return id
  }, garbled)
  await page.getByText('This message could not be shown.').waitFor()
  await page.getByRole('feed').getByText('And well again').waitFor()
  expect(problems().filter((problem) => /TypeError/.test(problem)).length).toBe(1)

  await retry().click()
  await page.getByText('This message could not be shown.').waitFor()
  const healed = { reply_count: 0, thread_participants: [] }
  await page.evaluate(([id, healed]) => window.kitFixture.server().edits(id, healed), [id, healed] as const)
  await page.getByRole('feed').getByText('Garbled').waitFor()
  expect(await retry().count()).toBe(0)
})

it('a conversation that cannot be drawn leaves the others in the list', async () => {
  await page.evaluate(() => {
    const conversations = window.kitFixture.aWorkingDay()
    Object.assign(conversations.find(({ id }) => id === 'racks')!, { name: { de: 'Regale' } })
    return window.kitFixture.start({ conversations })
  })
  await page.getByText('This conversation could not be shown.').waitFor()
  await page.getByRole('button', { name: /^Bo Lindqvist, / }).waitFor()
})

it('a pane that cannot be drawn leaves the list, and another conversation opens', async () => {
  await page.evaluate(() => {
    const conversations = window.kitFixture.aWorkingDay()
    Object.assign(conversations.find(({ id }) => id === 'racks')!, { name: { de: 'Regale' } })
    return window.kitFixture.start({ conversations, open: 'racks' })
  })
  await page.getByText('Something went wrong here.').waitFor()
  expect(await page.locator('main').getByRole('button', { name: 'Try again' }).count()).toBe(1)
  await page.getByRole('button', { name: /^Bo Lindqvist, / }).click()
  await page.getByRole('textbox').waitFor()
})

it('a dialog that cannot be drawn is closed, with a notice, and the conversation stays', async () => {
  await page.evaluate(() => window.kitFixture.start({ open: 'bo', preferences: true }))
  await page.getByRole('feed').waitFor()
  // A browser that lacks what the dialog needs.
  await page.evaluate(() => Object.assign(Intl, { DisplayNames: undefined }))
  await page.getByRole('button', { name: 'Chat preferences' }).click()
  await page.getByRole('region', { name: 'Notices' }).getByText('This could not be loaded.').waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.getByRole('feed').waitFor()
})
