import { useSyncExternalStore } from 'react'

/** The product's theme; `system` follows the device. */
export type Theme = 'light' | 'dark' | 'system'

const DARK = '(prefers-color-scheme: dark)'

/**
 * The one theme class of the chat root [APP-11, APP-12].
 *
 * @param theme      the product's current theme
 * @param themeClass a class of the integrator's own, which overrides it
 * @param prefersDark the device's preference; called only for `system`
 */
export function themeClassOf(theme: Theme, themeClass: string | undefined, prefersDark: boolean): string {
  if (themeClass) return themeClass
  const dark = theme === 'dark' || (theme === 'system' && prefersDark)
  return dark ? 'chat-theme-dark' : 'chat-theme-light'
}

/** Follows the device's preference while mounted. On a server it is light. */
export function usePrefersDark(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(DARK).matches,
    () => false,
  )
}

function subscribe(listener: () => void) {
  const query = window.matchMedia(DARK)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
