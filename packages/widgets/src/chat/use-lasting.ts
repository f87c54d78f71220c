import { useEffect, useState } from 'react'
import { useChat } from './chat-context.ts'

/** True once a condition has held for so many ms, until it ends. */
export function useLasting(lasts: boolean, ms: number): boolean {
  const { clock } = useChat()
  const [long, setLong] = useState(false)
  useEffect(() => {
    if (!lasts) return
    const cancel = clock.after(ms, () => setLong(true))
    return () => {
      cancel()
      setLong(false)
    }
  }, [lasts, ms, clock])
  return lasts && long
}
