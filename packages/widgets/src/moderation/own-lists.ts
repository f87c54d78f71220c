import type { ChatClient } from '@parley/client'
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useChat } from '../chat/chat-context.ts'

/** Whom the reader has muted; `now` in ms, since a mute whose time is over is still listed [MOD-15]. */
export function mutedIdsOf({ mutedUsers }: ChatClient, now: number): readonly string[] {
  return mutedUsers.filter((mute) => lasts(mute, now)).map(({ target }) => target.id)
}

/** Which conversations the reader has silenced, by cid. */
export function mutedCidsOf({ mutedChannels }: ChatClient, now: number): readonly string[] {
  return mutedChannels.filter((mute) => lasts(mute, now)).map(({ channel }) => channel.cid)
}

function lasts({ expires }: { expires?: string }, now: number): boolean {
  return !expires || new Date(expires).getTime() > now
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
  const { client, clock } = useChat()
  return useOwnIds(client, () => mutedCidsOf(client, clock.now()))
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
