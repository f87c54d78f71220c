import { type ReactNode, useEffect } from 'react'

/** What is looked for, and what is done with it once it is there; it is pressed unless told. */
export type Step = readonly [selector: string, act?: (found: HTMLElement) => void]

/** A state that only a way through a component leads to. The story takes it by itself, a step after the other. */
export function Led({ steps, children }: { steps: readonly Step[]; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a story begins once
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

/** Writes into a field as somebody does who types. */
export const write = (text: string) => (field: HTMLElement) => {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set
  setter?.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
