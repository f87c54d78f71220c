import { describe, expect, it } from 'vitest'
import { defaults } from '../preferences/preferences.ts'
import { Compositions, type KeyPress, type KeyScene, meaningOf } from './composer-keys.ts'

const plain: KeyPress = {
  key: 'Enter',
  code: 'Enter',
  keyCode: 13,
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  isComposing: false,
}
const writing: KeyScene = { composing: false, empty: false, walks: false, touch: false, set: defaults }

describe('Enter', () => {
  it('sends, and starts a new line with Shift', () => {
    expect(meaningOf(plain, writing)).toBe('send')
    expect(meaningOf({ ...plain, shiftKey: true }, writing)).toBeUndefined()
  })

  it('is a new line on a touch keyboard, where only the button sends', () => {
    expect(meaningOf(plain, { ...writing, touch: true })).toBeUndefined()
    expect(meaningOf({ ...plain, ctrlKey: true }, { ...writing, touch: true })).toBe('send')
  })
})

describe('an empty composer', () => {
  const up = { ...plain, key: 'ArrowUp', code: 'ArrowUp', keyCode: 38 }
  it('edits the last own message with ArrowUp and quotes the last one with Shift', () => {
    expect(meaningOf(up, { ...writing, empty: true })).toBe('editLast')
    expect(meaningOf({ ...up, shiftKey: true }, { ...writing, empty: true })).toBe('quoteLast')
    expect(meaningOf(up, writing)).toBeUndefined()
  })

  it('moves on to older ones from an edit, but not from a quote', () => {
    expect(meaningOf(up, { ...writing, walks: true })).toBe('editLast')
    expect(meaningOf({ ...up, shiftKey: true }, { ...writing, walks: true })).toBeUndefined()
  })

  it('does neither if both are off, nor does Ctrl+Enter send; other keys do if they are set', () => {
    const off = { ...writing, empty: true, set: { shortcuts: true, keys: { send: '', editLast: '', quoteLast: '' } } }
    const ctrl = { ...plain, ctrlKey: true }
    expect([up, { ...up, shiftKey: true }, ctrl].map((press) => meaningOf(press, off))).toEqual(
      Array(3).fill(undefined),
    )
    expect(meaningOf(plain, off)).toBe('send')
    const set = { shortcuts: true, keys: { send: 'Alt+Enter', editLast: 'Mod+ArrowUp' } }
    const own = { ...off, touch: true, set }
    expect(meaningOf({ ...plain, altKey: true }, own)).toBe('send')
    expect(meaningOf(ctrl, own)).toBeUndefined()
    expect(meaningOf({ ...up, ctrlKey: true }, own)).toBe('editLast')
    expect(meaningOf(up, own)).toBeUndefined()
  })
})

/** Replays the events of a browser in its own order; every step but `task` happens within one task. */
function play(steps: ('start' | 'end' | 'task' | KeyPress)[]) {
  const tasks: (() => void)[] = []
  const compositions = new Compositions((task) => tasks.push(task))
  const meanings: (string | undefined)[] = []
  for (const step of steps) {
    if (step === 'start') compositions.started()
    else if (step === 'end') compositions.ended()
    else if (step === 'task') for (const task of tasks.splice(0)) task()
    else meanings.push(meaningOf(step, { ...writing, composing: compositions.active }))
  }
  return meanings
}

describe('the Enter that confirms a composition never sends', () => {
  it('in Chrome, which marks the key as composing and ends afterwards', () => {
    const confirm = { ...plain, keyCode: 229, isComposing: true }
    expect(play(['start', confirm, 'end', 'task', plain])).toEqual([undefined, 'send'])
  })

  it('in Firefox, which reports the key with code 229', () => {
    expect(play(['start', { ...plain, keyCode: 229 }, 'end', 'task', plain])).toEqual([undefined, 'send'])
  })

  it('in Safari, which ends the composition before it reports an ordinary Enter', () => {
    expect(play(['start', 'end', plain, 'task', plain])).toEqual([undefined, 'send'])
  })

  it('when the next composition begins before the task of the last one ran', () => {
    expect(play(['start', 'end', 'start', 'task', plain, 'end', 'task', plain])).toEqual([undefined, 'send'])
  })
})
