import { expect, it } from 'vitest'
import { wrongEquivalents } from './equivalents.ts'
import { type Mutant, mutantsIn, withMutants } from './mutants.ts'
import { NearestTests } from './nearest-tests.ts'
import { reportOf, tableOf } from './report.ts'
import { patternOf } from './run-tests.ts'
import { isSource, sample } from './sample.ts'
import type { Outcome } from './try-mutants.ts'

/** The mutants of a file with these lines, as `before → after`. */
function changes(...lines: string[]) {
  return mutantsIn({ path: 'shop.tsx', text: lines.join('\n') }).map(({ before, after }) => `${before} → ${after}`)
}

it.each([
  ['if (open) close()', ['open → true', 'open → false', 'open → !(open)', 'close() → {}']],
  ['const grown = age >= 18', ['>= → >', '>= → <', '18 → 19']],
  ['const both = a && b', ['a && b → a', 'a && b → b', '&& → ||']],
  ['const name = given ?? other', ['given ?? other → given', '?? → &&']],
  ['const sum = a + b', ['+ → -']],
  ['const none = () => kept', ['kept → undefined']],
  ['await saved()', ['await saved() → saved()', 'await saved() → {}']],
  ['const street = home?.street', ['home?.street → home.street']],
  ['const first = rows[0]', ['0 → 1']],
  ['const isOpen = true', ['true → false']],
  ['const state = { kind: "open" }', ['kind: "open" → ', '"open" → \'\'']],
  ['const list = [one]', ['[one] → []']],
  ['const open = doors.filter(isOpen)', ['doors.filter(isOpen) → doors']],
  ['const all = doors.every(isOpen)', ['every → some']],
  ['const least = Math.min(a, b)', ['min → max']],
  ['const shut = !open', ['!open → open']],
  ['at--', ['at-- → {}', 'at-- → at++']],
  ['function f() { if (a < b) return }', ['a < b → true', 'a < b → false', '< → <=', '< → >=', 'return → {}']],
  ['const icon = <Icon className="small" name="lock" />', ['"lock" → ""']],
  ['const count = Number(field) as 3', []],
])('mutates %s', (line, expected) => {
  expect(changes(line).toSorted()).toEqual(expected.toSorted())
})

it.each([
  'interface Shop { kind: "open"; size: 3 }',
  'import { open } from "./door.ts"',
  'type Size = 1 | 2',
  'this.#log.warn({ size: 3 }, "too many")',
  'log?.info({ size: 3 }, "enough")',
  'const words = "Say it in words."',
])('ignores what no test can notice: %s', (line) => {
  expect(changes(line)).toEqual([])
})

it('keeps to one line', () => {
  expect(changes('go(', '  there,', ')')).toEqual([])
})

it('applies several mutants at once', () => {
  const text = 'const a = 1\nconst b = 2\n'
  const mutants = mutantsIn({ path: 'a.ts', text })
  expect(withMutants(text, mutants)).toBe('const a = 0\nconst b = 3\n')
  expect(withMutants(text, [])).toBe(text)
})

it('picks the same lines for the same seed, and never one twice', () => {
  const text = Array.from({ length: 50 }, (_, i) => `export const a${i} = ${i} + size`).join('\n')
  const files = [{ path: 'a.ts', text }]
  const lines = (seed: string) => sample(files, 20, seed).map(({ line, after }) => `${line} ${after}`)
  expect(lines('tuesday')).toEqual(lines('tuesday'))
  expect(lines('tuesday')).not.toEqual(lines('friday'))
  expect(new Set(sample(files, 90, 'tuesday').map(({ line }) => line)).size).toBe(50)
})

it('mutates the product, and not test-only code', () => {
  for (const path of [
    'apps/server/src/features/polls/cast-vote.ts',
    'apps/web/src/demo/seed.ts',
    'apps/web/src/demo/people.ts',
  ])
    expect(isSource(path), path).toBe(true)
  for (const path of [
    'apps/server/src/features/polls/polls.test.ts',
    'packages/client/src/testing/fake-clock.ts',
    'packages/client/connection-picture.ts',
    'packages/widgets/src/component-gallery/serve.ts',
    'packages/widgets/src/polls/polls.stories.tsx',
    'apps/web/src/demo/conversations.ts',
    'apps/web/src/demo/names.ts',
    'apps/web/src/demo/pictures.ts',
    'packages/widgets/src/emoji/names/de.ts',
    'packages/widgets/vitest.config.ts',
    'apps/web/build/server/index.ts',
  ])
    expect(isSource(path), path).toBe(false)
})

it('finds the nearest tests first', () => {
  const files = [
    ['p/src/polls/cast-vote.ts', ''],
    ['p/src/polls/cast-vote.test.ts', ''],
    ['p/src/polls/closing.test.ts', ''],
    ['p/src/polls/votes.test.ts', "import './cast-vote.ts'"],
    ['p/src/app.ts', "import './polls/cast-vote.ts'"],
    ['p/src/app.test.ts', "import './app.ts'"],
    ['p/src/testing/page.ts', "open('page.html')"],
    ['p/src/pins/pins.test.ts', "import '../testing/page.ts'"],
    ['p/src/testing/fixture.tsx', "import '../app.ts'"],
    ['p/src/users/users.test.ts', "import type { App } from '../app.ts'"],
  ].map(([path, text]) => ({ path: path!, text: text! }))
  const pages = [{ path: 'p/src/testing/page.html', text: '<script type="module" src="./fixture.tsx"></script>' }]
  expect(new NearestTests(files, pages, {}).to('p/src/polls/cast-vote.ts')).toEqual([
    'p/src/polls/cast-vote.test.ts',
    'p/src/polls/votes.test.ts',
    'p/src/polls/closing.test.ts',
    'p/src/app.test.ts',
    'p/src/pins/pins.test.ts',
  ])
})

it('requires a reason for an equivalent mutant, and a mutant that exists', () => {
  const files = [{ path: 'a.ts', text: '\n\n  const side = 3\n' }]
  const entry = { path: 'a.ts', text: 'const side = 3', before: '3', after: '4', reason: 'It is never read.' }
  expect(wrongEquivalents([entry], files)).toEqual([])
  expect(wrongEquivalents([{ ...entry, reason: ' ' }], files)).toEqual(['a.ts: 3 → 4: say why nobody could notice it'])
  expect(wrongEquivalents([{ ...entry, text: 'const side = 5' }], files)).toEqual([
    'a.ts: 3 → 4: there is no such change',
  ])
  expect(wrongEquivalents([{ ...entry, path: 'b.ts' }], files)).toEqual(['b.ts: 3 → 4: there is no such change'])
})

it('matches one title alone', () => {
  const pattern = new RegExp(patternOf('a poll (closed) > takes no vote'))
  expect(pattern.test('a poll (closed) takes no vote')).toBe(true)
  expect(pattern.test('a poll (closed) > takes no vote')).toBe(true)
  expect(pattern.test('a poll (closed) takes no vote twice')).toBe(false)
})

it('counts by part, without equivalent mutants', () => {
  const mutant = (path: string): Mutant => ({ path, line: 7, text: 'a', start: 0, end: 1, before: '1', after: '' })
  const killed = (by: 'nearest tests' | 'suite'): Outcome => ({
    mutant: mutant('apps/server/src/a.ts'),
    state: 'killed',
    by,
    failure: { file: 'a.test.ts', title: 'it', why: 'no' },
  })
  const outcomes: Outcome[] = [
    killed('nearest tests'),
    killed('suite'),
    { mutant: mutant('apps/server/src/b.ts'), state: 'survived' },
    { mutant: mutant('apps/server/src/c.ts'), state: 'equivalent' },
    { mutant: mutant('apps/web/app/c.ts'), state: 'equivalent' },
  ]
  const report = reportOf(outcomes, 'tuesday', 9)
  expect(report).toMatchObject({ seed: 'tuesday', percent: 66.6 })
  expect(report.parts).toEqual([
    {
      part: 'apps/server',
      mutants: 4,
      killed: { 'nearest tests': 1, suite: 1, 'end to end': 0 },
      survived: 1,
      equivalent: 1,
      percent: 66.6,
    },
    {
      part: 'apps/web',
      mutants: 1,
      killed: { 'nearest tests': 0, suite: 0, 'end to end': 0 },
      survived: 0,
      equivalent: 1,
      percent: 100,
    },
  ])
  expect(tableOf(report)).toContain('survived: apps/server/src/b.ts:7: 1 → nothing')
  expect(tableOf(report)).toContain('66.6 % noticed; seed tuesday, 9 s')
})
