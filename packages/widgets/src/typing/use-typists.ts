import type { Channel, User } from '@parley/client'
import { useContext, useSyncExternalStore } from 'react'
import { useMutedIds } from '../moderation/own-lists.ts'
import { InThread } from '../threads/thread-scope.ts'

/**
 * The other users who are typing, in the thread around or else in the channel itself, in the order they began; without
 * those the reader muted [TYP-7].
 */
export function useTypists(channel: Channel): readonly User[] {
  const muted = useMutedIds()
  const typists = channel.typistsIn(useContext(InThread))
  const users = useSyncExternalStore(typists.subscribe, typists.snapshot, typists.snapshot)
  return users.filter((user) => !muted.has(user.id))
}
