import type { TextKey } from '../i18n/translate.ts'
import { messageShortcuts, type Shortcut } from './shortcuts.ts'

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
  region: 'shortcuts.region',
  reply: 'actions.reply',
  thread: 'actions.thread',
  edit: 'actions.edit',
  react: 'actions.addReaction',
  pin: 'actions.pin',
  markUnread: 'actions.markUnread',
  copy: 'actions.copy',
  copyLink: 'actions.copyLink',
  flag: 'actions.flag',
  delete: 'actions.delete',
  bold: 'format.bold',
  italic: 'format.italic',
  strike: 'format.strike',
  code: 'format.code',
  attach: 'uploads.attach',
  voice: 'voice.record',
}

export type ShortcutPlace = 'anywhere' | 'messages' | 'writing'

export interface ShortcutGroup {
  title: TextKey
  shortcuts: readonly Shortcut[]
  /** keys that mean the same in every list or text box, and so cannot be set */
  fixed: readonly { keys: string; says: TextKey }[]
}

/** Where shortcuts work. */
export const groups: Record<ShortcutPlace, ShortcutGroup> = {
  anywhere: {
    title: 'shortcuts.anywhere',
    shortcuts: [
      'find',
      'search',
      'searchEverywhere',
      'next',
      'previous',
      'nextUnread',
      'previousUnread',
      'threads',
      'readAll',
      'help',
      'region',
    ],
    fixed: [],
  },
  messages: {
    title: 'shortcuts.messages',
    shortcuts: messageShortcuts,
    fixed: [
      { keys: 'ArrowUp ArrowDown', says: 'shortcuts.move' },
      { keys: 'Enter', says: 'shortcuts.enter' },
      { keys: 'Escape', says: 'shortcuts.leave' },
    ],
  },
  writing: {
    title: 'shortcuts.writing',
    shortcuts: ['bold', 'italic', 'strike', 'code', 'attach', 'voice'],
    fixed: [
      { keys: 'Mod+Enter', says: 'composer.send' },
      { keys: 'Shift+Enter', says: 'shortcuts.newLine' },
      { keys: 'ArrowUp', says: 'shortcuts.editLast' },
      { keys: 'Shift+ArrowUp', says: 'shortcuts.quoteLast' },
      { keys: '@ : /', says: 'shortcuts.complete' },
    ],
  },
}
