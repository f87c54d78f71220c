import { type RefObject, useEffect } from 'react'
import { type Shortcut, shortcutOf } from '../shortcuts/shortcuts.ts'
import { useShortcutsSet } from '../shortcuts/use-shortcuts.ts'

/** A shortcut that works anywhere in the form around the element. */
export function useFormShortcut(element: RefObject<HTMLElement | null>, name: Shortcut, press: () => void) {
  const shortcutsSet = useShortcutsSet()
  useEffect(() => {
    const form = element.current?.closest('form')
    const onKey = (event: KeyboardEvent) => {
      if (!shortcutOf([name], event, shortcutsSet())) return
      event.preventDefault()
      press()
    }
    form?.addEventListener('keydown', onKey)
    return () => form?.removeEventListener('keydown', onKey)
  })
}
