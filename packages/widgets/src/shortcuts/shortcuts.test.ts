import { expect, it } from 'vitest'
import { keysShown } from './shortcut-list.ts'
import { marksOf, type Pressed, shortcutOf } from './shortcuts.ts'

const none = { code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
const pressed = (key: string, fields: Partial<Pressed> = {}): Pressed => ({ ...none, key, ...fields })

it('knows a shortcut by the character, with Ctrl, or with Cmd on a Mac', () => {
  expect(shortcutOf(pressed('f', { ctrlKey: true }), false)).toBe('search')
  expect(shortcutOf(pressed('F', { ctrlKey: true, shiftKey: true }), false)).toBe('searchEverywhere')
  expect(shortcutOf(pressed('k', { metaKey: true }), true)).toBe('find')
  expect(shortcutOf(pressed('k', { metaKey: true }), false)).toBeUndefined()
  expect(shortcutOf(pressed('k', { ctrlKey: true, metaKey: true }), true)).toBeUndefined()
  expect(shortcutOf(pressed('ArrowUp', { altKey: true, shiftKey: true }), false)).toBe('previousUnread')
})

it('works on layouts without Latin letters, and where "/" needs Shift', () => {
  expect(shortcutOf(pressed('а', { code: 'KeyF', ctrlKey: true }), false)).toBe('search')
  expect(shortcutOf(pressed('q', { code: 'KeyA', ctrlKey: true }), false)).toBeUndefined()
  expect(shortcutOf(pressed('/', { code: 'Digit7', ctrlKey: true, shiftKey: true }), false)).toBe('help')
})

it('takes Alt and Shift together, or Cmd and Option on a Mac, whose Option writes other letters', () => {
  expect(shortcutOf(pressed('T', { altKey: true, shiftKey: true }), false)).toBe('threads')
  expect(shortcutOf(pressed('†', { code: 'KeyT', metaKey: true, altKey: true }), true)).toBe('threads')
  expect(shortcutOf(pressed('T', { altKey: true, shiftKey: true }), true)).toBeUndefined()
  expect(keysShown('Alt2+R', false)).toEqual([['Alt', 'Shift', 'R']])
  expect(keysShown('Alt2+R', true)).toEqual([['⌘', '⌥', 'R']])
})

it('puts marks around words with Ctrl, or with Cmd on a Mac, which needs Ctrl to move', () => {
  expect(marksOf(pressed('b', { ctrlKey: true }), false)).toBe('**')
  expect(marksOf(pressed('X', { ctrlKey: true, shiftKey: true }), false)).toBe('~~')
  expect(marksOf(pressed('x', { ctrlKey: true }), false)).toBeUndefined()
  expect(marksOf(pressed('e', { ctrlKey: true }), true)).toBeUndefined()
  expect(marksOf(pressed('e', { metaKey: true }), true)).toBe('`')
  expect(marksOf(pressed('b'), false)).toBeUndefined()
})

it('leaves letters without a modifier alone', () => {
  for (const key of ['f', 'k', '/', 'ArrowUp', 'ArrowDown']) expect(shortcutOf(pressed(key), false)).toBeUndefined()
})

it('writes keys as they stand on the keyboard', () => {
  expect(keysShown('Mod+Shift+F', false)).toEqual([['Ctrl', 'Shift', 'F']])
  expect(keysShown('Mod+Shift+F', true)).toEqual([['⌘', '⇧', 'F']])
  expect(keysShown('ArrowUp ArrowDown', false)).toEqual([['↑'], ['↓']])
  expect(keysShown('+', false)).toEqual([['+']])
})
