import { expect, it } from 'vitest'
import { coverage, doubled, duties, rulesIn, strangers, titlesIn } from './rules-in-titles.ts'

const rules = rulesIn(`# TYP · Typing

- **TYP-1** (client) A typing start event is sent at most every 2 s. [§4, §9]
- **TYP-2** (server, client) «choice» Nothing is sent for users who turned them off. [§4]
- **I18N-1** (widgets) There are twelve languages. [§9]
- a line that is no rule
`)

/** The titles of one file in the client. */
function titlesOf(text: string) {
  return titlesIn({ path: 'packages/client/src/typing.test.ts', text })
}

it('reads the rules of a page with the parts they bind', () => {
  expect(rules).toEqual([
    { id: 'TYP-1', parts: ['client'] },
    { id: 'TYP-2', parts: ['server', 'client'] },
    { id: 'I18N-1', parts: ['widgets'] },
  ])
})

it('finds rules that share an id', () => {
  expect(doubled(rules)).toEqual([])
  expect(doubled([...rules, { id: 'TYP-2', parts: ['web'] }])).toEqual(['TYP-2'])
})

it('reads the titles of every form of test', () => {
  const text = `
    it('[TYP-1] one', () => {})
    test.concurrent(\`[TYP-1] two \${2}\`, () => {})
    it.each([['a', f(1)]])('[TYP-1] three %s', () => {})
    it.skipIf(!url)('[TYP-1] four', () => {})
    describe('[TYP-1] no test', () => {})
    expect(/x/.test('[TYP-1] no test'))`
  expect(titlesOf(text).map(({ line, text }) => `${line} ${text}`)).toEqual([
    '2 [TYP-1] one',
    '3 [TYP-1] two  ',
    '4 [TYP-1] three %s',
    '5 [TYP-1] four',
  ])
})

it('counts neither skipped tests nor those in comments', () => {
  const text = `
    it.skip('[TYP-1] one', () => {})
    it.todo('[TYP-1] two')
    // it('[TYP-1] three', () => {})`
  expect(titlesOf(text)).toEqual([])
})

it('requires a proof in each part a rule binds', () => {
  const titles = titlesOf("it('[TYP-1] [TYP-2] both', () => {})")
  expect(coverage(duties(rules, titles))).toBe(
    ['TYP       2/3  open: server 1', 'I18N      0/1  open: widgets 1', 'rules proved: 2 of 4 (50.0 %)'].join('\n'),
  )
})

it('an end-to-end test proves a rule for every part', () => {
  const titles = titlesIn({ path: 'e2e/typing.test.ts', text: "it('[TYP-2] all of it', () => {})" })
  expect(duties(rules, titles).filter(({ isProved }) => isProved)).toHaveLength(2)
})

it('names ids that no rule has, and ignores ordinary words', () => {
  const titles = titlesOf(`
    it('[TYP-9] [ABC-1] hashes with SHA-256', () => {})
    it('TYP-8 without brackets', () => {})`)
  expect(strangers(rules, titles).map(({ id, line }) => `${id} in line ${line}`)).toEqual([
    'TYP-9 in line 2',
    'ABC-1 in line 2',
    'TYP-8 in line 3',
  ])
})
