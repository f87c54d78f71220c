import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { type TextKey, useTranslate } from '../i18n/translate.ts'

/**
 * If sending becomes forbidden while the text box has the focus, the reason takes the focus; otherwise it is announced
 * [interface.md 4.2].
 */
export function useFocusKept(forbidden: TextKey | undefined): RefObject<HTMLParagraphElement | null> {
  const t = useTranslate()
  const announce = useAnnounce()
  const reason = useRef<HTMLParagraphElement>(null)
  const before = useRef(forbidden)
  useLayoutEffect(() => {
    const begins = forbidden !== undefined && before.current === undefined
    before.current = forbidden
    if (!begins) return
    if (document.activeElement === document.body) reason.current?.focus({ preventScroll: true })
    else announce('notice', { text: t(forbidden) })
  }, [forbidden, announce, t])
  return reason
}
