import type { ChatClient, ChatEvent, Clock } from '@parley/client'
import { useEffect } from 'react'
import { mutedCidsOf, mutedIdsOf } from '../moderation/own-lists.ts'

/** Plays a sound for a message from somebody else that nobody is looking at, unless that person or channel is muted. */
export function useSounds(client: ChatClient, clock: Clock, on: boolean) {
  useEffect(() => {
    if (!on) return
    const heard = ({ cid, message }: ChatEvent<'message.new'> | ChatEvent<'notification.message_new'>) => {
      if (message.user.id === client.userID || message.silent || message.shadowed || document.hasFocus()) return
      const now = clock.now()
      if (mutedIdsOf(client, now).includes(message.user.id) || mutedCidsOf(client, now).includes(cid)) return
      void import('./message-sound.ts').then(({ playMessageSound }) => playMessageSound(clock.now()))
    }
    const listening = [client.on('message.new', heard), client.on('notification.message_new', heard)]
    return () => {
      for (const subscription of listening) subscription.unsubscribe()
    }
  }, [client, clock, on])
}
