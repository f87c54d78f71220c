import type { Channel, ChannelState, LocalMessage } from '@parley/client'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLatest } from '../chat/use-latest.ts'
import type { MessageListHandle } from '../message-list/MessageList.tsx'
import type { ScrollPosition } from '../message-list/scroll-engine.ts'

/** A message to go to. Another object goes there again, also for the same message. */
export interface MessageTarget {
  id: string
}

interface Reply {
  target: MessageTarget
  parentId: string
}

export interface TargetScene {
  channel: Channel
  target: MessageTarget | undefined
  /** The page's entry in the browser's history. */
  visit: string | undefined
  list: MessageListHandle | null
  /** The open thread. */
  thread: string | undefined
  openThread: (parentId: string, messageId: string) => void
}

/**
 * Goes to a message of the channel: in its list, or in its thread. For one that is deleted, or hidden from this reader,
 * a notice is shown and the list does not move. Back from a jump, the former reading position is restored [interface.md
 * 6.4].
 *
 * @returns the reply for the open thread to go to
 */
export function useTarget({
  channel,
  target,
  visit,
  list,
  thread,
  openThread,
}: TargetScene): MessageTarget | undefined {
  const [reply, setReply] = useState<Reply>()
  const opened = useLatest(thread)
  const visits = useVisits()
  useEffect(() => {
    if (!list) return
    const came = visits(visit)
    if (came.back) {
      if (came.to) list.returnTo(came.to)
      return
    }
    if (!target) return
    let current = true
    const go = (found: Placed | undefined) => {
      if (!current) return
      const parentId = found?.show_in_channel ? undefined : found?.parent_id
      if (!parentId) {
        came.from(list.position())
        return list.jumpTo(target.id)
      }
      setReply({ target, parentId })
      if (opened.current !== parentId) openThread(parentId, target.id)
    }
    const loaded = loadedMessage(channel.snapshot(), target.id)
    if (loaded) go(loaded)
    else
      channel.getMessagesById([target.id]).then(
        ({ messages }) => go(messages[0]),
        () => go(undefined),
      )
    return () => {
      current = false
    }
  }, [channel, target, visit, visits, list, openThread, opened])
  return reply?.target === target && reply?.parentId === thread ? reply?.target : undefined
}

/**
 * The visited entries of the browser's history, in their order, and the reading position at a jump to one. Back among
 * them, no jump is repeated.
 */
function useVisits() {
  const now = useRef<string>(undefined)
  const [known] = useState(() => new Map<string | undefined, ScrollPosition | undefined>())
  return useCallback(
    (visit: string | undefined) => {
      const keys = [...known.keys()]
      const [from, to] = [keys.indexOf(now.current), keys.indexOf(visit)]
      now.current = visit
      if (to < 0) {
        // Entries ahead can no longer be reached.
        for (const key of keys.slice(from + 1)) known.delete(key)
        known.set(visit, undefined)
      }
      const back = to >= 0 && to < from
      const left = back ? keys.slice(to + 1, from + 1).map((key) => known.get(key)) : []
      return {
        back,
        to: left.find((position) => position !== undefined),
        from: (position: ScrollPosition) => known.set(visit, position),
      }
    },
    [known],
  )
}

interface Placed {
  parent_id?: string
  show_in_channel?: boolean
}

function loadedMessage({ sets, threads }: ChannelState, id: string): LocalMessage | undefined {
  const inThreads = Object.values(threads).flatMap((thread) => thread.sets)
  return [...sets, ...inThreads].flatMap(({ messages }) => messages).find((message) => message.id === id)
}
