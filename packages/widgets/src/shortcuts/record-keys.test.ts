import { describe, expect, it } from 'vitest'
import { keysRecorded, verdictOn, withKeys } from './record-keys.ts'
import { type Pressed, type Shortcut, shortcutOf, shortcuts } from './shortcuts.ts'

const none = { code: '', ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }
const pressed = (key: string, fields: Partial<Pressed> = {}): Pressed => ({ ...none, key, ...fields })
const names = Object.keys(shortcuts) as Shortcut[]

describe('keys that are recorded', () => {
  it('are those that match later, whatever the layout', () => {
    const presses: [press: Pressed, mac: boolean, keys: string][] = [
      [pressed('j', { ctrlKey: true }), false, 'Mod+J'],
      [pressed('J', { ctrlKey: true, shiftKey: true }), false, 'Mod+Shift+J'],
      [pressed('о', { code: 'KeyJ', ctrlKey: true }), false, 'Mod+J'],
      [pressed('?', { ctrlKey: true, shiftKey: true }), false, 'Mod+?'],
      [pressed('+', { shiftKey: true }), false, '+'],
      [pressed('+', { ctrlKey: true, shiftKey: true }), false, 'Mod++'],
      [pressed('ArrowUp', { altKey: true, shiftKey: true }), false, 'Alt+Shift+ArrowUp'],
      [pressed('∆', { code: 'KeyJ', metaKey: true, altKey: true }), true, 'Mod+Alt+J'],
      [pressed('ß', { ctrlKey: true }), false, 'Mod+ß'],
    ]
    for (const [press, mac, keys] of presses) {
      expect(keysRecorded(press, mac)).toBe(keys)
      expect(shortcutOf(['find'], press, { shortcuts: true, keys: { find: keys } }, mac)).toBe('find')
    }
  })

  it('are awaited until there are more than modifiers', () => {
    for (const key of ['Control', 'Shift', 'AltGraph', 'CapsLock', 'Dead', 'Process'])
      expect(keysRecorded(pressed(key, { ctrlKey: true }), false)).toBeUndefined()
  })
})

describe('a shortcut', () => {
  const about = (keys: string, name: Shortcut = 'find', mac = false) => {
    const verdict = verdictOn(keys, name, {}, mac)
    return verdict.at === 'refused' ? verdict.because : verdict.at === 'taken' ? verdict.by : verdict.at
  }

  it('may have its present keys, and no two have the same', () => {
    for (const mac of [false, true])
      for (const name of names) {
        const own = shortcuts[name].replace('Alt2', mac ? 'Mod+Alt' : 'Alt+Shift')
        expect([name, about(own, name, mac)]).toEqual([name, 'free'])
      }
  })

  it('gets no keys that the browser or the system reserves', () => {
    const kept = [
      'Mod+T',
      'Mod+W',
      'Mod+N',
      'Mod+Q',
      'Mod+Shift+T',
      'Mod+Shift+N',
      'Mod+1',
      'F5',
      'F12',
      'Alt+F4',
      'Tab',
    ]
    for (const keys of [...kept, 'Shift+Escape', 'Insert', 'Alt+D', 'Meta+K'])
      expect([keys, about(keys)]).toEqual([keys, 'shortcuts.kept'])
    expect([about('Control+K', 'find', true), about('Mod+H', 'find', true)]).toEqual([
      'shortcuts.kept',
      'shortcuts.kept',
    ])
  })

  it('gets no keys that typing and moving need, nor letters alone', () => {
    for (const keys of [
      'Enter',
      'Mod+Enter',
      'Space',
      'ArrowUp',
      'Mod+ArrowUp',
      'Alt+ArrowLeft',
      'Delete',
      'Mod+C',
      'Mod+Shift+V',
      'Mod+Alt+E',
    ])
      expect([keys, about(keys)]).toEqual([keys, 'shortcuts.needed'])
    expect([about('Mod+Shift+U'), about('Mod+Shift+U', 'find', true)]).toEqual(['shortcuts.needed', 'free'])
    expect([about('J'), about('Shift+J'), about('?')]).toEqual([
      'shortcuts.alone',
      'shortcuts.alone',
      'shortcuts.alone',
    ])
    expect([about('J', 'reply'), about('J', 'bold')]).toEqual(['free', 'shortcuts.alone'])
  })

  it('of an empty text box may have keys that move elsewhere, and one that sends any Enter but the two that type', () => {
    expect([
      about('Shift+ArrowUp', 'editLast'),
      about('Mod+ArrowUp', 'editLast'),
      about('Alt+ArrowUp', 'editLast'),
    ]).toEqual(['quoteLast', 'free', 'previous'])
    expect([about('ArrowDown', 'editLast'), about('Home', 'quoteLast')]).toEqual([
      'shortcuts.needed',
      'shortcuts.needed',
    ])
    expect([about('Alt+Enter', 'send'), about('Mod+Shift+Enter', 'send'), about('Mod+J', 'send')]).toEqual([
      'free',
      'free',
      'free',
    ])
    expect([about('Enter', 'send'), about('Shift+Enter', 'send'), about('Mod+Enter', 'bold')]).toEqual([
      'shortcuts.needed',
      'shortcuts.needed',
      'shortcuts.needed',
    ])
  })

  it('reports the other one with the same keys, if both could apply', () => {
    expect([about('Mod+F'), about('Mod+B'), about('Shift+F6'), about('Alt+Shift+T')]).toEqual([
      'search',
      'bold',
      'region',
      'threads',
    ])
    expect([about('T', 'reply'), about('Mod+B', 'reply'), about('Mod+K', 'reply')]).toEqual(['thread', 'free', 'find'])
    expect(verdictOn('Mod+F', 'find', { search: '' }, false)).toEqual({ at: 'free' })
    expect(verdictOn('Mod+J', 'find', { help: 'Mod+J' }, false)).toEqual({ at: 'taken', by: 'help' })
  })

  it('takes keys from all that have them, and does not store its defaults', () => {
    expect(withKeys({}, 'find', 'Mod+J', false)).toEqual({ find: 'Mod+J' })
    expect(withKeys({ find: 'Mod+J' }, 'find', '', false)).toEqual({ find: '' })
    expect(withKeys({ find: '' }, 'find', 'Mod+K', false)).toEqual({})
    expect(withKeys({}, 'find', 'Mod+F', false)).toEqual({ find: 'Mod+F', search: '' })
    expect(withKeys({}, 'region', 'Alt+ArrowDown', false)).toEqual({
      region: 'Alt+ArrowDown',
      next: '',
      nextUnread: '',
    })
  })
})
