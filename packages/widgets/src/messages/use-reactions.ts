import type { Channel, ChatEvent, Reaction } from '@parley/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from '../chat/use-client.ts'

/** People asked for at a time. */
const PAGE = 50

/**
 * Those who reacted, newest first, page by page; who reacts or takes it back meanwhile comes and goes. A failure is shown
 * in the place of the list [TOA-31].
 */
export function useReactions(channel: Channel, messageId: string) {
  const client = useClient()
  const [reactions, setReactions] = useState<readonly Reaction[]>([])
  const [at, setAt] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const [next, setNext] = useState<string>()
  /** Taken back while a page was on its way, which may hold it still. */
  const gone = useRef<readonly Reaction[]>([])

  useEffect(() => {
    const follow = ({ type, message, reaction }: ReactionEvent) => {
      if (message.id !== messageId) return
      const isReplaced = (other: Reaction) =>
        type === 'reaction.updated' ? other.user_id === reaction.user_id : isSame(other, reaction)
      const isGone = type === 'reaction.deleted'
      gone.current = isGone ? [...gone.current, reaction] : gone.current.filter((other) => !isSame(other, reaction))
      setReactions((known) => [...(isGone ? [] : [reaction]), ...known.filter((other) => !isReplaced(other))])
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
    async (next?: string) => {
      setAt('loading')
      gone.current = []
      try {
        const page = await client.queryReactions(messageId, {}, [], { limit: PAGE, ...(next && { next }) })
        const isOut = (reaction: Reaction) => gone.current.some((other) => isSame(other, reaction))
        setReactions((known) => [
          ...known,
          ...page.reactions.filter((one) => !isOut(one) && !known.some((other) => isSame(other, one))),
        ])
        setNext(page.next)
        setAt('loaded')
      } catch {
        setAt('failed')
      }
    },
    [client, messageId],
  )
  useEffect(() => void load(), [load])
  return { at, reactions, hasMore: next !== undefined, load: () => void load(next) }
}

type ReactionEvent = ChatEvent<'reaction.new' | 'reaction.updated' | 'reaction.deleted'>

const isSame = (a: Reaction, b: Reaction) => a.user_id === b.user_id && a.type === b.type
