import { useEffect, useState } from 'react'

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
    const begin = () => {
      if (end.signal.aborted) return
      setOnly(true)
      return ended
    }
    // Pages on plain http have no Web Locks; each then works for itself.
    if (navigator.locks) navigator.locks.request(name, { signal: end.signal }, begin).catch(begin)
    else void begin()
    return () => {
      end.abort()
      setOnly(false)
    }
  }, [name, wanted])
  return only
}
