import type { ChatClient, Clock } from '@parley/client'
import { useEffect } from 'react'

/** Plays a sound for new messages; the code is loaded if the preference is on. */
export function useSounds(client: ChatClient, clock: Clock, on: boolean) {
  useEffect(() => {
    if (!on) return
    const playing = import('./sounds.ts').then(
      ({ playSounds }) => playSounds(client, clock),
      () => undefined,
    )
    return () => void playing.then((end) => end?.())
  }, [client, clock, on])
}
