import type { Attachment, Channel } from '@parley/client'
import { firstLink } from '@parley/protocol/links-in-text'
import { useEffect, useState } from 'react'
import { may } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { PREVIEW_REST_MS } from '../limits.ts'

export interface WrittenLink {
  /** What the first link of the text leads to; undefined while that is not known, or is nothing. */
  preview: Attachment | undefined
  /** The writer wants no preview of it. */
  isDismissed: boolean
  dismiss: () => void
}

/**
 * What the message will show of its first link, once the keys rest. A preview that was taken away stays away as long
 * as its link is being written; one that cannot be had is not spoken of [ux 7.12].
 */
export function useLinkPreview(channel: Channel, text: string): WrittenLink {
  const { client, clock } = useChat()
  const allowed = useChannelPart(channel, showsPreviews)
  const link = allowed ? firstLink(text) : undefined
  const [known, setKnown] = useState<ReadonlyMap<string, Attachment | undefined>>(new Map())
  const [dismissed, setDismissed] = useState<ReadonlySet<string>>(new Set())
  const isKnown = link === undefined || known.has(link)
  useEffect(() => {
    if (isKnown) return
    let current = true
    const keep = (preview: Attachment | undefined) =>
      current && setKnown((before) => new Map(before).set(link, preview))
    const callOff = clock.after(PREVIEW_REST_MS, () => void client.enrichURL(link).then(keep, () => keep(undefined)))
    return () => {
      current = false
      callOff()
    }
  }, [client, clock, link, isKnown])
  // An empty box is another message.
  if (text === '' && dismissed.size > 0) setDismissed(new Set())

  const isDismissed = link !== undefined && dismissed.has(link)
  return {
    preview: link === undefined || isDismissed ? undefined : known.get(link),
    isDismissed,
    dismiss: () => link !== undefined && setDismissed((before) => new Set(before).add(link)),
  }
}

const showsPreviews = (state: ReturnType<Channel['snapshot']>) =>
  state.data.config?.url_enrichment === true && may(state, 'send-links')
