import { messageShortcuts, type Pressed, type ShortcutsSet, shortcutOf } from '../shortcuts/shortcuts.ts'
import type { MessageAction } from './message-actions.ts'

/** The actions of a key on a focused message; the first one that is offered is run [interface.md 4.4]. */
export function actionsOfKey(pressed: Pressed, set: ShortcutsSet): readonly MessageAction[] {
  const name = shortcutOf(messageShortcuts, pressed, set)
  if (!name) return []
  return name === 'pin' ? ['pin', 'unpin'] : [name]
}
