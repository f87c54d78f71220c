import type { Channel, ChannelState, LocalMessage, MessageSet, Thread } from '@parley/client'
import { useCallback, useEffect, useState } from 'react'
import { useChannelPart } from '../chat/use-channel-state.ts'
import { useClient } from '../chat/use-client.ts'
import { currentSet, newestMessage } from '../message-list/loaded-sets.ts'
import { lineAtOpening, type NewMessagesLine } from '../message-list/new-messages-line.ts'
import { useAwake } from '../message-list/use-reading.ts'

export interface OpenedThread {
  /** Undefined until it is known. */
  parent: LocalMessage | undefined
  /** The loaded run of replies. */
  set: MessageSet | undefined
  /** The newest reply, loaded or not. */
  newest: LocalMessage | undefined
  /** The replies around the first position are loaded. */
  ready: boolean
  failed: unknown
  retry: () => void
  line: NewMessagesLine | undefined
  load: (direction: 'older' | 'newer') => Promise<void>
}

/**
 * Opens the thread of a message, and marks it read while the reader looks at it. There is no thread on the server
 * before the first reply [THR-31]; until then there is the parent and an empty list.
 */
export function useThread(channel: Channel, parentId: string): OpenedThread {
  const client = useClient()
  const awake = useAwake()
  const parent = useChannelPart(
    channel,
    useCallback((state: ChannelState) => parentIn(state, parentId), [parentId]),
  )
  const set = useChannelPart(
    channel,
    useCallback(({ threads }: ChannelState) => threads[parentId] && currentSet(threads[parentId]), [parentId]),
  )
  const newest = useChannelPart(
    channel,
    useCallback(({ threads }: ChannelState) => threads[parentId] && newestMessage(threads[parentId]), [parentId]),
  )
  const [opened, setOpened] = useState<{ thread: Thread; line: NewMessagesLine | undefined }>()
  const [ready, setReady] = useState(false)
  const [failed, setFailed] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const hasReplies = !parent || parent.reply_count > 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads again
  useEffect(() => {
    let current = true
    const open = async () => {
      if (hasReplies) {
        const thread = await client.getThread(parentId)
        const read = client.userID === undefined ? undefined : thread.snapshot().read[client.userID]
        if (current) setOpened((known) => known ?? { thread, line: lineAtOpening(read) })
        await thread.loadOlder()
      } else await channel.getReplies(parentId)
      if (current) setReady(true)
    }
    open().catch((error) => current && setFailed(error))
    return () => {
      current = false
    }
  }, [client, channel, parentId, hasReplies, attempt])

  const thread = opened?.thread
  useEffect(() => {
    if (!thread || !awake) return
    thread.show()
    return () => thread.hide()
  }, [thread, awake])

  return {
    parent,
    set,
    newest,
    ready,
    failed,
    line: opened?.line,
    retry() {
      setFailed(undefined)
      setAttempt((count) => count + 1)
    },
    async load(direction) {
      await (direction === 'older' ? thread?.loadOlder() : thread?.loadNewer())
    },
  }
}

function parentIn(state: ChannelState, id: string): LocalMessage | undefined {
  const is = (message: LocalMessage) => message.id === id
  return state.threads[id]?.parent ?? state.sets.flatMap(({ messages }) => messages).find(is)
}
