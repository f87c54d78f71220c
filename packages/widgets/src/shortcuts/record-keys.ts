import { partsOf } from './keys-shown.ts'
import { groups, type ShortcutPlace } from './shortcut-list.ts'
import { keysOf, keysPressed, type Pressed, type Shortcut, type ShortcutsSet, shortcuts, spelt } from './shortcuts.ts'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))
/** Modifiers, and keys that begin a combination. */
const unfinished = words(
  'Control Shift Alt AltGraph Meta OS Fn FnLock Hyper Super CapsLock NumLock ScrollLock Dead Compose Process Unidentified',
)
/** Keys that browsers, systems and screen readers do not use. */
const freeFunctionKeys = words('F2 F4 F6 F8 F9')
const moving = words('Enter Space Backspace Delete ArrowUp ArrowDown ArrowLeft ArrowRight Home End PageUp PageDown')
/** With Ctrl or Cmd: tabs, windows, reloading, the address and zoom [interface.md 4.4]. */
const kept = words('T W N Q R L Shift+T Shift+W Shift+N Shift+Q Shift+R Shift+P + - = _ 0 1 2 3 4 5 6 7 8 9')
const keptOnMac = words('H M , `')
const writing = words('A C V X Y Z Shift+V Shift+Z')
/** In an empty text box there is nothing to move through; and Enter alone sends, and with Shift begins a line. */
const free: { readonly [name in Shortcut]?: RegExp } = {
  send: /^(Mod|Alt)\b.*\+Enter$/,
  editLast: /\bArrowUp$/,
  quoteLast: /\bArrowUp$/,
}
/** Enters a character by its number on Linux. */
const writingElsewhere = words('Shift+U')

/** Whether a shortcut can use the keys: they are free, another one has them, or they are reserved. */
export type Verdict =
  | { at: 'free' }
  | { at: 'taken'; by: Shortcut }
  | { at: 'refused'; because: 'shortcuts.kept' | 'shortcuts.needed' | 'shortcuts.alone' }

/** The pressed keys, once there are more than modifiers. */
export function keysRecorded(pressed: Pressed, mac: boolean): string | undefined {
  const keys = keysPressed(pressed, mac)
  return unfinished.has(partsOf(keys, mac).at(-1)!) ? undefined : keys.replace(/ $/, 'Space')
}

/** Whether a shortcut can use these keys, as {@link keysRecorded} returns them. */
export function verdictOn(keys: string, name: Shortcut, set: ShortcutsSet['keys'], mac: boolean): Verdict {
  const because = isOwn(keys, name, mac) ? undefined : whyNot(keys, name, mac)
  if (because) return { at: 'refused', because }
  const wanted = claimsOf(name, keys, mac)
  const by = (Object.keys(shortcuts) as Shortcut[]).find((other) => {
    if (other === name || !meet(placeOf(other), placeOf(name))) return false
    const theirs = keysOf(other, { shortcuts: true, keys: set })
    return theirs !== '' && claimsOf(other, theirs, mac).some((one) => wanted.includes(one))
  })
  return by ? { at: 'taken', by } : { at: 'free' }
}

/**
 * The setting with these keys for a shortcut; none turns it off, and its default keys are not stored. Other shortcuts
 * with the same keys lose them.
 */
export function withKeys(set: ShortcutsSet['keys'], name: Shortcut, keys: string, mac: boolean): ShortcutsSet['keys'] {
  const { [name]: _, ...others } = set
  if (keys === '') return { ...others, [name]: '' }
  const verdict = verdictOn(keys, name, set, mac)
  if (verdict.at === 'taken') return withKeys({ ...set, [verdict.by]: '' }, name, keys, mac)
  return isOwn(keys, name, mac) ? others : { ...others, [name]: keys }
}

/** Whether these are the default keys of a shortcut. */
function isOwn(keys: string, name: Shortcut, mac: boolean): boolean {
  return keys === spelt(shortcuts[name], mac)
}

function whyNot(keys: string, name: Shortcut, mac: boolean) {
  const place = placeOf(name)
  const parts = partsOf(keys, mac)
  const key = parts.at(-1)!
  const [mod, alt, shift] = ['Mod', 'Alt', 'Shift'].map((part) => parts.includes(part))
  if (parts.includes(mac ? 'Control' : 'Meta')) return 'shortcuts.kept'
  if (free[name]?.test(keys)) return undefined
  if (key.length > 1) {
    if (freeFunctionKeys.has(key)) return mod || alt ? 'shortcuts.kept' : undefined
    if (/^Arrow(Up|Down)$/.test(key) && alt && !mod) return undefined
    if (keys === 'Delete' && place === 'messages') return undefined
    return moving.has(key) ? 'shortcuts.needed' : 'shortcuts.kept'
  }
  if (!mod && !alt) return place === 'messages' ? undefined : 'shortcuts.alone'
  if (!mod) return shift && !mac ? undefined : mac ? 'shortcuts.needed' : 'shortcuts.kept'
  // On other systems the two together are AltGr, which types characters.
  if (alt && !mac) return 'shortcuts.needed'
  const rest = parts.slice(1).join('+')
  if (kept.has(rest) || (mac && keptOnMac.has(rest))) return 'shortcuts.kept'
  return writing.has(rest) || (!mac && writingElsewhere.has(rest)) ? 'shortcuts.needed' : undefined
}

function placeOf(name: Shortcut): ShortcutPlace {
  const places = Object.keys(groups) as ShortcutPlace[]
  return places.find((place) => groups[place].shortcuts.includes(name)) ?? 'anywhere'
}

/** No text is typed while a message has the focus. */
function meet(one: ShortcutPlace, other: ShortcutPlace): boolean {
  return one === other || one === 'anywhere' || other === 'anywhere'
}

/** With Shift, the region keys go backwards. */
function claimsOf(name: Shortcut, keys: string, mac: boolean): string[] {
  const parts = partsOf(keys, mac)
  const whole = spelt(keys, mac)
  return name === 'region' ? [whole, parts.toSpliced(-1, 0, 'Shift').join('+')] : [whole]
}
