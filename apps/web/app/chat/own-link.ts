import { isCid } from '@parley/protocol/cid'
import type { MouseEvent } from 'react'
import { channelPath } from './message-path.ts'

/** Where a link of this product leads: a conversation, and perhaps a message of it. */
export interface OwnPlace {
  cid: string
  message: string | undefined
  path: string
}

/**
 * Where a press on a link in a message leads to a place here, so that it is gone to on this page; the browser is kept from
 * opening another one. Undefined for other links, and where somebody wants another tab or window.
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

/** Anybody may write an address that is none. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
