import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'

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
  const { key, pathname, search, state } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const { layers: noted = 0 } = (state ?? {}) as Covered
  const seen = useRef<string>(undefined)
  // A way that was begun is gone to its end first: one from here would be counted from another entry.
  const moving = useRef(false)
  const settle = useEffectEvent(() => {
    const isFirst = seen.current === undefined
    const hasMoved = !isFirst && seen.current !== key
    seen.current = key
    if (hasMoved) moving.current = false
    // Whoever comes back to layers finds them closed for a moment.
    if (isFirst && layers === 0) return
    if (noted === layers || moving.current) return
    if (noted < layers) {
      if (hasMoved && isBack) return close(noted)
      // Whoever goes to another page has left this one and its layers behind.
      if (hasMoved && noted === 0) return
    }
    moving.current = true
    if (noted > layers) return void navigate(layers - noted)
    const state: Covered = { layers: noted + 1 }
    // The same address would be fetched anew, and a way back meanwhile would begin at the layer below.
    void navigate({ pathname, search, hash: `chat-${noted + 1}` }, { state, preventScrollReset: true })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: both are what is settled anew when it changes.
  useEffect(() => settle(), [layers, key])
}
