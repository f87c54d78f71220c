import { byTime, type Channel, type ChatEvent, type Reaction } from '@parley/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from '../chat/use-client.ts'
import { REACTIONS_PAGE } from '../limits.ts'

/** How far the reactions of one kind, or of all, are loaded. */
interface Known {
  at: 'loading' | 'loaded' | 'failed'
  /** the cursor of the next page */
  next: string | undefined
}

/**
 * The users who reacted, newest first, page by page; live events add and remove reactions. Of the chosen kind all are
 * found, however old they are. A failure is shown in place of the list [TOA-31].
 *
 * @param types  the types of the chosen reaction; empty for all
 */
export function useReactions(channel: Channel, messageId: string, types: readonly string[]) {
  const kind = types.map(encodeURIComponent).join(' ')
  const client = useClient()
  const [reactions, setReactions] = useState<readonly Reaction[]>([])
  const [lists, setLists] = useState<Readonly<Record<string, Known>>>({})
  /** All events received; a page may be older than the events that arrived while it was loading. */
  const told = useRef<ReactionEvent[]>([])

  useEffect(() => {
    const follow = (event: ReactionEvent) => {
      if (event.message.id !== messageId) return
      told.current.push(event)
      setReactions((known) => after(known, event))
    }
    const listening = [
      channel.on('reaction.new', follow),
      channel.on('reaction.updated', follow),
      channel.on('reaction.deleted', follow),
    ]
    return () => {
      for (const subscription of listening) subscription.unsubscribe()
    }
  }, [channel, messageId])

  const load = useCallback(
    async (kind: string, next?: string) => {
      const knows = (list: Known) => setLists((lists) => ({ ...lists, [kind]: list }))
      knows({ at: 'loading', next })
      const before = told.current.length
      try {
        const page = await client.queryReactions(messageId, filterOf(kind), [], {
          limit: REACTIONS_PAGE,
          ...(next && { next }),
        })
        setReactions((known) => {
          const fresh = page.reactions.filter((one) => !known.some((other) => isSame(other, one)))
          const all = [...known, ...fresh].sort((a, b) => byTime(b.created_at, a.created_at))
          return told.current.slice(before).reduce(after, all)
        })
        knows({ at: 'loaded', next: page.next })
      } catch {
        knows({ at: 'failed', next })
      }
    },
    [client, messageId],
  )
  const all = lists['']
  const list = all?.at === 'loaded' && !all.next ? all : lists[kind]
  const isUnknown = list === undefined
  useEffect(() => {
    if (isUnknown) void load(kind)
  }, [load, kind, isUnknown])
  return {
    at: list?.at ?? 'loading',
    reactions: reactions.filter(({ type }) => types.length === 0 || types.includes(type)),
    hasMore: list?.next !== undefined,
    load: () => void load(kind, list?.next),
  }
}

function filterOf(kind: string) {
  const [type, ...more] = kind.split(' ').map(decodeURIComponent)
  return more.length > 0 ? { type: { $in: [type!, ...more] } } : type ? { type } : {}
}

type ReactionEvent = ChatEvent<'reaction.new' | 'reaction.updated' | 'reaction.deleted'>

function after(known: readonly Reaction[], { type, reaction }: ReactionEvent): readonly Reaction[] {
  const goes = (other: Reaction) =>
    type === 'reaction.updated' ? other.user_id === reaction.user_id : isSame(other, reaction)
  return [...(type === 'reaction.deleted' ? [] : [reaction]), ...known.filter((other) => !goes(other))]
}

const isSame = (a: Reaction, b: Reaction) => a.user_id === b.user_id && a.type === b.type
