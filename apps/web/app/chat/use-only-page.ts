import { useEffect, useState } from 'react'
import { inOnePage } from '../ui/browser-memory.ts'

/**
 * Whether this page is elected to do something for all pages of this browser. When it closes or no longer wants it, the
 * page that has waited longest takes over.
 *
 * @param name  of the task, the same on all pages
 */
export function useOnlyPage(name: string, wanted: boolean): boolean {
  const [only, setOnly] = useState(false)
  useEffect(() => {
    if (!wanted) return
    const end = new AbortController()
    const ended = new Promise((resolve) => end.signal.addEventListener('abort', resolve))
    inOnePage(name, end.signal, () => {
      if (end.signal.aborted) return
      setOnly(true)
      return ended
    })
    return () => {
      end.abort()
      setOnly(false)
    }
  }, [name, wanted])
  return only
}
