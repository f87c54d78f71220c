import type { Channel, LocalMessage } from '@parley/client'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useClient } from '../chat/use-client.ts'
import { DELETE_UNDO_MS } from '../limits.ts'
import { offerUndo, UNDONE } from '../notices/offer-undo.ts'
import { useNotices } from '../notices/use-notices.ts'
import { wasNeverSent } from './message-parts.ts'

/**
 * Deletes a message, at once on this screen. One's own can be undone as long as the notice stands that says so; only
 * then does it go for everybody else [MSG-40].
 */
export function useRemoval(channel: Channel): (message: LocalMessage, options?: { forGood: boolean }) => void {
  const client = useClient()
  const notices = useNotices()
  const announce = useAnnounce()
  return (message, { forGood } = { forGood: false }) => {
    const isUndoable = message.user.id === client.userID && !forGood && !wasNeverSent(message)
    const says = { id: message.id }
    const offer = isUndoable ? offerUndo(notices, 'message.deleted', says, DELETE_UNDO_MS) : undefined
    channel.remove(message.id, { hard: forGood, ...(offer && { until: offer.over }) }).then(
      () => !offer && announce('deleted'),
      (error) => {
        if (error === UNDONE) return announce('restored')
        offer?.close()
        notices.failed('delete.failed', error)
      },
    )
  }
}
