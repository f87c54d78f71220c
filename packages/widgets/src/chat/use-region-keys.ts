import { type RefObject, useEffect } from 'react'
import { focusBack } from '../dialog/focus-back.ts'
import type { Preferences } from '../preferences/preferences.ts'
import { keysOf, keysPressed } from '../shortcuts/shortcuts.ts'

/** The regions F6 moves through, in the order of the page. */
const REGIONS = '.chat-channels, .chat-header, .chat-messages, .chat-composer, aside, .chat-notices'
const DIALOGS = '[role=dialog], [role=alertdialog]'
/** The focus target of a region: its text box, the tab stop of its collection, else its first control. */
const STOPS = ['textarea', '[tabindex="0"]', 'a[href]:not([tabindex="-1"]), button:not([tabindex="-1"])']

/**
 * F6 and Shift+F6, or the user's own shortcuts, move to the next and the previous region of the chat; in browsers that
 * keep F6 for themselves, Ctrl+F6 or Cmd+F6 do [interface.md 4.2].
 */
export function useRegionKeys(root: RefObject<HTMLElement | null>, preferences: Preferences) {
  useEffect(() => {
    const element = root.current
    if (!element) return
    const go = (event: KeyboardEvent) => {
      const keys = keysOf('region', preferences.snapshot())
      const pressed = keysPressed(event).replace('Shift+', '')
      if (pressed !== keys && pressed !== `Mod+${keys}`) return
      // A dialog keeps the focus until it is closed.
      if (element.querySelector(DIALOGS)) return
      const stops = [...element.querySelectorAll<HTMLElement>(REGIONS)].flatMap((region) => {
        const stop = stopOf(region)
        return stop && isShown(region) ? [{ region, stop }] : []
      })
      const at = stops.findIndex(({ region }) => region.contains(document.activeElement))
      const step = event.shiftKey ? -1 : 1
      const next = stops[at < 0 ? 0 : (at + step + stops.length) % stops.length]
      if (!next) return
      event.preventDefault()
      next.stop.focus()
    }
    const end = new AbortController()
    window.addEventListener('keydown', go, end)
    return () => end.abort()
  }, [root, preferences])
}

/**
 * A focused element may be removed by its own action, like "Try again". The dialog or region around it then gets the
 * focus, at once; if that is removed as well, the element that opened it may take the focus, else the first region
 * does: the focus must never fall to the page [interface.md 4.2]. A component with a better target focuses it in the
 * same commit.
 */
export function useFocusKeptInside(root: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = root.current
    if (!element) return
    let focused: Element | undefined
    let lost: Element | undefined
    let place: HTMLElement | null
    const comes = ({ target }: FocusEvent) => {
      focused = target as Element
      lost = undefined
      place = focused.closest(`${DIALOGS}, ${REGIONS}`)
    }
    const gone = new MutationObserver(() => {
      if (!focused || focused.isConnected || focused === lost) return
      const one = focused
      lost = one
      const stop = place?.isConnected && stopOf(place)
      // An element that got the focus since handles its own removal.
      if (!stop) focusBack(() => (focused === one ? stopOf(place?.isConnected ? place : element) : undefined))
      else if (document.activeElement === document.body) stop.focus({ preventScroll: true })
    })
    element.addEventListener('focusin', comes)
    gone.observe(element, { childList: true, subtree: true })
    return () => {
      element.removeEventListener('focusin', comes)
      gone.disconnect()
    }
  }, [root])
}

function stopOf(region: HTMLElement): HTMLElement | undefined {
  for (const stop of STOPS) {
    const element = region.querySelector<HTMLElement>(stop)
    if (element) return element
  }
  return undefined
}

function isShown(region: HTMLElement): boolean {
  return region.checkVisibility() && !region.closest('[inert]')
}
