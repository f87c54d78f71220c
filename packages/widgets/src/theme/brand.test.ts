import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { brandColours, brandSheet, type Colour, type Colours, contrast, grounds, kit } from './brand.ts'

const aColour = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)
const words: readonly Colour[] = [
  'text',
  'text-muted',
  'accent',
  'accent-hover',
  'link',
  'danger',
  'warning',
  'success',
]

/** The unreadable combinations in these colours. */
function unreadable(colours: Colours): string[] {
  const pairs = [
    ...words.flatMap((word) => grounds.map((ground) => [word, ground, 4.5] as const)),
    ...grounds.map((ground) => ['border', ground, 3] as const),
    ['on-accent', 'accent', 4.5] as const,
    ['on-accent', 'accent-hover', 4.5] as const,
  ]
  return pairs.flatMap(([a, b, least]) => (contrast(colours[a], colours[b]) < least ? [`${a} on ${b}`] : []))
}

it('[interface.md 3] keeps all text readable in both themes, whatever the colour', () => {
  fc.assert(
    fc.property(aColour, (brand) => {
      const { light, dark } = brandColours(brand)
      expect({ brand, light: unreadable(light), dark: unreadable(dark) }).toEqual({ brand, light: [], dark: [] })
      expect(light['accent-hover']).not.toBe(light.accent)
      expect(dark['accent-hover']).not.toBe(dark.accent)
    }),
    {
      numRuns: 2_000,
      examples: ['#000', '#fff', '#f00', '#0f0', '#00f', '#ff0', '#0ff', '#f0f', '#808080'].map((one) => [one]),
    },
  )
})

it('the kit’s own colour gives the kit’s own colours, which are those of its sheet', () => {
  expect(brandColours('#6d28d9')).toEqual(kit)
  const sheet = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
  for (const theme of ['light', 'dark'] as const) {
    const rule = sheet.split(`.chat-theme-${theme} {`)[1]!.split('}')[0]!
    const plain = [...rule.matchAll(/--chat-([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value])
    expect(Object.fromEntries(plain)).toEqual(kit[theme])
  }
})

it('a brand’s colour is the accent itself if it is readable, else one of its hue', () => {
  expect(brandColours('#0b6b3a').light.accent).toBe('#0b6b3a')
  const yellow = brandColours('#FD0')
  expect(yellow.dark.accent).toBe('#ffdd00')
  expect(yellow.light.accent).not.toBe('#ffdd00')
})

it('[interface.md 3] refuses unreadable custom colours, accepts others, and gives the reason', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { light, dark } = brandColours('#0b6b3a', {
    light: { link: '#88cc99', 'own-bubble': '#d5f0e0', border: 'green', background: '#555555' },
    dark: { accent: '#7fe0a8' },
  })
  expect(light.link).not.toBe('#88cc99')
  expect([light['own-bubble'], light.background, dark.accent]).toEqual(['#d5f0e0', '#ffffff', '#7fe0a8'])
  expect([...unreadable(light), ...unreadable(dark)]).toEqual([])
  expect(warned.mock.calls.map(([text]) => String(text).replace(/ #[0-9a-f]{6} is taken\.$/, ''))).toEqual([
    expect.stringMatching(
      /^--chat-background in light cannot be #555555: it would have \d\.\d:1 where 7:1 are needed\.$/,
    ),
    expect.stringMatching(/^--chat-link in light cannot be #88cc99: it would have 1\.\d:1 where 4\.5:1 are needed\.$/),
    '--chat-border in light cannot be green: it is not written as #rrggbb.',
  ])
  warned.mockRestore()
})

it('custom colours never make others unreadable', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const some = fc.dictionary(fc.constantFrom(...(Object.keys(kit.light) as Colour[])), aColour)
  fc.assert(
    fc.property(aColour, some, (brand, own) => {
      const { light, dark } = brandColours(brand, { light: own, dark: own })
      expect({ light: unreadable(light), dark: unreadable(dark) }).toEqual({ light: [], dark: [] })
    }),
    { numRuns: 500 },
  )
  warned.mockRestore()
})

it('a sheet has every colour that has a hue, for the given class', () => {
  const sheet = brandSheet('#0b6b3a', { selector: '.shop' })
  expect(sheet).toMatch(/^\.shop\.chat-theme-light \{\n {2}--chat-background: #ffffff;\n/)
  expect(sheet).toContain('.shop.chat-theme-dark {')
  const set = new Set([...sheet.matchAll(/(--chat-[\w-]+):/g)].map(([, name]) => name))
  const tokens = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8').split('.chat {')[0]!
  const all = new Set([...tokens.matchAll(/(--chat-[\w-]+):/g)].map(([, name]) => name))
  expect([...all].filter((name) => !set.has(name))).toEqual([
    '--chat-scrim',
    '--chat-shadow-small',
    '--chat-shadow-large',
  ])
  expect(() => brandSheet('rebeccapurple')).toThrow('"rebeccapurple" is not a colour that can be read')
})
