import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ENGLISH, SplitEnglish } from './split-english.ts'

const source = join(import.meta.dirname, '..')
const english = new SplitEnglish()
const keys = Object.keys(JSON.parse(readFileSync(ENGLISH, 'utf8')))
const broughtBy = (file: string) =>
  english.textsOf(join(source, file), readFileSync(join(source, file), 'utf8')).map(([key]) => key)

it('[I18N-11] every text is in the initial page, or in the chunk that uses it', () => {
  const parts = globSync('**/*.{ts,tsx}', {
    cwd: source,
    exclude: (name) => /^testing$|^component-gallery$|\.test\./.test(name),
  })
  const brought = new Set(parts.flatMap(broughtBy))
  expect(keys.filter((key) => !english.isFirst(key) && !brought.has(key))).toEqual([])
})

it('a chunk contains the texts it uses, also with computed keys, and no text is in two chunks', () => {
  expect(english.isFirst('channels.empty')).toBe(true)
  expect(broughtBy('channel-list/ChannelList.tsx')).toEqual([])
  expect(english.isFirst('pins.empty')).toBe(false)
  expect(broughtBy('pins/PinsPane.tsx')).toContain('pins.empty')
  expect(broughtBy('pins/PinsPane.tsx')).not.toContain('retry')
  expect(broughtBy('commands/commands.ts')).toEqual(
    expect.arrayContaining(keys.filter((key) => key.startsWith('command.') && !english.isFirst(key))),
  )
  expect(english.textsOf('/elsewhere/Part.tsx', "t('pins.empty')")).toEqual([])
})
