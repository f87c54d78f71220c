import type { LocalMessage } from '@parley/client'
import { useLayoutEffect, useRef } from 'react'
import { usePreferences } from '../preferences/use-preferences.ts'

/** Sending scrolls to the sent message from any position, unless the reader's preference is to stay. */
export function useEndOnSending(newest: LocalMessage | undefined, me: string | undefined, toEnd: () => void) {
  const [{ stays }] = usePreferences()
  const sent = useRef<string>(undefined)
  const sending =
    newest?.status === 'sending' && newest.attempt !== 'edit' && newest.user.id === me ? newest.id : undefined
  useLayoutEffect(() => {
    if (sending === undefined || sending === sent.current) return
    sent.current = sending
    if (!stays) toEnd()
  })
}
