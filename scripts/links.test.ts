import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { checkPage, lineOf } from './links.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'links-'))
  writeFileSync(join(folder, 'hub.ts'), 'const GAP_MS = 1\n\nexport class Hub {\n  async watch(cid: string) {}\n}\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a link to a line is right when the line declares the name', () => {
  expect(checkPage(join(folder, 'page.md'), 'See [`Hub`](hub.ts#L3) and [`watch`](hub.ts#L4).').wrong).toEqual([])
})

it('a line that moved is named, and put right', () => {
  const { wrong, mended } = checkPage(join(folder, 'page.md'), 'See [`Hub`](hub.ts#L1).')
  expect(wrong).toHaveLength(1)
  expect(mended).toBe('See [`Hub`](hub.ts#L3).')
})

it('a file that is not there, and a name that is not in it, are wrong; other sites are not our business', () => {
  const text = '[gone](nowhere.md) [`Ghost`](hub.ts#L1) [site](https://example.com/x) [here](#below)'
  expect(checkPage(join(folder, 'page.md'), text).wrong.map(({ why }) => why)).toEqual([
    'there is no such file',
    'Ghost is not declared there',
  ])
})

it('finds functions, values and private methods', () => {
  expect(lineOf('flush', 'class A {\n  #flush() {}\n}')).toBe(2)
  expect(lineOf('a', 'const ab = 1\nexport const a = 2')).toBe(2)
  expect(lineOf('A', 'import { type A as B, type A } from "a"\ntype A = 1')).toBe(2)
})
