import { messageShortcuts, type Pressed, type ShortcutsSet, shortcutOf } from '../shortcuts/shortcuts.ts'
import type { MessageAction } from './message-actions.ts'

/** What a key asks for on a focused message; the first action that is offered is taken [interface.md 4.4]. */
export function actionsOfKey(pressed: Pressed, set: ShortcutsSet): readonly MessageAction[] {
  const name = shortcutOf(messageShortcuts, pressed, set)
  if (!name) return []
  return name === 'pin' ? ['pin', 'unpin'] : [name]
}
