import type { Attachment, Channel, Message } from '@parley/client'
import { personName } from '../chat/seen-name.ts'
import { SHARED_PAGE } from '../limits.ts'
import { safeLink } from '../messages/safe-link.ts'
import { type Pages, usePages } from './use-pages.ts'

export type SharedKind = 'media' | 'files'

/** One shared photo, video or file. */
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

/** The attachments of a channel, newest first, page by page. */
export function useShared(channel: Channel, kind: SharedKind): Pages<Shared> {
  return usePages<Shared, string>({
    source: channel,
    query: kind,
    restMs: 0,
    keyOf: ({ key }) => key,
    async find(_, next, signal) {
      const filter = { 'attachments.type': { $in: types[kind] } }
      const options = next === undefined ? { sort: [{ created_at: -1 as const }] } : { next }
      const page = await channel.search(filter, { limit: SHARED_PAGE, ...options }, { signal })
      return { items: page.results.flatMap(({ message }) => sharedIn(message, kind)), next: page.next }
    },
  })
}

function sharedIn({ id, user, created_at, attachments = [] }: Message, kind: SharedKind): Shared[] {
  return attachments.flatMap((attachment, place) => {
    const link = safeLink(attachment.asset_url ?? attachment.image_url ?? attachment.thumb_url ?? '')?.href
    if (!types[kind].includes(attachment.type ?? '') || !link) return []
    const by = user ? personName(user) : ''
    return [{ key: `${id} ${place}`, messageId: id, attachment, link, sent: new Date(created_at), by }]
  })
}

/** In groups of one month each. */
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
