import type { Channel, Member } from '@parley/client'
import { useMemo } from 'react'
import { nameOfUser, personName } from '../chat/seen-name.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { isCalled } from '../i18n/folded.ts'
import { MEMBERS_PAGE, SEARCH_REST_MS } from '../limits.ts'
import { type Pages, usePages } from './use-pages.ts'

export interface Members extends Omit<Pages<Member>, 'items'> {
  members: readonly Member[]
}

/**
 * The members of a channel whose names begin with the search text, moderators first. A channel whose members are all
 * loaded is searched locally; for a larger one the server searches, page by page.
 */
export function useMembers(channel: Channel, sought: string, language: string): Members {
  const { members: known, data } = useChannelState(channel)
  const owner = data.created_by?.id
  const all = Object.values(known)
  const isWhole = all.length >= (data.member_count ?? all.length)
  const query = sought.trim()
  const found = usePages<Member, string>({
    source: isWhole ? undefined : channel,
    query,
    restMs: query === '' ? 0 : SEARCH_REST_MS,
    keyOf: ({ user_id = '' }) => user_id,
    async find(name, after, signal) {
      const filter = name === '' ? {} : { name: { $autocomplete: name } }
      const page = { limit: MEMBERS_PAGE, ...(after !== undefined && { user_id_gt: after }) }
      const { members } = await channel.queryMembers(filter, [{ user_id: 1 }], page, { signal })
      return { items: members, next: members.length === MEMBERS_PAGE ? members.at(-1)?.user_id : undefined }
    },
  })

  const order = useMemo(() => new Intl.Collator(language, { sensitivity: 'base', numeric: true }), [language])
  const members = isWhole
    ? all
        .filter(({ user }) => isCalled(user ? personName(user) : '', query))
        .sort((a, b) => rank(a, owner) - rank(b, owner) || order.compare(nameOfUser(a), nameOfUser(b)))
    : found.items.map((member) => known[member.user_id ?? ''] ?? member)
  return isWhole ? { ...found, members, at: 'loaded', hasMore: false } : { ...found, members }
}

/** The creator of the channel, then its moderators, then the other members. */
function rank(member: Member, owner: string | undefined): number {
  return member.user_id === owner ? 0 : member.channel_role === 'channel_moderator' ? 1 : 2
}
