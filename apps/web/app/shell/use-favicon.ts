import { useEffect } from 'react'

/** The tab's icon, with a dot while there are unread messages; an installed app shows the count on its icon. */
export function useFavicon(unread: number) {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (link) link.href = unread > 0 ? '/icon-unread.svg' : '/icon.svg'
    // Not every browser supports it, and any may refuse it.
    if (unread > 0) navigator.setAppBadge?.(unread).catch(() => {})
    else navigator.clearAppBadge?.().catch(() => {})
  }, [unread])
}
