import { describe, expect, it } from 'vitest'
import { RowLayout, RowSizes, type ScrollRow } from './row-layout.ts'

function rows(count: number, from = 0): ScrollRow[] {
  return Array.from({ length: count }, (_, i) => ({ key: `m${from + i}`, kind: 'text' }))
}

describe('the heights of rows', () => {
  it('an unmeasured row has the average height of its kind, and keeps it', () => {
    const sizes = new RowSizes()
    sizes.measured({ key: 'a', kind: 'text' }, 40)
    sizes.measured({ key: 'b', kind: 'text' }, 60)
    expect(sizes.of({ key: 'c', kind: 'text' })).toBe(50)
    sizes.measured({ key: 'd', kind: 'text' }, 200)
    expect(sizes.of({ key: 'c', kind: 'text' })).toBe(50)
  })

  it('start positions follow when a row in the middle is measured again', () => {
    const layout = new RowLayout(rows(1_000), new RowSizes())
    expect(layout.startOf(1_000)).toBe(72_000)
    layout.measured(10, 100)
    expect(layout.startOf(10)).toBe(720)
    expect(layout.startOf(1_000)).toBe(72_028)
    expect(layout.indexAt(720 + 99)).toBe(10)
    expect(layout.indexAt(720 + 100)).toBe(11)
  })
})

describe('the layout of the next commit', () => {
  it('keeps the heights of the last one, wherever its rows are now', () => {
    const sizes = new RowSizes()
    const before = new RowLayout(rows(100, 25), sizes)
    before.measured(0, 30)
    before.measured(99, 40)
    const after = new RowLayout([...rows(125), ...rows(3, 200)].toSpliced(50, 1), sizes, before)
    const heightOf = (key: string) => {
      const index = after.indexOf(key)!
      return after.startOf(index + 1) - after.startOf(index)
    }
    expect([heightOf('m25'), heightOf('m124')]).toEqual([30, 40])
    expect(after.indexOf('m50')).toBeUndefined()
  })
})

describe('the rows that are rendered', () => {
  it('are all of them up to 150', () => {
    const window = new RowLayout(rows(150), new RowSizes()).window({ at: 'end' }, 720, [])
    expect(window.indexes).toHaveLength(150)
    expect(window.gaps.every((gap) => gap === 0)).toBe(true)
  })

  it('reach one viewport beyond both edges, and the space of the others is reserved', () => {
    const layout = new RowLayout(rows(1_000), new RowSizes())
    const around = { at: 'row', key: 'm500', index: 500, offset: 72 } as const
    const { indexes, gaps, below } = layout.window(around, 720, [])
    expect([indexes[0], indexes.at(-1)]).toEqual([489, 518])
    expect(gaps[0]).toBe(489 * 72)
    expect(gaps[0]! + indexes.length * 72 + below).toBe(72_000)
  })

  it('keep a focused row that is far away in its place', () => {
    const layout = new RowLayout(rows(1_000), new RowSizes())
    const { indexes, gaps, below } = layout.window({ at: 'end' }, 720, ['m3', 'gone'])
    expect(indexes[0]).toBe(3)
    expect(gaps[0]).toBe(3 * 72)
    expect(gaps[1]).toBe((indexes[1]! - 4) * 72)
    expect(below).toBe(0)
  })

  it('stay near the former position when its row is removed', () => {
    const layout = new RowLayout(rows(1_000), new RowSizes())
    const { indexes } = layout.window({ at: 'row', key: 'gone', index: 700, offset: 0 }, 720, [])
    expect(indexes).toContain(700)
  })
})
