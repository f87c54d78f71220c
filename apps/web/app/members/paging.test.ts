import { describe, expect, it } from 'vitest'
import { directoryParameters, HIGHEST_PAGE, modalParameters, pageOf, readPage } from './paging.ts'

const nobody = async () => []

describe('paging through members', () => {
  it('[NEW-8] the page parameters start with members-', () => {
    for (const { page } of [modalParameters, directoryParameters]) expect(page).toMatch(/^members-/)
  })

  it('[NEW-36] ten rows a page', async () => {
    const windows: unknown[] = []
    await pageOf(3, 25, async (window) => {
      windows.push(window)
      return []
    })
    expect(windows).toEqual([{ limit: 10, offset: 20 }])
  })

  it('[NEW-37] a page beyond the last is the last, and 200 is the highest number', async () => {
    expect(await pageOf(9, 25, nobody)).toMatchObject({ page: 3, pageCount: 3 })
    expect(await pageOf(999, 1_000_000, nobody)).toMatchObject({ page: HIGHEST_PAGE, pageCount: 200 })
    expect(await pageOf(1, 0, nobody)).toMatchObject({ page: 1, pageCount: 1 })
    expect(await pageOf(readPage('99999999999'), 25, nobody)).toMatchObject({ page: 3 })
  })

  it.each([null, '', '0', '-1', '1.5', 'two', '1e3'])('reads %s as the first page', (value) => {
    expect(readPage(value)).toBe(1)
  })
})
