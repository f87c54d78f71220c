import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { anchorsOf, checkPage, deadPointers, lineOf, withPointersLinked } from './links.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'links-'))
  writeFileSync(join(folder, 'hub.ts'), 'const GAP_MS = 1\n\nexport class Hub {\n  async watch(cid: string) {}\n}\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

it('a link to a line is right when the line declares the name', () => {
  expect(checkPage(join(folder, 'page.md'), 'See [`Hub`](hub.ts#L3) and [`watch`](hub.ts#L4).').wrong).toEqual([])
})

it('reports a line that moved, and corrects it', () => {
  const { wrong, mended } = checkPage(join(folder, 'page.md'), 'See [`Hub`](hub.ts#L1).')
  expect(wrong).toHaveLength(1)
  expect(mended).toBe('See [`Hub`](hub.ts#L3).')
})

it('a missing file and a missing name are wrong; other sites are ignored', () => {
  const text = '[gone](nowhere.md) [`Ghost`](hub.ts#L1) [site](https://example.com/x#y)'
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

it('a heading that a page does not have is wrong, in this page and in another', () => {
  writeFileSync(join(folder, 'other.md'), '# Other\n\n## What `it` says, twice\n')
  const text = '# Here\n[a](#here) [b](#there) [c](other.md#what-it-says-twice) [d](other.md#what) [e](hub.ts#L1)'
  expect(checkPage(join(folder, 'page.md'), text).wrong.map(({ link }) => link)).toEqual([
    '[b](#there)',
    '[d](other.md#what)',
  ])
})

it('headings have GitHub’s anchors, also the second of a name; code has none', () => {
  const text = '# One: two & three\n\n## Again\n\n## Again\n\n```sh\n# no heading\n```\n\n### A [link](x.md)\n'
  expect([...anchorsOf(text)]).toEqual(['one-two--three', 'again', 'again-1', 'a-link'])
})

it('files that HTML loads must exist, except in an example', () => {
  const text =
    '<img src="hub.ts"> <script src="./gone.tsx"></script> <link href="data:,">\n```html\n<img src="no.png">\n```\n'
  expect(checkPage(join(folder, 'page.html'), text).wrong.map(({ why }) => why)).toEqual(['there is no such file'])
})

it('a comment that names a page, or sections of it, must lead there; other text is ignored', () => {
  const pages: Record<string, string> = {
    'docs/wire/calls.md': '# Calls\n\n## 5. Send\n\n### 5.2 Edit\n\n### 5.10 Pin\n',
    'docs/settings.md': '# Settings\n',
    'apps/server/README.md': '# Here\n',
  }
  const text = [
    '/** Found: docs/settings.md, README.md, calls.md 5, 5.2 and 5.10. */',
    '/** Not there: calls.md 5.1, 5.2 and gone.md 3. */',
    "const example = 'nowhere.md'",
  ].join('\n')
  expect(deadPointers({ path: 'apps/server/a.ts', text }, (path) => pages[path])).toEqual([
    { page: 'apps/server/a.ts:2', link: 'calls.md 5.1', why: 'the page has no such section' },
    { page: 'apps/server/a.ts:2', link: 'gone.md', why: 'there is no such page' },
  ])
})

it('pointers in a generated page become links to their sections', () => {
  mkdirSync(join(folder, 'docs/wire'), { recursive: true })
  writeFileSync(
    join(folder, 'docs/wire/wire.md'),
    '# Wire\n## 5. Messages\n### 5.2 Send: `POST /message`\n### 5.10 Drafts\n',
  )
  expect(withPointersLinked('Sends [wire.md 5.2, 5.10], as lost.md 1 says.', 'docs/client/reference', folder)).toBe(
    'Sends [[wire.md 5.2](../../wire/wire.md#52-send-post-message), [5.10](../../wire/wire.md#510-drafts)], as lost.md 1 says.',
  )
})
