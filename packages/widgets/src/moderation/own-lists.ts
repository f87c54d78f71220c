import type { ChatClient } from '@parley/client'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useChat } from '../chat/chat-context.ts'

/** Whom the reader has muted, without mutes whose time is over [MOD-15]. */
export function mutedIdsOf(client: ChatClient, now: number): readonly string[] {
  return client.mutedUsers.flatMap(({ target, expires }) =>
    expires && new Date(expires).getTime() <= now ? [] : [target.id],
  )
}

/** Follows whom the reader mutes. */
export function useMutedIds(): ReadonlySet<string> {
  const { client, clock } = useChat()
  return useOwnIds(client, () => mutedIdsOf(client, clock.now()))
}

/** Follows whom the reader blocks. */
export function useBlockedIds(): ReadonlySet<string> {
  const { client } = useChat()
  return useOwnIds(client, () => client.blockedUserIds)
}

/** Follows which conversations the reader has silenced. */
export function useMutedChannels(): ReadonlySet<string> {
  const { client } = useChat()
  return useOwnIds(client, () => client.mutedChannels.map(({ channel }) => channel.cid))
}

/** Lists of one's own change with events and with every new connection; both are told to listeners of the client. */
function useOwnIds(client: ChatClient, pick: () => readonly string[]): ReadonlySet<string> {
  const subscribe = useCallback(
    (listener: () => void) => {
      const subscription = client.on(listener)
      return () => subscription.unsubscribe()
    },
    [client],
  )
  const snapshot = () => JSON.stringify(pick())
  const ids = useSyncExternalStore(subscribe, snapshot, snapshot)
  return useMemo(() => new Set<string>(JSON.parse(ids)), [ids])
}
