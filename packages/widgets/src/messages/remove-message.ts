import type { Channel, ChatClient, LocalMessage } from '@parley/client'
import type { useAnnounce } from '../announcer/use-announce.ts'
import { DELETE_UNDO_MS } from '../limits.ts'
import type { Notices } from '../notices/notices.ts'
import { offerUndo, UNDONE } from '../notices/offer-undo.ts'
import { wasNeverSent } from './message-parts.ts'

/** The channel of a deleted message, and its notices. */
export interface RemovalScene {
  client: ChatClient
  channel: Channel
  notices: Notices
  announce: ReturnType<typeof useAnnounce>
}

/**
 * Deletes a message, at once on this screen. One's own can be restored while the notice is shown; only then is it
 * deleted for other members [MSG-40].
 */
export function removeMessage(
  { client, channel, notices, announce }: RemovalScene,
  message: LocalMessage,
  { forGood } = { forGood: false },
) {
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
