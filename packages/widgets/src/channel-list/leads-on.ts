import type { KeyboardEvent } from 'react'
import { isComposing } from '../shortcuts/composing.ts'

/** What the arrow goes to from a search field. */
const FIRST = '.chat-hit, .chat-channel-row'
/** What Enter opens: a name that fits is there with the key, a message once the search has ended. */
const BEST = '.chat-hit[data-kind=named], .chat-found[aria-busy=false] .chat-hit'

/**
 * The keys that lead from a search field to what was found: the arrow goes there, and Enter opens the first of it.
 *
 * @param place  selects what holds both, around the field
 */
export function leadsOn(event: KeyboardEvent<HTMLInputElement>, place: string) {
  if (isComposing(event.nativeEvent)) return
  const first = (what: string) => event.currentTarget.closest(place)?.querySelector<HTMLElement>(what)
  if (event.key === 'ArrowDown') first(FIRST)?.focus()
  else if (event.key === 'Enter') first(BEST)?.click()
  else return
  event.preventDefault()
}
