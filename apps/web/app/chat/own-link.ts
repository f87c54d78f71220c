import { isCid } from '@parley/protocol/cid'
import type { MouseEvent } from 'react'
import { channelPath } from './message-path.ts'

/** The target of a link to this product: a conversation, and perhaps a message in it. */
export interface OwnPlace {
  cid: string
  message: string | undefined
  path: string
}

/**
 * The target of a click on a link in a message, if it leads to a place in this product; the browser then does not open
 * another page. Undefined for other links, and for clicks that open another tab or window.
 */
export function followOwn(event: MouseEvent): OwnPlace | undefined {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = (event.target as Element).closest('a')
  const start = channelPath('')
  if (link?.target !== '_blank' || link.origin !== location.origin || !link.pathname.startsWith(start)) return undefined
  const { pathname, search } = link
  const cid = decoded(pathname.slice(start.length))
  if (!isCid(cid)) return undefined
  event.preventDefault()
  return { cid, message: new URLSearchParams(search).get('message') ?? undefined, path: pathname + search }
}

/** The address may be malformed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
