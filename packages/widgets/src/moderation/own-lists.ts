import type { ChatClient } from '@parley/client'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useChat } from '../chat/chat-context.ts'

/** The users the reader has muted; `now` in ms, since an expired mute is still listed [MOD-15]. */
export function mutedIdsOf({ mutedUsers }: ChatClient, now: number): readonly string[] {
  return mutedUsers.filter((mute) => lasts(mute, now)).map(({ target }) => target.id)
}

/** The conversations the reader has muted, by cid. */
export function mutedCidsOf({ mutedChannels }: ChatClient, now: number): readonly string[] {
  return mutedChannels.filter((mute) => lasts(mute, now)).map(({ channel }) => channel.cid)
}

function lasts({ expires }: { expires?: string }, now: number): boolean {
  return !expires || new Date(expires).getTime() > now
}

/** Follows the reader's muted users. */
export function useMutedIds(): ReadonlySet<string> {
  const { client, clock } = useChat()
  return useOwnIds(client, () => mutedIdsOf(client, clock.now()))
}

/** Follows the reader's blocked users. */
export function useBlockedIds(): ReadonlySet<string> {
  const { client } = useChat()
  return useOwnIds(client, () => client.blockedUserIds)
}

/** Follows the reader's muted conversations. */
export function useMutedChannels(): ReadonlySet<string> {
  const { client, clock } = useChat()
  return useOwnIds(client, () => mutedCidsOf(client, clock.now()))
}

/** The reader's own lists change with events and with every new connection; the client notifies listeners of both. */
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
