import type { TextKey } from '../i18n/translate.ts'

/** What can be done by keys wherever one is in the chat; `Mod` is Ctrl, or Cmd on a Mac [ux 4.4]. */
export const shortcuts = {
  find: { keys: 'Mod+K', says: 'shortcuts.find' },
  search: { keys: 'Mod+F', says: 'search.open' },
  searchEverywhere: { keys: 'Mod+Shift+F', says: 'search.all' },
  next: { keys: 'Alt+ArrowDown', says: 'shortcuts.next' },
  previous: { keys: 'Alt+ArrowUp', says: 'shortcuts.previous' },
  nextUnread: { keys: 'Alt+Shift+ArrowDown', says: 'shortcuts.nextUnread' },
  previousUnread: { keys: 'Alt+Shift+ArrowUp', says: 'shortcuts.previousUnread' },
  help: { keys: 'Mod+/', says: 'shortcuts.help' },
} as const satisfies Record<string, { keys: string; says: TextKey }>
export type Shortcut = keyof typeof shortcuts

/** Keys that a component takes itself, for the list of all of them. */
export const ownKeys = {
  anywhere: [{ keys: 'F6', says: 'shortcuts.region' }],
  messages: [
    { keys: 'ArrowUp ArrowDown', says: 'shortcuts.move' },
    { keys: 'Enter', says: 'shortcuts.enter' },
    { keys: 'R', says: 'actions.reply' },
    { keys: 'T', says: 'actions.thread' },
    { keys: 'E', says: 'actions.edit' },
    { keys: '+', says: 'actions.addReaction' },
    { keys: 'P', says: 'actions.pin' },
    { keys: 'U', says: 'actions.markUnread' },
    { keys: 'C', says: 'actions.copy' },
    { keys: 'L', says: 'actions.copyLink' },
    { keys: 'F', says: 'actions.flag' },
    { keys: 'Delete', says: 'actions.delete' },
    { keys: 'Escape', says: 'shortcuts.leave' },
  ],
  writing: [
    { keys: 'Mod+Enter', says: 'composer.send' },
    { keys: 'Shift+Enter', says: 'shortcuts.newLine' },
    { keys: 'ArrowUp', says: 'shortcuts.editLast' },
    { keys: 'Shift+ArrowUp', says: 'shortcuts.quoteLast' },
    { keys: '@ : /', says: 'shortcuts.complete' },
    { keys: 'Alt+Shift+A', says: 'uploads.attach' },
    { keys: 'Alt+Shift+V', says: 'voice.record' },
  ],
} as const satisfies Record<string, readonly { keys: string; says: TextKey }[]>

/** A key press, as far as a shortcut looks at it. */
export interface Pressed {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

/**
 * Which shortcut a key press is. What counts is the character the key makes, so that it works on every layout; where
 * that is no Latin letter, the letter that stands there on a Latin one.
 */
export function shortcutOf(pressed: Pressed, mac: boolean): Shortcut | undefined {
  const mod = mac ? pressed.metaKey : pressed.ctrlKey
  // The other one of the two, and AltGr, are somebody else's.
  if (mac ? pressed.ctrlKey : pressed.metaKey) return undefined
  const names = Object.keys(shortcuts) as Shortcut[]
  return names.find((name) => {
    const parts = shortcuts[name].keys.split('+')
    const key = parts.at(-1)!
    const [wantsMod, wantsAlt, wantsShift] = ['Mod', 'Alt', 'Shift'].map((part) => parts.includes(part))
    if (wantsMod !== mod || wantsAlt !== pressed.altKey) return false
    // On some layouts "/" is made with Shift.
    if (key !== '/' && wantsShift !== pressed.shiftKey) return false
    return keyOf(pressed).toLowerCase() === key.toLowerCase()
  })
}

function keyOf({ key, code }: Pressed): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  return letter && !/^[\x20-\x7e]$/.test(key) ? letter : key
}

const symbols: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', Delete: 'Del' }
const macSymbols: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↩', ...symbols }

/** The keys of a shortcut as they are written on the keyboard; several in a row are either or. */
export function keysShown(keys: string, mac: boolean): string[][] {
  const names = mac ? macSymbols : { Mod: 'Ctrl', ...symbols }
  return keys.split(' ').map((one) => {
    const parts = one === '+' ? ['+'] : one.split('+')
    return parts.map((part) => names[part as keyof typeof names] ?? part)
  })
}

export function isMac(): boolean {
  return typeof navigator !== 'undefined' && /Mac|iP(hone|ad|od)/.test(navigator.platform)
}
