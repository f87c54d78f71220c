import { expect, it } from 'vitest'
import { findings } from './time-and-place.ts'

/** The findings in this one file, as `line: why`. */
function found(path: string, text: string) {
  return findings({ path, text }).map(({ line, why }) => `${line}: ${why}`)
}

const DATES = [
  'const today = new Date()',
  'const today = new globalThis.Date()',
  'const today = Date()',
  'const ends = new Date(Date.now() + 1_000)',
  'const clock = { now: Date.now }',
  'const ends = globalThis.Date.now()',
  'const day = Temporal.Now.plainDateISO()',
  'await page.evaluate(() => new Date().toISOString())',
]

it.each(DATES)('no test reads the real date: %s', (text) => {
  for (const path of [
    'apps/server/src/features/polls/polls.test.ts',
    'packages/client/src/testing/real-server.ts',
    'e2e/src/kit/stack.ts',
    'apps/web/app/ui/ui.stories.tsx',
  ])
    expect(found(path, `// Today.\n${text}`)).toEqual([expect.stringMatching(/^2: .* machine/)])
})

it.each(DATES)('the product may, and so may tests with a date of their own: %s', (text) => {
  for (const path of [
    'apps/server/src/platform/clock.ts',
    'packages/widgets/src/pins/pins.test.ts',
    'packages/widgets/src/testing/a-working-day.ts',
  ])
    expect(found(path, text)).toEqual([])
})

it('a test may make dates from given values', () => {
  const text = [
    'new Date(2026, 5, 10)',
    'new Date(created_at)',
    'Date.parse(created_at)',
    'Date.UTC(2026, 5)',
    'vi.useFakeTimers({ toFake: ["Date"] })',
    'clock.now()',
    '// new Date()',
  ]
  expect(found('apps/server/src/features/polls/polls.test.ts', text.join('\n'))).toEqual([])
})

it.each([
  'date.toLocaleDateString()',
  'date.toLocaleTimeString(undefined, { hour: "2-digit" })',
  'count.toLocaleString()',
  'name.toLocaleUpperCase()',
  'name.toLocaleLowerCase()',
  'names.sort((a, b) => a.localeCompare(b))',
  'names.sort((a, b) => a.name?.localeCompare(b.name))',
  'new Intl.DateTimeFormat()',
  'Intl.NumberFormat(undefined, {})',
  'new Intl.Segmenter()',
  'new Intl.Collator().compare',
])('no text depends on the machine’s language: %s', (text) => {
  for (const path of ['apps/web/app/chat/chat.tsx', 'packages/widgets/src/chat/chat.test.ts'])
    expect(found(path, text)).toEqual([expect.stringMatching(/^1: .* without a locale/)])
})

it.each([
  'date.toLocaleDateString(language, { timeZone })',
  "a.localeCompare(b, 'en')",
  'new Intl.Segmenter(language)',
  'Intl.supportedValuesOf("timeZone")',
  'name.toUpperCase()',
])('an explicit language is accepted: %s', (text) => {
  expect(found('apps/web/app/chat/chat.tsx', text)).toEqual([])
})
