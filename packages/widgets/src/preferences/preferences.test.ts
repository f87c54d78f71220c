import { expect, it } from 'vitest'
import { defaults, type Memory, Preferences } from './preferences.ts'

function aMemory(kept: Record<string, string> = {}): Memory & { kept: Record<string, string> } {
  return {
    kept,
    getItem: (key) => kept[key] ?? null,
    setItem(key, value) {
      kept[key] = value
    },
  }
}

it("stores a user's settings, for that user alone", () => {
  const memory = aMemory()
  new Preferences('ada', memory).set({ sounds: true, theme: 'dark' })
  expect(new Preferences('ada', memory).snapshot()).toEqual({ ...defaults, sounds: true, theme: 'dark' })
  expect(new Preferences('bo', memory).snapshot()).toEqual(defaults)
})

it('reports a change, also one in another tab', () => {
  const memory = aMemory()
  const [here, there] = [new Preferences('ada', memory), new Preferences('ada', memory)]
  let told = 0
  here.subscribe(() => {
    told += 1
  })
  there.set({ enterSends: false })
  here.heard('something else')
  expect([told, here.snapshot().enterSends]).toEqual([0, true])
  here.heard('parley.preferences.ada')
  expect([told, here.snapshot().enterSends]).toEqual([1, false])
  here.set(defaults)
  expect([told, here.snapshot()]).toEqual([2, defaults])
})

it('ignores invalid values in the storage, and works if it is full', () => {
  for (const text of [
    'nonsense',
    'null',
    '[]',
    '{"theme":"pink","sounds":"yes","nonsense":1}',
    '{"keys":1}',
    '{"keys":null}',
  ])
    expect(new Preferences('ada', aMemory({ 'parley.preferences.ada': text })).snapshot()).toEqual(defaults)
  const full: Memory = {
    getItem: () => null,
    setItem: () => {
      throw new DOMException('full', 'QuotaExceededError')
    },
  }
  const preferences = new Preferences('ada', full)
  preferences.set({ sounds: true })
  expect(preferences.snapshot().sounds).toBe(true)
  expect(new Preferences('ada', undefined).snapshot()).toEqual(defaults)
})
