import { type RefObject, useEffect, useRef } from 'react'
import type { TextKey } from '../i18n/translate.ts'

/** Where writing is forbidden while somebody writes, the reason takes the focus that the text box had [ux 4.2]. */
export function useFocusKept(forbidden: TextKey | undefined): RefObject<HTMLParagraphElement | null> {
  const reason = useRef<HTMLParagraphElement>(null)
  const before = useRef(forbidden)
  useEffect(() => {
    const begins = forbidden !== undefined && before.current === undefined
    before.current = forbidden
    if (begins && document.activeElement === document.body) reason.current?.focus({ preventScroll: true })
  }, [forbidden])
  return reason
}
