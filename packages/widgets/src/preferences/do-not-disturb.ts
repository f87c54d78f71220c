/** Until when somebody has put off what tells them of messages: sounds, notices of the browser, and what is pushed. */
import type { ChatClient, OwnUser } from '@parley/client'

/** In ms; 0 where nothing was put off, and in the past where it has ended. */
export function quietUntil({ user }: Pick<ChatClient, 'user'>): number {
  return Date.parse((user as OwnUser | undefined)?.push_preferences?.disabled_until ?? '') || 0
}

/** Tells of every change, on whatever device it was made. */
export function onQuiet(client: ChatClient, heard: () => void): () => void {
  const end = client.connection.subscribe(heard)
  const updates = client.on('user.updated', heard)
  return () => {
    end()
    updates.unsubscribe()
  }
}
