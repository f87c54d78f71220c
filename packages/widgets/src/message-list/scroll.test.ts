import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aBrowserOn, type FixtureBrowser } from '../testing/browser.ts'
import type {} from '../testing/scroll-fixture.tsx'

/** What may remain after rounding to whole device pixels. */
const STILL_PX = 1
/** The list renders all rows up to a limit; these counts are clearly on either side. */
const SIZES = { 'sixty rows': 60, 'five thousand rows': 5_000 }

const CHANGES = {
  'older rows arrive': 'prepend',
  'new rows arrive': 'append',
  'rows arrive at both ends in one commit': 'both',
  'the row above is edited and grows': 'grow',
  'the row above is edited and shrinks': 'shrink',
  'the row above is deleted': 'remove',
  'the row above gets a reaction': 'react',
  'a separator is drawn above the row above': 'separate',
  'a late image opens in the row above': 'late',
  'a read receipt appears under the newest row': 'receipt',
  'a banner appears over the list': 'banner',
  'the composer grows': 'composer',
  'the window gets narrower': 'narrow',
}

let browser: FixtureBrowser
let page: Page
let problems: () => readonly string[]

beforeAll(async () => {
  browser = await aBrowserOn('scroll-fixture.html')
  const opened = await browser.open({ viewport: { width: 480, height: 640 } })
  page = opened.page
  problems = opened.problems
})
afterAll(() => browser.close())
beforeEach(() => expect(problems()).toEqual([]))

/** A list with the reader `px` above its end. */
async function reading(count: number, px: number) {
  await page.evaluate((count) => window.fixture.open(count), count)
  await scrollBy(-px)
}

async function scrollBy(px: number) {
  await page.evaluate(async (px) => {
    window.fixture.scrollBy(px)
    await window.fixture.painted()
    await window.fixture.painted()
  }, px)
}

/** Watches the first row fully in view during a change, to the row above it if to one. */
function watch(change: string) {
  return page.evaluate((change) => {
    const { above, reading } = window.fixture.readingRow()
    return window.fixture.watch(reading, () => window.fixture.changes[change]!(above))
  }, change)
}

describe.each(Object.entries(SIZES))('in a list of %s', (_, count) => {
  it.each(Object.entries(CHANGES))('a reader is not moved in any frame when %s', async (_, change) => {
    await reading(count, 1_234)
    const { before, frames } = await watch(change)
    const errors = frames.map((frame) => Math.abs(frame.top! - before.top!))
    expect(Math.max(...errors)).toBeLessThanOrEqual(STILL_PX)
  })

  it.each(Object.entries(CHANGES))('the end stays in view in every frame when %s', async (_, change) => {
    await reading(count, 0)
    const { frames } = await watch(change)
    expect(Math.max(...frames.map((frame) => Math.abs(frame.toEnd)))).toBeLessThanOrEqual(STILL_PX)
  })

  it('many changes in a row do not add up', async () => {
    await reading(count, 1_234)
    const worst = await page.evaluate(async () => {
      const { above, reading } = window.fixture.readingRow()
      const errors: number[] = []
      let start: number | undefined
      for (const change of ['prepend', 'late', 'append', 'react', 'prepend', 'grow', 'both', 'separate', 'banner']) {
        const { before, frames } = await window.fixture.watch(reading, () => window.fixture.changes[change]!(above))
        start ??= before.top!
        errors.push(...frames.map((frame) => Math.abs(frame.top! - start!)))
      }
      return Math.max(...errors)
    })
    expect(worst).toBeLessThanOrEqual(STILL_PX)
  })

  it('when the anchor row is deleted, its neighbour becomes the anchor', async () => {
    await reading(count, 1_234)
    const worst = await page.evaluate(async () => {
      const { reading, below } = window.fixture.readingRow()
      const { before, frames } = await window.fixture.watch(below, () => window.fixture.changes.remove!(reading))
      return Math.max(...frames.map((frame) => Math.abs(frame.top! - before.top!)))
    })
    expect(worst).toBeLessThanOrEqual(STILL_PX)
  })

  it('the exact former position is restored', async () => {
    await reading(count, 2_000)
    const [left, found] = await page.evaluate(async (count) => {
      const left = window.fixture.position()
      window.fixture.open(count, { opening: left })
      await window.fixture.painted()
      return [left, window.fixture.position()]
    }, count)
    expect(found).toMatchObject({ key: (left as { key: string }).key })
    expect(Math.abs((found as { offset: number }).offset - (left as { offset: number }).offset)).toBeLessThanOrEqual(
      STILL_PX,
    )
  })

  it('a list opens with the target row at one fifth of the viewport', async () => {
    const offset = await page.evaluate(async (count) => {
      window.fixture.open(count, { opening: { at: 'shown', key: `r${count - 30}`, place: 'fifth' } })
      const { frames } = await window.fixture.watch(`r${count - 30}`, () => {})
      const top = window.fixture.scroller().getBoundingClientRect().top
      return { painted: frames.map((frame) => frame.top! - top), height: window.fixture.scroller().clientHeight }
    }, count)
    for (const painted of offset.painted) expect(Math.abs(painted - offset.height / 5)).toBeLessThanOrEqual(STILL_PX)
  })

  it('a list opens at its end when all rows below the target fit on the screen', async () => {
    const pinned = await page.evaluate(async (count) => {
      window.fixture.open(count, { opening: { at: 'shown', key: `r${count - 2}`, place: 'fifth' } })
      await window.fixture.watch(`r${count - 2}`, () => {})
      return window.fixture.toEnd()
    }, count)
    expect(pinned).toBeLessThanOrEqual(STILL_PX)
  })

  it('the target of a jump stays in the middle while its neighbours grow', async () => {
    await reading(count, 0)
    const key = `r${Math.floor(count / 2)}`
    const offCentre = await page.evaluate(async (key) => {
      window.fixture.goTo({ at: 'shown', key, place: 'centre' })
      await window.fixture.painted()
      const [above] = window.fixture.inView()
      await window.fixture.watch(key, () => window.fixture.changes.grow!(above!))
      const row = window.fixture.scroller().querySelector(`[data-key="${key}"]`)!.getBoundingClientRect()
      const box = window.fixture.scroller().getBoundingClientRect()
      return (row.top + row.bottom) / 2 - (box.top + box.bottom) / 2
    }, key)
    expect(Math.abs(offCentre)).toBeLessThanOrEqual(STILL_PX)
  })

  it('the row with the focus stays in the document however far the reader scrolls', async () => {
    await reading(count, 0)
    const focused = await page.evaluate(async () => {
      const key = window.fixture.inView().at(-1)!
      window.fixture.focus(key)
      await window.fixture.painted()
      window.fixture.scrollBy(-3_000)
      await window.fixture.painted()
      window.fixture.scrollBy(-3_000)
      await window.fixture.painted()
      return [document.activeElement?.getAttribute('data-key'), key]
    })
    expect(focused[0]).toBe(focused[1])
  })
})

describe('a list inside a moving element', () => {
  it('a page that slides with the list in it does not scroll the list', async () => {
    await reading(60, 1_234)
    const offsets = await page.evaluate(async () => {
      const { readingRow, offsetOf, changes, painted } = window.fixture
      const { above, reading } = readingRow()
      const before = offsetOf(reading)
      document.getElementById('root')!.style.translate = '0 120px'
      changes.react!(above)
      await painted()
      const after = offsetOf(reading)
      document.getElementById('root')!.style.translate = ''
      return [before, after]
    })
    expect(Math.abs(offsets[0]! - offsets[1]!)).toBeLessThanOrEqual(STILL_PX)
  })

  it('a panel that opens with a zoom is at its end when it is open', async () => {
    const toEnd = await page.evaluate(async () => {
      const root = document.getElementById('root')!
      root.style.scale = '0.8'
      window.fixture.open(60)
      await window.fixture.painted()
      root.style.scale = ''
      await window.fixture.painted()
      return window.fixture.toEnd()
    })
    expect(toEnd).toBeLessThanOrEqual(STILL_PX)
  })
})

describe('following the end', () => {
  it('a reader who scrolled by less than a line still follows', async () => {
    await reading(60, 50)
    const { frames } = await watch('append')
    expect(frames.at(-1)!.toEnd).toBeLessThanOrEqual(STILL_PX)
  })

  it('going to the end from far away arrives there and follows from then on', async () => {
    await reading(5_000, 40_000)
    const { frames } = await page.evaluate(() =>
      window.fixture.watch('r0', () => {
        window.fixture.goTo({ at: 'end' })
        window.fixture.changes.append!('')
      }),
    )
    expect(frames.at(-1)!.toEnd).toBeLessThanOrEqual(STILL_PX)
    expect(await page.evaluate(() => window.fixture.pinned())).toBe(true)
  })

  it('the end of the loaded rows is not the end while newer rows are not loaded', async () => {
    await page.evaluate(() => window.fixture.open(60, { edges: { older: false, newer: true } }))
    await scrollBy(-300)
    await scrollBy(1_000)
    const { before, frames } = await watch('append')
    expect(await page.evaluate(() => window.fixture.pinned())).toBe(false)
    for (const frame of frames) expect(Math.abs(frame.top! - before.top!)).toBeLessThanOrEqual(STILL_PX)
  })

  it('a jump to the end waits until the newest rows are loaded', async () => {
    await page.evaluate(() => window.fixture.open(60, { edges: { older: false, newer: true } }))
    await scrollBy(-900)
    const { frames } = await page.evaluate(async () => {
      window.fixture.goTo({ at: 'end' })
      await window.fixture.painted()
      return window.fixture.watch('r0', () => {
        window.fixture.setPane({ edges: { older: false, newer: false } })
        window.fixture.changes.append!('')
      })
    })
    expect(frames.at(-1)!.toEnd).toBeLessThanOrEqual(STILL_PX)
  })
})

describe('loading pages', () => {
  const older = { older: true, newer: false }

  it('a list that opens at its end requests nothing before the reader scrolls', async () => {
    await page.evaluate((edges) => window.fixture.open(60, { edges, from: 1_000 }), older)
    await scrollBy(0)
    expect(await page.evaluate(() => window.fixture.asked())).toEqual([])
  })

  it('near the first row one older page is requested, and the next only after another scroll', async () => {
    await page.evaluate((edges) => window.fixture.open(60, { edges, from: 1_000 }), older)
    await page.evaluate(() => window.fixture.scroller().scrollTo(0, 300))
    await scrollBy(-50)
    expect(await page.evaluate(() => window.fixture.asked())).toEqual(['older'])

    await page.evaluate(async () => {
      window.fixture.answer(5)
      for (let i = 0; i < 4; i++) await window.fixture.painted()
    })
    expect(await page.evaluate(() => window.fixture.asked())).toEqual(['older'])

    await scrollBy(-30)
    expect(await page.evaluate(() => window.fixture.asked())).toEqual(['older', 'older'])
  })

  it('a page that arrives while the reader waits at the very top moves nothing', async () => {
    await page.evaluate((edges) => window.fixture.open(60, { edges, from: 1_000 }), older)
    await scrollBy(-100_000)
    const { before, frames } = await page.evaluate(() =>
      window.fixture.watch(window.fixture.inView()[1]!, () => window.fixture.answer(25)),
    )
    for (const frame of frames) expect(Math.abs(frame.top! - before.top!)).toBeLessThanOrEqual(STILL_PX)
  })

  it('newer pages after a jump are not loaded through to the end without scrolling', async () => {
    await page.evaluate(() =>
      window.fixture.open(60, {
        edges: { older: true, newer: true },
        from: 1_000,
        opening: { at: 'shown', key: 'r1030', place: 'centre' },
      }),
    )
    await scrollBy(100_000)
    const watched = await page.evaluate(async () => {
      const row = window.fixture.inView().at(-2)!
      const seen = await window.fixture.watch(row, () => window.fixture.answer(25))
      return { ...seen, asked: window.fixture.asked() }
    })
    expect(watched.asked).toEqual(['newer'])
    for (const frame of watched.frames) expect(Math.abs(frame.top! - watched.before.top!)).toBeLessThanOrEqual(STILL_PX)
  })

  it('a list shorter than two viewports is filled without scrolling', async () => {
    await page.evaluate((edges) => window.fixture.open(5, { edges, from: 1_000 }), older)
    await page.waitForFunction(() => window.fixture.asked().length === 1)
    await page.evaluate(() => window.fixture.answer(5))
    await page.waitForFunction(() => window.fixture.asked().length === 2)
  })
})

describe('windowing', () => {
  it('of five thousand rows only those near the viewport are in the document', async () => {
    await reading(5_000, 10_000)
    expect(await page.evaluate(() => window.fixture.rendered().length)).toBeLessThan(80)
  })

  it('the row being read stays the same element when the list becomes windowed', async () => {
    await reading(140, 1_234)
    const kept = await page.evaluate(async () => {
      const { readingRow, changes, painted, rendered, scroller } = window.fixture
      const { reading } = readingRow()
      const row = scroller().querySelector(`[data-key="${reading}"]`)
      changes.prepend!('')
      await painted()
      return { same: row === scroller().querySelector(`[data-key="${reading}"]`), count: rendered().length }
    })
    expect(kept.same).toBe(true)
    expect(kept.count).toBeLessThan(80)
  })

  it('a row that is not in the document can be focused', async () => {
    await reading(5_000, 0)
    await page.evaluate(() => window.fixture.focus('r20'))
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-key') === 'r20')
    expect(await page.evaluate(() => window.fixture.inView())).toContain('r20')
  })

  it('a reader who drags the scrollbar anywhere sees rows in every frame', async () => {
    await reading(5_000, 0)
    const blanks = await page.evaluate(async () => {
      let blank = 0
      for (const part of [0.5, 0.1, 0.9, 0.3, 0.7, 0, 1]) {
        window.fixture.scroller().scrollTop = window.fixture.scroller().scrollHeight * part
        for (let frame = 0; frame < 3; frame++) {
          await window.fixture.painted()
          if (!window.fixture.filled()) blank++
        }
      }
      return blank
    })
    expect(blanks).toBe(0)
  })
})

describe('a finger on the list', () => {
  it('nothing scrolls by itself until the finger and its momentum rest, and nothing jumps then', async () => {
    await reading(60, 1_234)
    const seen = await page.evaluate(async () => {
      const { scroller, readingRow, watch, changes, painted } = window.fixture
      const finger = new Touch({ identifier: 1, target: scroller() })
      const touch = (type: string, touches: Touch[]) =>
        scroller().dispatchEvent(new TouchEvent(type, { touches, bubbles: true }))
      const watched = readingRow().reading
      const top = scroller().scrollTop
      touch('touchstart', [finger])
      const during = await watch(watched, () => changes.prepend!(''))
      const whileHeld = scroller().scrollTop - top
      touch('touchend', [])
      const before = during.before.top!
      while (scroller().scrollTop === top) await painted()
      const after = await watch(watched, () => {})
      const tops = [...during.frames, ...after.frames].map((frame) => Math.abs(frame.top! - before))
      return {
        whileHeld,
        worst: Math.max(...tops),
        translate: document.querySelector<HTMLElement>('.chat-scroll-content')!.style.translate,
      }
    })
    expect(seen.whileHeld).toBe(0)
    expect(seen.worst).toBeLessThanOrEqual(STILL_PX)
    expect(seen.translate).toBe('')
  })

  it('a correction that waited for the finger is dropped when the reader has scrolled away', async () => {
    await reading(60, 1_234)
    const toEnd = await page.evaluate(async () => {
      const { scroller, changes, painted, goTo } = window.fixture
      const finger = new Touch({ identifier: 1, target: scroller() })
      const touch = (type: string, touches: Touch[]) =>
        scroller().dispatchEvent(new TouchEvent(type, { touches, bubbles: true }))
      touch('touchstart', [finger])
      changes.prepend!('')
      await painted()
      goTo({ at: 'end' })
      await painted()
      touch('touchend', [])
      const frames: number[] = []
      const until = performance.now() + 400
      while (performance.now() < until) {
        await painted()
        frames.push(window.fixture.toEnd())
      }
      return Math.max(...frames)
    })
    expect(toEnd).toBeLessThanOrEqual(STILL_PX)
  })
})
