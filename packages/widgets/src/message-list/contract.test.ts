/** The scroll contract with real messages, in a channel of 100,000 [interface.md 6.2]. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBrowserOn, type FixtureBrowser } from '../testing/browser.ts'
import type {} from '../testing/chat-fixture.tsx'
import type { Frame } from '../testing/frames.ts'

/** What may remain after rounding to whole device pixels. */
const STILL_PX = 1
const HISTORY = 100_000
const VIEWPORT = { width: 700, height: 720 }
const PICTURE = Buffer.from(
  'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', // one transparent pixel
  'base64',
)

let browser: FixtureBrowser
let page: Page
let problems: () => readonly string[]
/** Images whose requests are held back. */
let pictures: (() => Promise<void>)[] = []

beforeAll(async () => {
  browser = await aBrowserOn('chat-fixture.html')
  const opened = await browser.open({ viewport: VIEWPORT })
  page = opened.page
  problems = opened.problems
  await page.route('https://pictures.example/**', (route) => {
    const give = () => route.fulfill({ contentType: 'image/gif', body: PICTURE }).catch(() => {})
    pictures.push(give)
  })
}, 120_000)
afterAll(() => browser.close())
beforeEach(() => {
  expect(problems()).toEqual([])
  pictures = []
})

/** Ada opens a channel of 100,000 messages m0 … m99999; every seventh has a picture of unknown size. */
async function adaOpens() {
  await page.setViewportSize(VIEWPORT)
  await page.evaluate(async (count) => {
    document.documentElement.style.fontSize = ''
    const group = window.chatFixture.theLunchGroup(count)
    for (const [at, message] of group.messages.entries())
      if (at % 7 === 0)
        message.attachments = [
          { type: 'image', image_url: `https://pictures.example/${at}.gif?${performance.now()}`, fallback: 'a rack' },
        ]
    await window.chatFixture.open(group)
  }, HISTORY)
  await page.waitForSelector(`[data-key="m${HISTORY - 1}"]`)
  await frames(3)
}

/** … and reads in the middle of it, with pages loaded on both sides. */
async function adaReads() {
  await adaOpens()
  await page.evaluate(async () => {
    const channel = window.chatFixture.channel()
    await channel.jumpTo('m50000')
    for (let n = 0; n < 4; n++) await channel.loadOlder()
    for (let n = 0; n < 4; n++) await channel.loadNewer()
  })
  await frames(4)
  await page.evaluate(() => {
    const { scroller } = window.chatFixture
    return window.chatFixture.scrollBy(scroller().scrollHeight / 2 - scroller().scrollTop)
  })
  await frames(2)
}

const frames = (count: number) =>
  page.evaluate(async (count) => {
    for (let i = 0; i < count; i++) await window.chatFixture.painted()
  }, count)
const loaded = () =>
  page.evaluate(() =>
    window.chatFixture
      .channel()
      .snapshot()
      .sets.reduce((count, { messages }) => count + messages.length, 0),
  )

/** The changes that may happen while the user reads; `row` is above the one being read. */
const CHANGES: Record<string, (row: string) => Promise<unknown>> = {
  'the message above is edited and grows': (row) =>
    page.evaluate((row) => window.chatFixture.server().edits(row, { text: 'another line\n\n'.repeat(9) }), row),
  'a link preview arrives for the message above': (row) =>
    page.evaluate((row) => {
      const card = { type: 'link', og_scrape_url: 'https://example.com/', title: 'Racks', text: 'All about racks' }
      window.chatFixture.server().edits(row, { attachments: [{ ...card, title_link: card.og_scrape_url }] })
    }, row),
  'the message above gets a reaction': (row) =>
    page.evaluate((row) => window.chatFixture.server().reacts(row, window.chatFixture.bo, 'like'), row),
  'the message above is deleted': (row) =>
    page.evaluate((row) => window.chatFixture.server().deletes(row, { hard: false }), row),
  'the message above is deleted for good': (row) =>
    page.evaluate((row) => window.chatFixture.server().deletes(row, { hard: true }), row),
  'pictures arrive late': async () => {
    await expect.poll(() => pictures.length).toBeGreaterThan(0)
    for (const give of pictures.splice(0)) await give()
  },
  'an older page arrives': () => page.evaluate(() => window.chatFixture.channel().loadOlder()),
  'a newer page arrives': () => page.evaluate(() => window.chatFixture.channel().loadNewer()),
  'pages arrive on both sides': () =>
    page.evaluate(() => {
      const channel = window.chatFixture.channel()
      return Promise.all([channel.loadOlder(), channel.loadNewer()])
    }),
  'somebody writes': () =>
    page.evaluate(() => void window.chatFixture.says(window.chatFixture.bo, 'One more thing'.repeat(40))),
  'somebody asks in a poll': () =>
    page.evaluate(() => {
      const poll = { name: 'Lunch?', options: ['Pho', 'Pizza', 'Salad'], created_by_id: 'bo' }
      window.chatFixture.server().asks('racks', window.chatFixture.bo, poll)
    }),
  'somebody types': () => page.evaluate(() => window.chatFixture.server().types('racks', window.chatFixture.bo)),
  'somebody reads': () => page.evaluate(() => window.chatFixture.server().reads('racks', window.chatFixture.bo)),
  'the box one writes in grows': () => page.evaluate(() => window.chatFixture.show({ composer: 190 })),
  'a pane opens beside the list': () => page.evaluate(() => window.chatFixture.show({ beside: 300 })),
  'the theme changes': () => page.evaluate(() => window.chatFixture.show({ theme: 'dark' })),
  'the language changes': () => page.evaluate(() => window.chatFixture.show({ language: 'ja' })),
  'the text is made larger': () =>
    page.evaluate(() => {
      document.documentElement.style.fontSize = '150%'
    }),
  'the keyboard of a phone opens': () => page.setViewportSize({ width: VIEWPORT.width, height: 380 }),
  'the phone is turned': () => page.setViewportSize({ width: 380, height: 700 }),
}

async function watched(row: string, change: () => Promise<unknown>): Promise<Frame[]> {
  await page.evaluate((row) => window.chatFixture.startWatch(row), row)
  await frames(2)
  await change()
  await frames(8)
  return page.evaluate(() => window.chatFixture.endWatch())
}

describe('a user who reads in the middle of 100,000 messages', () => {
  it.each(Object.entries(CHANGES))('is not moved in any frame when %s', async (_, change) => {
    await adaReads()
    const { above, reading } = await page.evaluate(() => window.chatFixture.readingRow())
    const seen = await watched(reading, () => change(above))
    const before = seen[0]!.top!
    expect(Math.max(...seen.map(({ top }) => Math.abs(top! - before)))).toBeLessThanOrEqual(STILL_PX)
    expect(await page.evaluate(() => window.chatFixture.toEnd())).toBeGreaterThan(1_000)
  })
})

describe('a user at the end of 100,000 messages', () => {
  it.each(Object.entries(CHANGES))('sees the end in every frame when %s', async (_, change) => {
    await adaOpens()
    const rows = await page.evaluate(() => window.chatFixture.rows())
    const seen = await watched(rows.at(-1)!, () => change(rows.at(-3)!))
    expect(Math.max(...seen.map(({ toEnd }) => Math.abs(toEnd)))).toBeLessThanOrEqual(STILL_PX)
  })
})

describe('scrolling a long way', () => {
  it('keeps at most 1,000 messages, never moves the reading position, and returns to the newest', async () => {
    await adaOpens()
    await page.evaluate(async () => {
      for (let n = 0; n < 34; n++) await window.chatFixture.channel().loadOlder()
    })
    const up = await walk(-1, 10)
    expect(up.worst).toBeLessThanOrEqual(STILL_PX)
    expect(up.most).toBeGreaterThan(900)
    expect(up.most).toBeLessThanOrEqual(1_000)
    expect(await page.evaluate(() => document.querySelectorAll('.chat-messages *').length)).toBeLessThan(2_500)

    const down = await walk(1, 20)
    expect(down.worst).toBeLessThanOrEqual(STILL_PX)
    expect(down.most).toBeLessThanOrEqual(1_000)
    expect(down.arrived).toBe(true)
    await page.evaluate(() => window.chatFixture.scrollBy(1_000_000))
    await page.evaluate(() => void window.chatFixture.says(window.chatFixture.bo, 'Still here?'))
    await page.getByText('Still here?').waitFor()
    expect(await page.evaluate(() => window.chatFixture.toEnd())).toBeLessThanOrEqual(STILL_PX)
  }, 240_000)
})

/** Loads pages by scrolling to the edge; the reading position must not move while one arrives. */
async function walk(direction: -1 | 1, pages: number) {
  let worst = 0
  let most = 0
  for (let turned = 0; turned < pages; turned++) {
    const asked = await page.evaluate(() => window.chatFixture.calls('/query').length)
    await page.evaluate(async (direction) => {
      const { scroller, scrollBy } = window.chatFixture
      const { scrollTop, scrollHeight, clientHeight } = scroller()
      const toEdge = direction < 0 ? scrollTop : scrollHeight - clientHeight - scrollTop
      window.chatFixture.server().hold()
      await scrollBy(direction * Math.max(toEdge - 400, 0))
      await scrollBy(direction * 30)
    }, direction)
    const row = await page.evaluate(() => window.chatFixture.readingRow().reading)
    const seen = await watched(row, () => page.evaluate(() => window.chatFixture.server().deliver()))
    const tops = seen.map(({ top }) => Math.abs(top! - seen[0]!.top!))
    worst = Math.max(worst, ...tops)
    most = Math.max(most, await loaded())
    const newest = await page.evaluate(
      () =>
        window.chatFixture
          .channel()
          .snapshot()
          .sets.find((set) => set.current)!.latest,
    )
    if (direction > 0 && newest) return { worst, most, arrived: true }
    expect(await page.evaluate(() => window.chatFixture.calls('/query').length)).toBe(asked + 1)
  }
  return { worst, most, arrived: false }
}

describe('a message in use', () => {
  /** So many that the list renders only the rows near the viewport. */
  const many = () =>
    page.evaluate(async () => {
      for (let n = 0; n < 6; n++) await window.chatFixture.channel().loadOlder()
    })
  const pour = (count: number) =>
    page.evaluate(async (count) => {
      for (let n = 0; n < count; n++) window.chatFixture.says(window.chatFixture.bo, `and ${n}`)
      for (let n = 0; n < 4; n++) await window.chatFixture.painted()
    }, count)

  it('keeps its open menu and the focus in it while new messages arrive at the end', async () => {
    await adaOpens()
    await many()
    const row = await page.evaluate(() => window.chatFixture.rows().at(-2)!)
    await page.focus(`[data-key="${row}"]`)
    await page.keyboard.press('Enter')
    await page.locator(`[data-key="${row}"]`).getByRole('button', { name: 'More actions' }).press('Enter')
    await page.getByRole('menu').waitFor()
    await pour(80)
    expect(await page.evaluate((row) => window.chatFixture.rows().includes(row), row)).toBe(true)
    expect(await page.getByRole('menu').isVisible()).toBe(true)
    expect(await page.evaluate(() => document.activeElement?.closest('[role=menu]') !== null)).toBe(true)
    await page.keyboard.press('Escape')
  })

  it('stays selected over several rows while new messages arrive, and is copied with author and time, in order', async () => {
    await adaOpens()
    await many()
    const rows = await page.evaluate(() => window.chatFixture.rows().slice(-4, -1))
    await page.evaluate((rows) => {
      const textOf = (key: string) => document.querySelector(`[data-key="${key}"] [id$="-body"]`)!
      document.getSelection()!.setBaseAndExtent(textOf(rows[0]!), 0, textOf(rows[2]!), 1)
    }, rows)
    await frames(2)
    await pour(80)
    expect(await page.evaluate((rows) => rows.every((row) => window.chatFixture.rows().includes(row)), rows)).toBe(true)
    const copied = await page.evaluate(() => {
      const data = new DataTransfer()
      const event = new ClipboardEvent('copy', { clipboardData: data, bubbles: true, cancelable: true })
      document.querySelector('.chat-scroll-row')!.dispatchEvent(event)
      return { lines: data.getData('text/plain').split('\n'), html: data.getData('text/html') }
    })
    const said = /^(You|Bo Lindqvist|Cy Tanaka), .*\d:\d\d.*: ./
    expect(copied.lines[0]).toMatch(said)
    expect(copied.lines.filter((line) => said.test(line))).toHaveLength(3)
    expect(copied.html.match(/<p>/g)).toHaveLength(3)
  })

  it('keeps its position and its element in the document while it plays', async () => {
    await adaOpens()
    await many()
    const row = await page.evaluate(async () => {
      const { rows, painted } = window.chatFixture
      const row = rows().at(-2)!
      const media = document.querySelector(`[data-key="${row}"] [id$="-body"]`)!
      media.dispatchEvent(new Event('play'))
      media.setAttribute('data-mark', 'the same')
      await painted()
      return row
    })
    await pour(80)
    const same = () => page.evaluate((row) => !!document.querySelector(`[data-key="${row}"] [data-mark]`), row)
    expect(await same()).toBe(true)
    await page.evaluate(
      (row) => document.querySelector(`[data-key="${row}"] [data-mark]`)!.dispatchEvent(new Event('pause')),
      row,
    )
    await frames(2)
    expect(await same()).toBe(false)
  })
})

describe('the thumb of the scrollbar', () => {
  it('moves by no more than the page that arrived', async () => {
    await adaReads()
    const heights = await page.evaluate(async () => {
      const { scroller, channel, painted } = window.chatFixture
      const seen: { before: number; after: number; rows: number }[] = []
      for (let n = 0; n < 6; n++) {
        const before = scroller().scrollHeight
        const rows = channel().snapshot().messages.length
        await channel().loadOlder()
        await painted()
        seen.push({ before: before / rows, after: (scroller().scrollHeight - before) / 25, rows })
      }
      return seen
    })
    // The assumed height of a page is that of the measured rows, or nearly so.
    for (const { before, after } of heights) expect(after / before).toBeLessThan(2)
  })
})

describe('a jump and the way back', () => {
  it('restore the exact former position, fifty thousand messages away', async () => {
    await adaReads()
    const { below } = await page.evaluate(() => window.chatFixture.readingRow())
    await page.evaluate((row) => window.chatFixture.server().edits(row, { quoted_message_id: 'm20' }), below)
    await frames(4)
    const { reading, top } = await page.evaluate(() => {
      const { reading } = window.chatFixture.readingRow()
      return { reading, top: window.chatFixture.topOf(reading) }
    })
    await page.locator(`[data-key="${below}"]`).getByTitle('Go to the message from').click()
    await page.waitForSelector('[data-key="m20"][data-highlighted]')
    await frames(4)
    const off = await page.evaluate(() => {
      const { topOf, height, scroller } = window.chatFixture
      const row = scroller().querySelector<HTMLElement>('[data-key="m20"]')!
      return topOf('m20') - (height() - row.offsetHeight) / 2
    })
    expect(Math.abs(off)).toBeLessThanOrEqual(STILL_PX)

    await page.getByRole('button', { name: 'Back to where you were' }).click()
    await page.waitForSelector(`[data-key="${reading}"]`)
    await frames(4)
    const back = await page.evaluate((row) => window.chatFixture.topOf(row), reading)
    expect(Math.abs(back - top)).toBeLessThanOrEqual(STILL_PX)
  })
})
