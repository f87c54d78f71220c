import type { Channel, ChannelState, LocalMessage } from '@parley/client'
import { useEffect, useState } from 'react'
import { useLatest } from '../chat/use-latest.ts'
import type { MessageListHandle } from '../message-list/MessageList.tsx'

/** A message to go to. Another object asks anew, also for the same message. */
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
  list: MessageListHandle | null
  /** The open thread. */
  thread: string | undefined
  openThread: (parentId: string, messageId: string) => void
}

/**
 * Leads to a message of the channel: in its list, or in the thread it belongs to. One that is gone, or not for this
 * reader, is said to be so and the list stays where it was [ux 6.4].
 *
 * @returns the reply for the open thread to go to
 */
export function useTarget({ channel, target, list, thread, openThread }: TargetScene): MessageTarget | undefined {
  const [reply, setReply] = useState<Reply>()
  const opened = useLatest(thread)
  useEffect(() => {
    if (!target || !list) return
    let current = true
    const go = (found: Placed | undefined) => {
      if (!current) return
      const parentId = found?.show_in_channel ? undefined : found?.parent_id
      if (!parentId) return list.jumpTo(target.id)
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
  }, [channel, target, list, openThread, opened])
  return reply?.target === target && reply?.parentId === thread ? reply?.target : undefined
}

interface Placed {
  parent_id?: string
  show_in_channel?: boolean
}

function loadedMessage({ sets, threads }: ChannelState, id: string): LocalMessage | undefined {
  const inThreads = Object.values(threads).flatMap((thread) => thread.sets)
  return [...sets, ...inThreads].flatMap(({ messages }) => messages).find((message) => message.id === id)
}
