import type { TextKey } from '../i18n/translate.ts'
import { type Shortcut, spelt } from './shortcuts.ts'

/** What each shortcut does. */
export const says: Record<Shortcut, TextKey> = {
  find: 'shortcuts.find',
  search: 'search.open',
  searchEverywhere: 'search.all',
  next: 'shortcuts.next',
  previous: 'shortcuts.previous',
  nextUnread: 'shortcuts.nextUnread',
  previousUnread: 'shortcuts.previousUnread',
  threads: 'threads.title',
  readAll: 'threads.markAll',
  help: 'shortcuts.help',
}

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
    { keys: 'Mod+B Mod+I Mod+Shift+X Mod+E', says: 'shortcuts.marks' },
    { keys: '@ : /', says: 'shortcuts.complete' },
    { keys: 'Alt2+A', says: 'uploads.attach' },
    { keys: 'Alt2+V', says: 'voice.record' },
  ],
} as const satisfies Record<string, readonly { keys: string; says: TextKey }[]>

const symbols: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', Delete: 'Del' }
const macSymbols: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↩', ...symbols }

/** The keys of a shortcut as they are written on the keyboard; several in a row are either or. */
export function keysShown(keys: string, mac: boolean): string[][] {
  const names = mac ? macSymbols : { Mod: 'Ctrl', ...symbols }
  return keys.split(' ').map((one) => {
    const parts = one === '+' ? ['+'] : spelt(one, mac).split('+')
    return parts.map((part) => names[part as keyof typeof names] ?? part)
  })
}
