import type { ChatClient, ChatEvent, Clock } from '@parley/client'
import { useEffect } from 'react'
import { isMuted } from '../chat/channel-facts.ts'

/** Plays a sound for a message from somebody else that nobody is looking at, unless that person or channel is muted. */
export function useSounds(client: ChatClient, clock: Clock, on: boolean) {
  useEffect(() => {
    if (!on) return
    const heard = ({ cid, message }: ChatEvent<'message.new'> | ChatEvent<'notification.message_new'>) => {
      const isMutedPerson = client.mutedUsers.some(({ target }) => target.id === message.user.id)
      if (message.user.id === client.userID || message.silent || message.shadowed) return
      if (document.hasFocus() || isMutedPerson || isMuted(client, cid)) return
      void import('./message-sound.ts').then(({ playMessageSound }) => playMessageSound(clock.now()))
    }
    const listening = [client.on('message.new', heard), client.on('notification.message_new', heard)]
    return () => {
      for (const subscription of listening) subscription.unsubscribe()
    }
  }, [client, clock, on])
}
