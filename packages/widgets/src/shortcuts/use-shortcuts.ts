import { createContext, useContext, useEffect } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { useLatest } from '../chat/use-latest.ts'
import type { Preferences } from '../preferences/preferences.ts'
import { PreferencesContext } from '../preferences/use-preferences.ts'
import { isComposing } from './composing.ts'
import { type Shortcut, type ShortcutsSet, shortcutOf } from './shortcuts.ts'

/** The handler of a shortcut; `false` leaves the key to the browser. */
type Run = () => unknown

/** The handlers by shortcut; the last one added runs first. */
export type ShortcutRegistry = Map<Shortcut, Run[]>

export const OpenShortcuts = createContext<() => void>(() => {})

/** Opens the list of all shortcuts. */
export function useOpenShortcuts(): () => void {
  return useContext(OpenShortcuts)
}

/** The user's setting, read when a key is pressed: it causes no render. */
export function useShortcutsSet(): () => ShortcutsSet {
  return useContext(PreferencesContext)!.snapshot
}

/** Handles a shortcut while mounted. Returning `false` leaves the key to the browser. */
export function useShortcut(name: Shortcut, run: Run) {
  const { shortcuts } = useChat()
  const latest = useLatest(run)
  useEffect(() => {
    const own = () => latest.current()
    shortcuts.set(name, [own, ...(shortcuts.get(name) ?? [])])
    return () => void shortcuts.set(name, shortcuts.get(name)?.filter((other) => other !== own) ?? [])
  }, [shortcuts, name, latest])
}

/**
 * Listens for shortcuts: on the whole page, or only while the focus is inside the chat. A dialog keeps all keys to
 * itself.
 */
export function useShortcutKeys(
  registry: ShortcutRegistry,
  root: () => HTMLElement | null,
  preferences: Preferences,
  { everywhere }: { everywhere: boolean },
) {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event)) return
      const name = shortcutOf(registry.keys(), event, preferences.snapshot())
      const [run] = (name && registry.get(name)) ?? []
      const element = root()
      if (!run || !element?.checkVisibility()) return
      if (!everywhere && !element.contains(document.activeElement)) return
      if (document.querySelector('[role=dialog], [role=alertdialog]')) return
      if (run() !== false) event.preventDefault()
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [registry, root, preferences, everywhere])
}
