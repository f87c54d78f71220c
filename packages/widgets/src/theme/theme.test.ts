import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { contrast } from './brand.ts'
import { themeClassOf } from './theme.ts'

it('[APP-11] the theme class comes from the product’s theme', () => {
  expect(themeClassOf('light', undefined, true)).toBe('chat-theme-light')
  expect(themeClassOf('dark', undefined, false)).toBe('chat-theme-dark')
  expect(themeClassOf('system', undefined, true)).toBe('chat-theme-dark')
  expect(themeClassOf('system', undefined, false)).toBe('chat-theme-light')
})

it('[APP-12] a class of the integrator overrides', () => {
  expect(themeClassOf('dark', 'our-brand', true)).toBe('our-brand')
})

const sheet = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

describe.each(['light', 'dark'])('the %s palette', (theme) => {
  const block = sheet.slice(sheet.indexOf(`.chat-theme-${theme} {`))
  const token = (name: string) => new RegExp(`--chat-${name}: (#[0-9a-f]{6})`).exec(block)![1]!

  it.each(['text', 'text-muted', 'link', 'danger', 'warning', 'success', 'accent'])('keeps %s readable', (name) => {
    for (const ground of ['background', 'surface', 'raised', 'own-bubble', 'other-bubble', 'selected'])
      expect({ ground, ratio: contrast(token(name), token(ground)) }).toMatchObject({
        ratio: expect.toSatisfy(atLeast(4.5)),
      })
  })

  it('keeps controls visible', () => {
    for (const ground of ['background', 'surface', 'own-bubble'])
      expect(contrast(token('border'), token(ground))).toBeGreaterThanOrEqual(3)
    expect(contrast(token('on-accent'), token('accent'))).toBeGreaterThanOrEqual(4.5)
    expect(contrast(token('background'), token('danger'))).toBeGreaterThanOrEqual(4.5)
  })
})

const atLeast = (least: number) => (ratio: number) => ratio >= least
