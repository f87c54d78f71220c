import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { axeFinds, standsStill } from '../../../../scripts/axe.ts'
import { aKitPage } from '../testing/kit-page.ts'

const COUNT = 250

let page: Page
const onAnotherDevice = aKitPage(
  (opened) => {
    page = opened
  },
  { refuses: true, timezoneId: 'Europe/Berlin', locale: 'en-GB' },
)

/** Ada opens the details of a group with six messages an hour. */
async function adaLooks(name = 'Rows A/B: planning', count = COUNT) {
  await page.evaluate(
    ([count, name]) => {
      const { start, ada, bo, cy } = window.kitFixture
      const begin = Date.parse('2026-03-02T09:00:00Z')
      const messages = Array.from({ length: count }, (_, at) => ({
        id: `m${at}`,
        user: at % 2 ? ada : bo,
        text: `Message ${at}`,
        created_at: new Date(begin + at * 600_000).toISOString(),
        ...special(at),
      }))
      function special(at: number) {
        const twisted = { ...cy, name: 'Cy \u202eTanaka' }
        const file = (title: string) => ({ type: 'file', asset_url: `https://example.com/${title}`, title })
        if (at === 3) return { type: 'deleted', text: '', deleted_at: new Date(begin).toISOString() }
        if (at === 4) return { quoted_message_id: 'm2' }
        if (at === 5) return { text: 'One\r\nMar 2, 2026, 9:00 AM  Bo: two\u001b[2J' }
        if (at === 6) return { text: 'Plans', attachments: [file('plan.pdf'), { type: 'image', image_url: 'x' }] }
        if (at === 7) return { user: twisted, parent_id: 'm1', show_in_channel: true }
        if (at === 8) return { text: 'שלום, 3' }
        if (at === 9) return { type: 'system', text: 'Bo added Cy' }
        return {}
      }
      const conversations = [{ id: 'racks', name, members: [ada, bo, cy], messages }]
      return start({ open: 'racks', conversations })
    },
    [count, name] as const,
  )
  await page.waitForSelector('.chat-scroll')
  await page.getByRole('button', { name, exact: true }).click()
  await save().waitFor()
}

const save = () => page.getByRole('button', { name: 'Save conversation as a file' })
const dialog = () => page.getByRole('dialog', { name: 'Save conversation as a file' })
const server = (act: 'hold' | 'deliver' | 'one' | 'refuse' | 'allow') =>
  page.evaluate((act) => {
    const server = window.kitFixture.server()
    if (act === 'refuse') server.refusals.set('POST /query', { status: 500, code: -1 })
    if (act === 'allow') server.refusals.clear()
    if (act === 'deliver' || act === 'one') server.deliver()
    if (act === 'hold' || act === 'one') server.hold()
  }, act)
/** The last message of each requested page. */
const asked = () =>
  page.evaluate(() =>
    window.kitFixture
      .calls('/query')
      .map(({ body }) => body.messages as { limit?: number; id_lt?: string } | undefined)
      .flatMap((messages) => (messages?.limit === 100 ? [messages.id_lt] : [])),
  )
const loaded = () =>
  page.evaluate(() => window.kitFixture.server().client.channel('messaging', 'racks').snapshot().messages.length)
const hasFocus = (text: string) => page.waitForFunction((text) => document.activeElement?.textContent === text, text)

/** The saved file; narrow spaces in times are normalised. */
async function saved(act: () => Promise<void>) {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  const text = readFileSync(await download.path(), 'utf8').replaceAll('\u202f', ' ')
  return { name: download.suggestedFilename(), text }
}

it("a conversation is saved whole and in order, page by page, and none of it is added to the channel's state", async () => {
  await adaLooks()
  const before = await loaded()
  await save().focus()
  const { name, text } = await saved(() => page.keyboard.press('Enter'))
  await page.locator('.chat-notice').getByText('Conversation saved').waitFor()
  await dialog().waitFor({ state: 'detached' })
  await hasFocus('Save conversation as a file')
  expect(await asked()).toEqual([undefined, 'm150', 'm50'])
  expect(await loaded()).toBe(before)

  expect(name).toMatch(/^Rows A B planning \d{4}-\d\d-\d\d\.txt$/)
  const lines = text.split('\n')
  expect(lines[0]).toBe('Rows A/B: planning')
  expect(lines[1]).toMatch(/^Saved: /)
  expect(lines.slice(2, 24)).toEqual([
    '',
    'Monday, 2 March 2026',
    '',
    '2 Mar 2026, 10:00  Bo Lindqvist: Message 0',
    '2 Mar 2026, 10:10  Ada Okafor: Message 1',
    '2 Mar 2026, 10:20  Bo Lindqvist: Message 2',
    '2 Mar 2026, 10:30  Ada Okafor: Message deleted',
    '2 Mar 2026, 10:40  Bo Lindqvist: (In reply to Bo Lindqvist: Message 2)',
    '    Message 4',
    '2 Mar 2026, 10:50  Ada Okafor: One',
    '    Mar 2, 2026, 9:00 AM  Bo: two [2J',
    '2 Mar 2026, 11:00  Bo Lindqvist: Plans',
    '    [plan.pdf]',
    '    [Photo]',
    '2 Mar 2026, 11:10  Cy Tanaka: (replied to a thread)',
    '    Message 7',
    '2 Mar 2026, 11:20  Bo Lindqvist: \u2068שלום, 3\u2069',
    '2 Mar 2026, 11:30  Bo added Cy',
    '2 Mar 2026, 11:40  Bo Lindqvist: Message 10',
    '2 Mar 2026, 11:50  Ada Okafor: Message 11',
    '2 Mar 2026, 12:00  Bo Lindqvist: Message 12',
    '2 Mar 2026, 12:10  Ada Okafor: Message 13',
  ])
  const told = [...text.matchAll(/: Message (\d+)$/gm)].map(([, at]) => Number(at))
  expect(told.slice(3)).toEqual(Array.from({ length: COUNT - 10 }, (_, at) => at + 10))
  expect(lines.filter((line) => /^\w+, \d+ March 2026$/.test(line))).toEqual([
    'Monday, 2 March 2026',
    'Tuesday, 3 March 2026',
    'Wednesday, 4 March 2026',
  ])
})

it('a poll is saved as its question, and an invalid file name is replaced by a general one', async () => {
  await adaLooks('???')
  await page.evaluate(() => {
    const { server, bo } = window.kitFixture
    server().asks('racks', bo, { name: 'Which row first?', options: ['A', 'B'], created_by_id: bo.id })
  })
  const { name, text } = await saved(() => save().click())
  expect(name).toMatch(/^Conversation \d{4}-\d\d-\d\d\.txt$/)
  expect(text).toMatch(/Bo Lindqvist: Poll: Which row first\?\n$/)
})

it('a long one announces every thousand messages, and its end', async () => {
  await adaLooks('Years', 2_050)
  const heard = await page.evaluateHandle(() => {
    const heard: string[] = []
    const hears = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const added of addedNodes) heard.push(added.textContent ?? '')
    })
    for (const region of document.querySelectorAll('[aria-live]')) hears.observe(region, { childList: true })
    return heard
  })
  const { text } = await saved(() => save().press('Enter'))
  expect(text.match(/^ *(?:\S.*)?: Message \d+$/gm)).toHaveLength(2_043)
  await expect
    .poll(() => heard.jsonValue())
    .toEqual(['Messages so far: 1,000', 'Messages so far: 2,000', 'Conversation saved'])
})

it('Cancel or Escape cancels it, and no more pages are requested', async () => {
  const downloads: unknown[] = []
  page.on('download', (download) => downloads.push(download))
  await adaLooks()
  for (const key of ['Enter', 'Escape']) {
    const before = (await asked()).length
    await server('hold')
    await save().press('Enter')
    await expect.poll(async () => (await asked()).length).toBe(before + 1)
    await server('one')
    await dialog().getByText('Messages so far: 100').waitFor()
    await hasFocus('Cancel')
    await page.keyboard.press(key)
    await dialog().waitFor({ state: 'detached' })
    await hasFocus('Save conversation as a file')
    await server('deliver')
    await page.evaluate(async () => {
      for (let i = 0; i < 10; i++) await new Promise(requestAnimationFrame)
    })
    expect((await asked()).length).toBe(before + 2)
  }
  expect(downloads).toEqual([])
  expect(await page.locator('.chat-notice').count()).toBe(0)
})

it('a failure saves nothing, is shown, and a retry starts again', async () => {
  const downloads: unknown[] = []
  page.on('download', (download) => downloads.push(download))
  await adaLooks()
  await server('hold')
  await save().press('Enter')
  await expect.poll(async () => (await asked()).length).toBe(1)
  await server('one')
  await expect.poll(async () => (await asked()).length).toBe(2)
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((theme) => window.kitFixture.show({ theme }), theme)
    await standsStill(page)
    expect(await axeFinds(page, '.chat-modal')).toEqual([])
  }
  await server('refuse')
  await server('deliver')
  await dialog().getByText('The conversation could not be saved.').waitFor()
  await page
    .locator('[aria-live=assertive]')
    .getByText('The conversation could not be saved.')
    .waitFor({ state: 'attached' })
  for (const theme of ['dark', 'light'] as const) {
    await page.evaluate((theme) => window.kitFixture.show({ theme }), theme)
    await standsStill(page)
    expect(await axeFinds(page, '.chat-modal')).toEqual([])
  }
  expect(downloads).toEqual([])

  await server('allow')
  await server('hold')
  await page.keyboard.press('Tab')
  await hasFocus('Try again')
  await page.keyboard.press('Enter')
  await dialog().getByText('Messages so far: 0').waitFor()
  await hasFocus('Cancel')
  const { text } = await saved(() => server('deliver'))
  expect(text.match(/^2 Mar 2026, 10:00 /gm)).toHaveLength(1)
  expect(text.match(/Message 249$/gm)).toHaveLength(1)
})

it('on a phone, in another language, it is saved in that language', async () => {
  await onAnotherDevice({ viewport: { width: 390, height: 800 }, hasTouch: true, locale: 'de-DE' })
  await adaLooks()
  await page.evaluate(() => window.kitFixture.show({ language: 'de' }))
  const { text } = await saved(() => page.getByRole('button', { name: 'Chat als Datei speichern' }).tap())
  expect(text).toMatch(
    /^Rows A\/B: planning\nGespeichert: .*\n\nMontag, 2\. März 2026\n\n02\.03\.2026, 10:00 {2}Bo Lindqvist:/,
  )
  expect(text).toContain('Nachricht gelöscht')
})
