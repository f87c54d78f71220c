import type { Channel, User } from '@parley/client'
import { useSyncExternalStore } from 'react'

/** The others who are writing in the channel itself, in the order they began [TYP-3, TYP-7]. */
export function useTypists({ typists }: Channel): readonly User[] {
  return useSyncExternalStore(typists.subscribe, typists.snapshot, typists.snapshot)
}
