import { useEffect } from 'react'

/** The picture in the browser's tab: with a dot while something is unread; an installed app counts on its icon. */
export function useFavicon(unread: number) {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link) link.href = unread > 0 ? '/icon-unread.svg' : '/icon.svg'
    // Not every browser has it, and none has to allow it.
    if (unread > 0) navigator.setAppBadge?.(unread).catch(() => {})
    else navigator.clearAppBadge?.().catch(() => {})
  }, [unread])
}
