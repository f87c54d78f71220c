/** Those of a focused message. */
const ofMessage = {
  reply: 'R',
  thread: 'T',
  edit: 'E',
  react: '+',
  pin: 'P',
  markUnread: 'U',
  copy: 'C',
  copyLink: 'L',
  flag: 'F',
  delete: 'Delete',
}
export const messageShortcuts = Object.keys(ofMessage) as (keyof typeof ofMessage)[]

/**
 * The default keys of every shortcut; `Mod` is Ctrl, or Cmd on a Mac; `Alt2` Alt+Shift, or Cmd+Option [interface.md
 * 4.4].
 */
export const shortcuts = {
  find: 'Mod+K',
  search: 'Mod+F',
  searchEverywhere: 'Mod+Shift+F',
  next: 'Alt+ArrowDown',
  previous: 'Alt+ArrowUp',
  nextUnread: 'Alt+Shift+ArrowDown',
  previousUnread: 'Alt+Shift+ArrowUp',
  threads: 'Alt2+T',
  readAll: 'Alt2+R',
  help: 'Mod+/',
  region: 'F6',
  ...ofMessage,

  // in the composer; the two with an arrow only while it is empty
  send: 'Mod+Enter',
  editLast: 'ArrowUp',
  quoteLast: 'Shift+ArrowUp',
  bold: 'Mod+B',
  italic: 'Mod+I',
  strike: 'Mod+Shift+X',
  code: 'Mod+E',
  attach: 'Alt2+A',
  voice: 'Alt2+V',
}
export type Shortcut = keyof typeof shortcuts

/** The user's setting: whether shortcuts are on at all, and which have other keys; one without any is off. */
export interface ShortcutsSet {
  shortcuts: boolean
  keys: { readonly [name in Shortcut]?: string }
}

/** The fields of a key press that a shortcut uses. */
export interface Pressed {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

/** The keys set for a shortcut; none if it is off. */
export function keysOf(name: Shortcut, { shortcuts: on, keys }: ShortcutsSet): string {
  // The stored value may be anything.
  return on ? `${keys[name] ?? shortcuts[name]}` : ''
}

/** Which of these shortcuts was pressed. */
export function shortcutOf<Name extends Shortcut>(
  names: Iterable<Name>,
  pressed: Pressed,
  set: ShortcutsSet,
  mac = isMac(),
): Name | undefined {
  const keys = keysPressed(pressed, mac)
  return [...names].find((name) => spelt(keysOf(name, set), mac) === keys)
}

/**
 * The keys of a press in the notation of the table. The character that the key makes counts, so that it works on every
 * layout; if that is no Latin letter, the letter of the key on a Latin layout. Ctrl on a Mac, and the Windows or Super
 * key elsewhere, are reserved: no shortcut has them.
 */
export function keysPressed({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Pressed, mac = isMac()): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  const made = letter && !/^[\x20-\x7e]$/.test(key) ? letter : key
  const large = made.toUpperCase()
  return [
    ctrlKey && (mac ? 'Control' : 'Mod'),
    metaKey && (mac ? 'Mod' : 'Meta'),
    altKey && 'Alt',
    // Punctuation may need Shift on one layout and not on another.
    shiftKey && large !== made.toLowerCase() && 'Shift',
    large[1] ? made : large,
  ]
    .filter(Boolean)
    .join('+')
}

/** On a Mac, Option and Shift type letters of their own. */
export function spelt(keys: string, mac: boolean): string {
  return keys.replace('Alt2', mac ? 'Mod+Alt' : 'Alt+Shift')
}

export function isMac(): boolean {
  return /Mac|iP(hone|ad|od)/.test(navigator.platform)
}
