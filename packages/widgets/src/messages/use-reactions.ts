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
 * @param kind  the type of the reactions; empty for all
 */
export function useReactions(channel: Channel, messageId: string, kind: string) {
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
        const page = await client.queryReactions(messageId, kind ? { type: kind } : {}, [], {
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
    reactions: reactions.filter(({ type }) => !kind || type === kind),
    hasMore: list?.next !== undefined,
    load: () => void load(kind, list?.next),
  }
}

type ReactionEvent = ChatEvent<'reaction.new' | 'reaction.updated' | 'reaction.deleted'>

function after(known: readonly Reaction[], { type, reaction }: ReactionEvent): readonly Reaction[] {
  const goes = (other: Reaction) =>
    type === 'reaction.updated' ? other.user_id === reaction.user_id : isSame(other, reaction)
  return [...(type === 'reaction.deleted' ? [] : [reaction]), ...known.filter((other) => !goes(other))]
}

const isSame = (a: Reaction, b: Reaction) => a.user_id === b.user_id && a.type === b.type
