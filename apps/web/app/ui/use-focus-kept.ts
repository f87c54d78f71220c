import { type RefObject, useEffect, useRef } from 'react'

const STOPS = ':is(a[href], button, input, select, textarea):not(:disabled, [hidden])'

/**
 * Keeps the focus when the focused element is removed by its own action, such as the row of a removed member. The
 * element in its place gets the focus, unless another one has taken it: the focus must never fall back to the body
 * [interface.md 4.2].
 */
export function useFocusKept<Place extends HTMLElement>(): RefObject<Place | null> {
  const root = useRef<Place>(null)
  useEffect(() => {
    const place = root.current
    if (!place) return
    let focused: Element | undefined
    let neighbours: Iterable<Node | null> = []
    const comes = ({ target }: FocusEvent) => {
      if (!place.contains(target as Element)) return
      focused = target as Element
      neighbours = []
    }
    const changes = new MutationObserver((records) => {
      if (focused && !focused.isConnected) {
        neighbours = neighboursOf(focused, records)
        focused = undefined
      }
      // A confirmation dialog closes after this, or before.
      if (document.activeElement === document.body) stopIn(neighbours)?.focus({ preventScroll: true })
    })
    document.addEventListener('focusin', comes)
    changes.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', comes)
      changes.disconnect()
    }
  }, [])
  return root
}

/** The surroundings of a removed element, nearest first. */
function* neighboursOf(gone: Element, records: readonly MutationRecord[]): Generator<Node | null> {
  const record = records.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)))
  if (!record) return
  yield record.nextSibling
  yield record.previousSibling
  for (let node: Node | null = record.target; node; node = node.parentNode) yield node
}

function stopIn(nodes: Iterable<Node | null>): HTMLElement | undefined {
  for (const node of nodes) {
    if (!(node instanceof HTMLElement) || !node.isConnected) continue
    const stop = node.matches(STOPS) ? node : node.querySelector<HTMLElement>(STOPS)
    if (stop) return stop
  }
  return undefined
}
