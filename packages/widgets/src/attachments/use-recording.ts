import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whether a voice is being recorded here; afterwards the focus is back in the text box. */
export function useRecording(box: RefObject<HTMLElement | null>) {
  const [active, setActive] = useState(false)
  const before = useRef(false)
  useEffect(() => {
    if (before.current && !active) box.current?.focus()
    before.current = active
  }, [active, box])
  return { active, begin: () => setActive(true), end: () => setActive(false) }
}
