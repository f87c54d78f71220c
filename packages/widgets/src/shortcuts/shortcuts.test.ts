import { expect, it } from 'vitest'
import { defaults } from '../preferences/preferences.ts'
import { ariaKeys, keysShown } from './keys-shown.ts'
import * as table from './shortcuts.ts'
import { keysOf, type Pressed, type Shortcut, shortcuts } from './shortcuts.ts'

const none = { code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
const pressed = (key: string, fields: Partial<Pressed> = {}): Pressed => ({ ...none, key, ...fields })
const names = Object.keys(shortcuts) as Shortcut[]
const shortcutOf = (press: Pressed, mac: boolean, set: table.ShortcutsSet = defaults) =>
  table.shortcutOf(names, press, set, mac)

it('matches a shortcut by the character, with Ctrl, or with Cmd on a Mac', () => {
  expect(shortcutOf(pressed('f', { ctrlKey: true }), false)).toBe('search')
  expect(shortcutOf(pressed('F', { ctrlKey: true, shiftKey: true }), false)).toBe('searchEverywhere')
  expect(shortcutOf(pressed('k', { metaKey: true }), true)).toBe('find')
  expect(shortcutOf(pressed('k', { metaKey: true }), false)).toBeUndefined()
  expect(shortcutOf(pressed('k', { ctrlKey: true, metaKey: true }), true)).toBeUndefined()
  expect(shortcutOf(pressed('ArrowUp', { altKey: true, shiftKey: true }), false)).toBe('previousUnread')
})

it("matches the user's own keys, and no shortcut that is turned off", () => {
  const ctrl = { ctrlKey: true }
  const set = { shortcuts: true, keys: { find: 'Mod+J', search: '', react: 'Mod++' } }
  expect(shortcutOf(pressed('j', ctrl), false, set)).toBe('find')
  expect(shortcutOf(pressed('k', ctrl), false, set)).toBeUndefined()
  expect(shortcutOf(pressed('f', ctrl), false, set)).toBeUndefined()
  expect(shortcutOf(pressed('+', { ...ctrl, shiftKey: true }), false, set)).toBe('react')
  expect([keysOf('help', set), keysOf('help', { ...set, shortcuts: false })]).toEqual(['Mod+/', ''])
  expect(shortcutOf(pressed('j', ctrl), false, { ...set, shortcuts: false })).toBeUndefined()
  const nonsense = JSON.parse('{"find":1,"help":null}')
  const kept = { shortcuts: true, keys: nonsense }
  expect([keysOf('find', kept), keysOf('help', kept)]).toEqual(['1', 'Mod+/'])
})

it('works on layouts without Latin letters, and where "/" needs Shift', () => {
  expect(shortcutOf(pressed('а', { code: 'KeyF', ctrlKey: true }), false)).toBe('search')
  expect(shortcutOf(pressed('q', { code: 'KeyA', ctrlKey: true }), false)).toBeUndefined()
  expect(shortcutOf(pressed('/', { code: 'Digit7', ctrlKey: true, shiftKey: true }), false)).toBe('help')
})

it('takes Alt and Shift together, or Cmd and Option on a Mac, whose Option types other letters', () => {
  expect(shortcutOf(pressed('T', { altKey: true, shiftKey: true }), false)).toBe('threads')
  expect(shortcutOf(pressed('†', { code: 'KeyT', metaKey: true, altKey: true }), true)).toBe('threads')
  expect(shortcutOf(pressed('T', { altKey: true, shiftKey: true }), true)).toBeUndefined()
  expect(keysShown('Alt2+R', false)).toEqual([['Alt', 'Shift', 'R']])
  expect(keysShown('Alt2+R', true)).toEqual([['⌘', '⌥', 'R']])
})

it('puts marks around text with Ctrl, or with Cmd on a Mac, which needs Ctrl to move', () => {
  expect(shortcutOf(pressed('b', { ctrlKey: true }), false)).toBe('bold')
  expect(shortcutOf(pressed('X', { ctrlKey: true, shiftKey: true }), false)).toBe('strike')
  expect(shortcutOf(pressed('x', { ctrlKey: true }), false)).toBeUndefined()
  expect(shortcutOf(pressed('e', { ctrlKey: true }), true)).toBeUndefined()
  expect(shortcutOf(pressed('e', { metaKey: true }), true)).toBe('code')
})

it('leaves letters without a modifier alone', () => {
  for (const key of ['k', '/', 'b', 'Enter', 'ArrowDown']) expect(shortcutOf(pressed(key), false)).toBeUndefined()
})

it('formats keys as they are labelled on the keyboard', () => {
  expect(keysShown('Mod+Shift+F', false)).toEqual([['Ctrl', 'Shift', 'F']])
  expect(keysShown('Mod+Shift+F', true)).toEqual([['⌘', '⇧', 'F']])
  expect(keysShown('ArrowUp ArrowDown', false)).toEqual([['↑'], ['↓']])
  expect(keysShown('+', false)).toEqual([['+']])
})

it('formats keys for screen readers', () => {
  expect(ariaKeys('Mod+Shift+X', false)).toBe('Control+Shift+X')
  expect(ariaKeys('Mod+Shift+X', true)).toBe('Meta+Shift+X')
  expect(ariaKeys('Alt2+A', false)).toBe('Alt+Shift+A')
  expect(ariaKeys('Mod++', false)).toBe('Control+Plus')
  expect(ariaKeys('', false)).toBeUndefined()
})
