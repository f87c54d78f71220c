import type { Channel, LocalMessage } from '@parley/client'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useChat } from '../chat/chat-context.ts'

/** Deletes a message; see `removeMessage`, which is loaded with the confirmation dialog. */
export function useRemoval(channel: Channel): (message: LocalMessage, options?: { forGood: boolean }) => void {
  const { client, notices } = useChat()
  const announce = useAnnounce()
  return (message, options) =>
    import('./DeleteDialog.tsx').then(
      ({ removeMessage }) => removeMessage({ client, channel, notices, announce }, message, options),
      (error) => notices.failed('delete.failed', error),
    )
}
