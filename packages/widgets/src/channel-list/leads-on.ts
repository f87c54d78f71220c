import type { KeyboardEvent } from 'react'
import { isComposing } from '../shortcuts/composing.ts'

/** Where the arrow key goes from a search field. */
const FIRST = '.chat-hit, .chat-channel-row'
/** What Enter opens: a matching name at once, a message once the search has ended. */
const BEST = '.chat-hit[data-kind=named], .chat-found[aria-busy=false] .chat-hit'

/**
 * The keys that lead from a search field to its results: the arrow moves there, and Enter opens the first one.
 *
 * @param place  selects the ancestor of the field that contains both
 */
export function leadsOn(event: KeyboardEvent<HTMLInputElement>, place: string) {
  if (isComposing(event.nativeEvent)) return
  const first = (what: string) => event.currentTarget.closest(place)?.querySelector<HTMLElement>(what)
  if (event.key === 'ArrowDown') first(FIRST)?.focus()
  else if (event.key === 'Enter') first(BEST)?.click()
  else return
  event.preventDefault()
}
