/** What keys do anywhere in the chat; `Mod` is Ctrl, or Cmd on a Mac; `Alt2` Alt+Shift, or Cmd+Option [ux 4.4]. */
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
} as const
export type Shortcut = keyof typeof shortcuts

/** A key press, as far as a shortcut looks at it. */
export interface Pressed {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

/** The Markdown around the selected words that a key press asks for: bold, italic, struck or code. */
const marks: Record<string, string> = { 'Mod+B': '**', 'Mod+I': '_', 'Mod+Shift+X': '~~', 'Mod+E': '`' }

export function marksOf(pressed: Pressed, mac: boolean): string | undefined {
  return marks[Object.keys(marks).find((keys) => isPress(keys, pressed, mac)) ?? '']
}

export function shortcutOf(pressed: Pressed, mac: boolean): Shortcut | undefined {
  const names = Object.keys(shortcuts) as Shortcut[]
  return names.find((name) => isPress(shortcuts[name], pressed, mac))
}

/**
 * Whether these keys were pressed. What counts is the character the key makes, so that it works on every layout; where
 * that is no Latin letter, the letter that stands there on a Latin one.
 */
function isPress(keys: string, pressed: Pressed, mac: boolean): boolean {
  const mod = mac ? pressed.metaKey : pressed.ctrlKey
  // The other one of the two, and AltGr, are somebody else's.
  if (mac ? pressed.ctrlKey : pressed.metaKey) return false
  const parts = spelt(keys, mac).split('+')
  const key = parts.at(-1)!
  const [wantsMod, wantsAlt, wantsShift] = ['Mod', 'Alt', 'Shift'].map((part) => parts.includes(part))
  if (wantsMod !== mod || wantsAlt !== pressed.altKey) return false
  // On some layouts "/" is made with Shift.
  if (key !== '/' && wantsShift !== pressed.shiftKey) return false
  return keyOf(pressed).toLowerCase() === key.toLowerCase()
}

/** On a Mac, Option and Shift write letters of their own. */
export function spelt(keys: string, mac: boolean): string {
  return keys.replace('Alt2', mac ? 'Mod+Alt' : 'Alt+Shift')
}

function keyOf({ key, code }: Pressed): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  return letter && !/^[\x20-\x7e]$/.test(key) ? letter : key
}

export function isMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac|iP(hone|ad|od)/.test(navigator.platform)
}
