import type { Attachment, Channel } from '@parley/client'
import { useCallback, useEffect, useState } from 'react'
import { personName } from '../chat/seen-name.ts'
import { SHARED_PAGE } from '../limits.ts'
import { safeLink } from '../messages/safe-link.ts'

export type SharedKind = 'media' | 'files'

/** One photo, film or file that somebody sent. */
export interface Shared {
  key: string
  messageId: string
  attachment: Attachment
  link: string
  sent: Date
  by: string
}

const types: Record<SharedKind, readonly string[]> = {
  media: ['image', 'video'],
  files: ['file', 'audio', 'voiceRecording'],
}

/** What was sent in a channel besides words, newest first, page by page. */
export function useShared(channel: Channel, kind: SharedKind) {
  const [shared, setShared] = useState<readonly Shared[]>([])
  const [next, setNext] = useState<string>()
  const [at, setAt] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const load = useCallback(async () => {
    setAt('loading')
    try {
      const filter = { 'attachments.type': { $in: types[kind] } }
      const options = next === undefined ? { sort: [{ created_at: -1 as const }] } : { next }
      const page = await channel.search(filter, { limit: SHARED_PAGE, ...options })
      const found = page.results.flatMap(({ message }) =>
        (message.attachments ?? []).flatMap((attachment, place) => {
          const link = safeLink(attachment.asset_url ?? attachment.image_url ?? attachment.thumb_url ?? '')?.href
          if (!types[kind].includes(attachment.type ?? '') || !link) return []
          const by = message.user ? personName(message.user) : ''
          const sent = new Date(message.created_at)
          return [{ key: `${message.id} ${place}`, messageId: message.id, attachment, link, sent, by }]
        }),
      )
      setShared((known) => (next === undefined ? found : [...known, ...found]))
      setNext(page.next)
      setAt('loaded')
    } catch {
      setAt('failed')
    }
  }, [channel, kind, next])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first page is loaded once; more when asked for.
  useEffect(() => void load(), [channel, kind])
  return { shared, at, hasMore: next !== undefined, load: () => void load() }
}

/** In stretches of one month each. */
export function byMonth(shared: readonly Shared[]): { month: Date; shared: Shared[] }[] {
  const months: { month: Date; shared: Shared[] }[] = []
  for (const one of shared) {
    const month = new Date(one.sent.getFullYear(), one.sent.getMonth())
    const last = months.at(-1)
    if (last?.month.getTime() === month.getTime()) last.shared.push(one)
    else months.push({ month, shared: [one] })
  }
  return months
}
