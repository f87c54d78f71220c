import type { TextKey } from '../i18n/translate.ts'
import { messageShortcuts, type Shortcut } from './shortcuts.ts'

/** The action of each shortcut. */
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
  send: 'composer.send',
  editLast: 'shortcuts.editLast',
  quoteLast: 'shortcuts.quoteLast',
  bold: 'format.bold',
  italic: 'format.italic',
  strike: 'format.strike',
  code: 'format.code',
  attach: 'uploads.attach',
  voice: 'voice.record',
}

export type ShortcutPlace = 'anywhere' | 'messages' | 'writing'

/** Where shortcuts work. */
export const groups: Record<ShortcutPlace, { title: TextKey; shortcuts: readonly Shortcut[] }> = {
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
  },
  messages: { title: 'shortcuts.messages', shortcuts: messageShortcuts },
  writing: {
    title: 'shortcuts.writing',
    shortcuts: ['send', 'editLast', 'quoteLast', 'bold', 'italic', 'strike', 'code', 'attach', 'voice'],
  },
}

/** Keys that cannot be changed, and their actions. */
export interface FixedGroup {
  title: TextKey
  keys: readonly { keys: string; says: TextKey }[]
}

/** Keys with the same meaning in every list, text box or layer. */
export function fixedGroups({ enterSends, rightToLeft }: { enterSends: boolean; rightToLeft: boolean }): FixedGroup[] {
  const [back, onward] = rightToLeft ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
  return [
    {
      title: groups.writing.title,
      keys: [
        ...(enterSends ? ([{ keys: 'Enter', says: 'composer.send' }] as const) : []),
        { keys: enterSends ? 'Shift+Enter' : 'Enter', says: 'shortcuts.newLine' },
        { keys: '@ : /', says: 'shortcuts.complete' },
        { keys: 'Mod+Z', says: 'undo' },
      ],
    },
    {
      title: groups.messages.title,
      keys: [
        { keys: 'ArrowUp ArrowDown', says: 'shortcuts.move' },
        { keys: 'Home End', says: 'shortcuts.ends' },
        { keys: 'Enter', says: 'shortcuts.enter' },
        { keys: 'Shift+F10', says: 'shortcuts.menu' },
        { keys: 'Escape', says: 'shortcuts.leave' },
      ],
    },
    {
      title: 'channels.label',
      keys: [
        { keys: 'ArrowUp', says: 'shortcuts.previous' },
        { keys: 'ArrowDown', says: 'shortcuts.next' },
        { keys: 'Enter', says: 'channels.open' },
        { keys: 'Shift+F10', says: 'shortcuts.menu' },
      ],
    },
    {
      title: 'lightbox.label',
      keys: [
        { keys: back!, says: 'lightbox.previous' },
        { keys: onward!, says: 'lightbox.next' },
        { keys: '+', says: 'lightbox.zoomIn' },
        { keys: '-', says: 'lightbox.zoomOut' },
        { keys: '0', says: 'lightbox.zoomReset' },
        { keys: 'Escape', says: 'lightbox.close' },
      ],
    },
    {
      title: 'message.audio',
      keys: [
        { keys: 'Space', says: 'shortcuts.play' },
        { keys: 'ArrowLeft ArrowRight', says: 'shortcuts.seek' },
        { keys: 'ArrowUp ArrowDown', says: 'shortcuts.speed' },
      ],
    },
  ]
}
