import type { Channel, User } from '@parley/client'
import { useSyncExternalStore } from 'react'
import { useMutedIds } from '../moderation/own-lists.ts'

/** The others who are writing in the channel itself, in the order they began; without those the reader muted [TYP-7]. */
export function useTypists({ typists }: Channel): readonly User[] {
  const muted = useMutedIds()
  const users = useSyncExternalStore(typists.subscribe, typists.snapshot, typists.snapshot)
  return users.filter((user) => !muted.has(user.id))
}
