import type { Channel, ChatClient } from '@parley/client'
import { splitCid } from '@parley/protocol/cid'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useClient } from '../chat/use-client.ts'
import { useUserId } from '../chat/use-user-id.ts'
import { MESSAGES_PAGE } from '../limits.ts'

/** A channel that is being opened. `missing`: it does not exist, or not for this user. */
export type OpenedChannel =
  | { at: 'loading'; channel?: Channel }
  | { at: 'loaded'; channel: Channel }
  | { at: 'missing' }
  | { at: 'failed'; error: unknown; retry: () => void }

type Outcome = { at: 'missing' } | { at: 'failed'; error: unknown }

/**
 * Opens the channel of a cid and watches it, with its first 25 messages, once a user is signed in, and again for the
 * next user. A cached channel is available at once; one that is removed while open becomes `missing` and throws nothing.
 */
export function useChannel(cid: string): OpenedChannel {
  const client = useClient()
  const [attempt, setAttempt] = useState(0)
  const user = useUserId()
  const [ended, setEnded] = useState<{ cid: string; user: string; attempt: number; outcome: Outcome }>()
  const [opened, setOpened] = useState<{ cid: string; user: string; channel: Channel }>()

  useEffect(() => {
    if (user === undefined) return
    let current = true
    const end = (outcome: Outcome) => current && setEnded({ cid, user, attempt, outcome })
    try {
      const { type, id } = splitCid(cid)
      const channel = client.channel(type, id)
      setOpened({ cid, user, channel })
      // A channel that was just created is cached, but not watched yet.
      if (!channel.initialized || channel.state.watcher_count === 0)
        find(client, cid).then(
          (found) => found || end({ at: 'missing' }),
          (error) => end(isMissing(error) ? { at: 'missing' } : { at: 'failed', error }),
        )
    } catch (error) {
      end({ at: 'failed', error })
    }
    return () => {
      current = false
    }
  }, [client, user, cid, attempt])

  const channel = opened?.cid === cid && opened.user === user ? opened.channel : undefined
  const readiness = useReadiness(channel)
  const retry = useCallback(() => setAttempt((count) => count + 1), [])

  const isOfThis = ended?.cid === cid && ended.user === user && ended.attempt === attempt
  const outcome = isOfThis ? ended.outcome : undefined
  if (readiness === 'gone') return { at: 'missing' }
  if (channel && readiness === 'loaded') return { at: 'loaded', channel }
  if (outcome?.at === 'missing') return outcome
  if (outcome) return { ...outcome, retry }
  return { at: 'loading', channel }
}

/**
 * Whether the channel exists; if so, it is watched from now on. Watching it directly would create a channel for every
 * mistyped address.
 */
async function find(client: ChatClient, cid: string): Promise<boolean> {
  const hiddenOrNot = [{ hidden: true }, { hidden: false }]
  const channels = await client.queryChannels({ cid, $or: hiddenOrNot }, [], { limit: 1, message_limit: MESSAGES_PAGE })
  return channels.length > 0
}

/** Once loaded, a channel remains loaded during a resync. */
function useReadiness(channel: Channel | undefined): 'loading' | 'loaded' | 'gone' {
  const [loaded, setLoaded] = useState<Channel>()
  const subscribe = useCallback((listener: () => void) => channel?.subscribe(listener) ?? (() => {}), [channel])
  const snapshot = () => {
    const state = channel?.snapshot()
    if (state?.disconnected) return 'gone'
    return state?.initialized ? 'loaded' : 'loading'
  }
  const now = useSyncExternalStore(subscribe, snapshot, () => 'loading' as const)
  if (now === 'loaded' && loaded !== channel) setLoaded(channel)
  return now === 'loading' && channel && loaded === channel ? 'loaded' : now
}

/** "Does not exist" and "not allowed" are indistinguishable to the client. */
function isMissing(error: unknown): boolean {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return status === 404 || status === 403
}
