import { describe, expect, it } from 'vitest'
import { atOpening, type ScrollState, type Sight, type Signal, step } from './scroll-state.ts'

const SIGHT: Sight = {
  toEnd: 900,
  toStart: 5_000,
  viewport: 600,
  content: 6_500,
  edges: { older: true, newer: false },
  anchor: { key: 'm7', offset: 12 },
}
const READING: ScrollState = { ...atOpening, anchor: { at: 'row', key: 'm7', offset: 12 } }

function scrolled(sight: Partial<Sight>): Signal {
  return { type: 'scrolled', sight: { ...SIGHT, ...sight } }
}
function laidOut(sight: Partial<Sight>): Signal {
  return { type: 'laidOut', sight: { ...SIGHT, ...sight } }
}

describe('the scroll anchor', () => {
  it('64 px from the end still follow it, one more does not', () => {
    expect(step(READING, scrolled({ toEnd: 64 }))[0].anchor).toEqual({ at: 'end' })
    expect(step(READING, scrolled({ toEnd: 65 }))[0].anchor).toEqual({ at: 'row', key: 'm7', offset: 12 })
  })

  it('the end of the loaded rows does not count while newer ones are not loaded', () => {
    const edges = { older: true, newer: true }
    expect(step(READING, scrolled({ toEnd: 0, edges }))[0].anchor).toMatchObject({ at: 'row' })
    expect(step(atOpening, laidOut({ toEnd: 0, edges }))[0].anchor).toMatchObject({ at: 'row' })
  })

  it('a layout pins only if following moves nothing', () => {
    expect(step(READING, laidOut({ toEnd: 40 }))[0].anchor).toMatchObject({ at: 'row' })
    expect(step(READING, laidOut({ toEnd: 0.4 }))[0].anchor).toEqual({ at: 'end' })
  })

  it('the target of a jump is held until the reader does something', () => {
    const [shown, ...effects] = step(atOpening, { type: 'show', key: 'm3', place: 'centre' })
    expect(effects).toEqual([{ do: 'place' }, { do: 'alarm', signal: 'settled', ms: 500 }])
    expect(step(shown, laidOut({}))[0].anchor).toEqual(shown.anchor)
    expect(step(shown, { type: 'input', scrolls: false, sight: SIGHT })[0].anchor).toMatchObject({ key: 'm7' })
    expect(step(shown, { type: 'settled' })[1]).toEqual({ do: 'look' })
  })
})

describe('loading pages', () => {
  it('requests a page within one and a half viewports of the first row, once until it arrives', () => {
    const [far, ...nothing] = step(READING, scrolled({ toStart: 901 }))
    expect(nothing).toEqual([])
    const [asked, ...effects] = step(far, scrolled({ toStart: 900 }))
    expect(effects).toEqual([{ do: 'load', direction: 'older' }])
    expect(step(asked, scrolled({ toStart: 100 })).slice(1)).toEqual([])
  })

  it('the next page is requested only after the reader scrolls', () => {
    const [asked] = step(READING, scrolled({ toStart: 100 }))
    const sight = { ...SIGHT, toStart: 100 }
    const [loaded, ...effects] = step(asked, { type: 'loaded', direction: 'older', came: true, sight })
    expect(effects).toEqual([])
    expect(step(loaded, laidOut({ toStart: 100 })).slice(1)).toEqual([])
    expect(step(loaded, scrolled({ toStart: 90 }))[1]).toEqual({ do: 'load', direction: 'older' })
  })

  it('a short list is filled without scrolling, but not again after an empty page', () => {
    const short = { content: 500, toStart: 0 }
    const [asked, ...effects] = step(READING, laidOut(short))
    expect(effects).toEqual([{ do: 'load', direction: 'older' }])
    const loaded = (came: boolean) =>
      step(asked, { type: 'loaded', direction: 'older', came, sight: { ...SIGHT, ...short } }).slice(1)
    expect(loaded(true)).toEqual(effects)
    expect(loaded(false)).toEqual([])
  })

  it('turning the wheel at the very top, where nothing can scroll, requests a page too', () => {
    const input: Signal = { type: 'input', scrolls: true, sight: { ...SIGHT, toStart: 0 } }
    expect(step(READING, input)[1]).toEqual({ do: 'load', direction: 'older' })
  })

  it('a list without height requests nothing', () => {
    expect(step(READING, laidOut({ viewport: 0, content: 0, toStart: 0 })).slice(1)).toEqual([])
  })
})

describe('a finger', () => {
  it('holds corrections back until 150 ms after the last movement of its momentum', () => {
    const [held] = step(READING, { type: 'fingerDown' })
    const [coasting, alarm] = step(held, { type: 'fingerUp' })
    expect(alarm).toEqual({ do: 'alarm', signal: 'rested', ms: 150 })
    expect(step(coasting, scrolled({})).at(-1)).toEqual(alarm)
    expect(step(coasting, { type: 'rested' })).toEqual([{ ...coasting, motion: 'still' }, { do: 'release' }])
  })
})
