import type { MessageAction } from './message-actions.ts'

/** The keys of a focused message; the first action that is offered is taken [ux 4.4]. */
const keys: Record<string, readonly MessageAction[]> = {
  r: ['reply'],
  t: ['thread'],
  e: ['edit'],
  '+': ['react'],
  p: ['pin', 'unpin'],
  u: ['markUnread'],
  c: ['copy'],
  l: ['copyLink'],
  f: ['flag'],
  delete: ['delete'],
}

/** What a key asks for, by the character it makes and not by its place on the keyboard. */
export function actionOfKey(event: {
  key: string
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
}): readonly MessageAction[] {
  if (event.ctrlKey || event.metaKey || event.altKey) return []
  return keys[event.key.toLowerCase()] ?? []
}
