import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Hold } from './hold.ts'

/** Whether a voice message is being recorded here; afterwards the focus returns to the text box. */
export function useRecording(box: RefObject<HTMLElement | null>) {
  const [active, setActive] = useState(false)
  const [hold, setHold] = useState<Hold>()
  const before = useRef(false)
  useEffect(() => {
    if (before.current && !active) box.current?.focus()
    before.current = active
  }, [active, box])
  const begin = (held?: Hold) => {
    setHold(held)
    setActive(true)
  }
  return { active, hold, begin, end: () => setActive(false) }
}
