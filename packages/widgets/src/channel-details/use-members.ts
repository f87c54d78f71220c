import type { Channel, Member } from '@parley/client'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { personName } from '../chat/seen-name.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { MEMBERS_PAGE, SEARCH_REST_MS } from '../limits.ts'

export interface Members {
  members: readonly Member[]
  at: 'loading' | 'loaded' | 'failed'
  hasMore: boolean
  load: () => void
}

/**
 * The members of a channel whose names begin with what is sought, those who run it first. A channel that is known whole is
 * searched at once; in a larger one the server searches, page by page.
 */
export function useMembers(channel: Channel, sought: string, language: string): Members {
  const { clock } = useChat()
  const { members: known, data } = useChannelState(channel)
  const owner = data.created_by?.id
  const all = Object.values(known)
  const isWhole = all.length >= (data.member_count ?? all.length)

  const [found, setFound] = useState<{ sought: string; members: readonly Member[]; hasMore: boolean }>()
  const [failed, setFailed] = useState(false)
  const [loading, setLoading] = useState(false)
  const query = sought.trim()
  const offset = found?.sought === query ? found.members.length : 0
  const load = useCallback(async () => {
    setFailed(false)
    setLoading(true)
    try {
      const filter = query === '' ? {} : { name: { $autocomplete: query } }
      const { members } = await channel.queryMembers(filter, [{ user_id: 1 }], { limit: MEMBERS_PAGE, offset })
      setFound((before) => ({
        sought: query,
        members: [...(before?.sought === query && offset > 0 ? before.members : []), ...members],
        hasMore: members.length === MEMBERS_PAGE,
      }))
    } catch {
      setFailed(true)
    } finally {
      setLoading(false)
    }
  }, [channel, query, offset])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each search begins with its first page; more when asked for.
  useEffect(() => {
    if (!isWhole) return clock.after(query === '' ? 0 : SEARCH_REST_MS, () => void load())
  }, [channel, clock, isWhole, query])

  const order = useMemo(() => new Intl.Collator(language, { sensitivity: 'base', numeric: true }), [language])
  const members = isWhole
    ? all
        .filter(({ user }) => begins(user ? personName(user) : '', query, language))
        .sort((a, b) => rank(a, owner) - rank(b, owner) || order.compare(nameOfMember(a), nameOfMember(b)))
    : (found?.members ?? []).map((member) => known[member.user_id ?? ''] ?? member)
  const at = isWhole ? 'loaded' : failed ? 'failed' : loading || !found ? 'loading' : 'loaded'
  return { members, at, hasMore: !isWhole && (found?.hasMore ?? false), load: () => void load() }
}

export function nameOfMember({ user, user_id = '' }: Member): string {
  return user?.name || user_id
}

/** Whoever made the channel, then who keeps order in it, then everybody else. */
function rank(member: Member, owner: string | undefined): number {
  return member.user_id === owner ? 0 : member.channel_role === 'channel_moderator' ? 1 : 2
}

/** Whether a word of the name begins with what is sought, whatever the accents. */
function begins(name: string, sought: string, language: string): boolean {
  const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase(language)
  return sought === '' || ` ${plain(name)}`.includes(` ${plain(sought)}`)
}
