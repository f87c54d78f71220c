/** The end of do not disturb: until then there are no sounds, browser notifications or push. */
import type { ChatClient, OwnUser } from '@parley/client'

/** In ms; 0 if it was never on, and in the past if it has ended. */
export function quietUntil({ user }: Pick<ChatClient, 'user'>): number {
  return Date.parse((user as OwnUser | undefined)?.push_preferences?.disabled_until ?? '') || 0
}

/** Calls back on every change, from any device. */
export function onQuiet(client: ChatClient, heard: () => void): () => void {
  const end = client.connection.subscribe(heard)
  const updates = client.on('user.updated', heard)
  return () => {
    end()
    updates.unsubscribe()
  }
}
