import { useEffect } from 'react'
import type { Elements } from '../elements.ts'

/** A selector, and the action on its element once it appears; pressed by default. */
export type Step = readonly [selector: string, act?: (found: HTMLElement) => void]

/**
 * A state that is reached only by interaction with a component. The example runs the steps by itself, one after the
 * other.
 */
export function Led({ steps, children }: { steps: readonly Step[]; children: Elements }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: an example starts once
  useEffect(() => {
    const ahead = [...steps]
    const go = () => {
      const [selector, act = (found: HTMLElement) => found.click()] = ahead[0] ?? []
      const found = selector && document.querySelector<HTMLElement>(`.story ${selector}`)
      if (!found) return
      ahead.shift()
      act(found)
      if (ahead.length === 0) seen.disconnect()
    }
    const seen = new MutationObserver(go)
    seen.observe(document.body, { childList: true, subtree: true, attributes: true })
    go()
    return () => seen.disconnect()
  }, [])
  return children
}

/** Types into a field. */
export const write = (text: string) => (field: HTMLElement) => {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set
  setter?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
