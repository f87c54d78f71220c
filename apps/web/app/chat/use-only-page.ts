import { useEffect, useState } from 'react'

/**
 * Whether this page is the one that does something for all pages of this browser. When it is closed or wants it no
 * more, the page that has waited longest takes its place.
 *
 * @param name  of what it does, the same in all pages
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
    // Pages that came over plain http have no locks, and each does it for itself.
    if (navigator.locks) navigator.locks.request(name, { signal: end.signal }, begin).catch(begin)
    else void begin()
    return () => {
      end.abort()
      setOnly(false)
    }
  }, [name, wanted])
  return only
}
