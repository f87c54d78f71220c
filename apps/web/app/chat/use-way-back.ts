import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** The state of a history entry: how many layers cover its page. */
export interface Covered {
  layers?: number
}

/**
 * Makes the browser's back button close the layers over the page one by one before it leaves the page. Each layer has a
 * history entry; a layer that is closed in another way removes its entry.
 *
 * @param layers  how many cover the page
 * @param close  closes all layers above this number
 */
export function useWayBack(layers: number, close: (left: number) => void): void {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  // A pending navigation finishes first: another one would count from the wrong entry.
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
      // With an unchanged address the router would fetch the page again, and going back meanwhile would start one layer
      // lower.
      void navigate({ pathname, search, hash: `chat-${noted}` }, { state, preventScrollReset: true })
    }
  })
  const arrive = useEffectEvent(() => {
    const isOwn = leaving.current
    leaving.current = false
    if (isOwn) settle()
    else if (layersNoted() < layers) close(layersNoted())
  })
  // After a return to a page with layers they are closed for a moment.
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

/** Read from the browser's history, because the router navigates before it renders. */
function layersNoted(): number {
  return (history.state?.usr as Covered | null | undefined)?.layers ?? 0
}
