import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** What an entry of the history keeps: how many layers cover its page. */
export interface Covered {
  layers?: number
}

/**
 * Lets the browser's way back close, one by one, what covers the page, and only then leave the page. Each layer has an
 * entry in the history; where it is closed otherwise, the entry goes with it.
 *
 * @param layers  how many cover the page
 * @param close  closes all above so many
 */
export function useWayBack(layers: number, close: (left: number) => void): void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  // A way that was begun is gone to its end first: one from here would be counted from another entry.
  const leaving = useRef(false)
  const settle = useEffectEvent(() => {
    if (leaving.current) return
    let noted = layersNoted()
    if (noted > layers) {
      leaving.current = true
      return void navigate(layers - noted)
    }
    while (noted < layers) {
      noted += 1
      const state: Covered = { layers: noted }
      // The same address would be fetched anew, and a way back meanwhile would begin at the layer below.
      void navigate({ pathname, search, hash: `chat-${noted}` }, { state, preventScrollReset: true })
    }
  })
  const arrive = useEffectEvent(() => {
    const isOwn = leaving.current
    leaving.current = false
    if (isOwn) settle()
    else if (layersNoted() < layers) close(layersNoted())
  })
  // Whoever comes back to layers finds them closed for a moment.
  const mayBeClosed = useRef(true)
  useEffect(() => {
    if (mayBeClosed.current && layers === 0) return
    mayBeClosed.current = false
    settle()
  }, [layers])
  useEffect(() => {
    addEventListener('popstate', arrive)
    return () => removeEventListener('popstate', arrive)
  }, [])
}

/** As the history has it, where the router arrives before its pages are drawn. */
function layersNoted(): number {
  return (history.state?.usr as Covered | null | undefined)?.layers ?? 0
}
