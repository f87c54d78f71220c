import type { HTMLAttributes, Ref, RefObject } from 'react'

/** The props of every component for its outermost element: a ref, a class name, styles, and any attribute. */
export interface RootProps<Root extends HTMLElement = HTMLElement> extends Omit<HTMLAttributes<Root>, 'children'> {
  ref?: Ref<Root>
  [data: `data-${string}`]: unknown
}

type Handler = (...given: unknown[]) => void

/**
 * The props of a component's outermost element: its own and the caller's. Class names and styles are merged, handlers
 * are called one after the other, and any other attribute of the caller overrides.
 */
export function rootProps<Root extends HTMLElement>(
  own: RootProps<Root> & { className: string },
  given: RootProps<Root>,
): RootProps<Root> {
  const joined: Record<string, unknown> = { ...own, ...given }
  if (given.className) joined.className = `${own.className} ${given.className}`
  if (own.style && given.style) joined.style = { ...own.style, ...given.style }
  if (own.ref && given.ref) joined.ref = joinedRefs(own.ref, given.ref)
  for (const [name, handler] of Object.entries(own)) {
    const other = (given as Record<string, unknown>)[name]
    if (!/^on[A-Z]/.test(name) || typeof handler !== 'function' || typeof other !== 'function') continue
    joined[name] = (...event: unknown[]) => {
      ;(other as Handler)(...event)
      ;(handler as Handler)(...event)
    }
  }
  return joined as RootProps<Root>
}

/** React calls a ref again for every new function, so the same two refs return the same one. */
const joins = new WeakMap<object, WeakMap<object, Ref<never>>>()

function joinedRefs<Root>(own: Ref<Root>, given: Ref<Root>): Ref<Root> {
  const known = joins.get(own as object) ?? new WeakMap<object, Ref<never>>()
  joins.set(own as object, known)
  const joined =
    (known.get(given as object) as Ref<Root> | undefined) ??
    ((element: Root | null) => {
      const ends = [own, given].map((ref) => put(ref, element))
      return () => {
        for (const end of ends) end()
      }
    })
  known.set(given as object, joined as Ref<never>)
  return joined
}

function put<Root>(ref: Ref<Root>, element: Root | null): () => void {
  if (typeof ref === 'function') {
    const end = ref(element)
    return typeof end === 'function' ? end : () => void ref(null)
  }
  if (ref) (ref as RefObject<Root | null>).current = element
  return () => {
    if (ref) (ref as RefObject<Root | null>).current = null
  }
}
