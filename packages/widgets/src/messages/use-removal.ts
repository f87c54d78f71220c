import type { Channel, LocalMessage } from '@parley/client'
import { useAnnounce } from '../announcer/use-announce.ts'
import { useClient } from '../chat/use-client.ts'
import { DELETE_UNDO_MS } from '../limits.ts'
import type { Notices } from '../notices/notices.ts'
import { detailsOf, useNotices } from '../notices/use-notices.ts'
import { wasNeverSent } from './message-parts.ts'

/**
 * Deletes a message, at once on this screen. One's own can be undone as long as the notice stands that says so; only then
 * does it go for everybody else [MSG-40].
 */
export function useRemoval(channel: Channel): (message: LocalMessage, options?: { forGood: boolean }) => void {
  const client = useClient()
  const notices = useNotices()
  const announce = useAnnounce()
  return (message, { forGood } = { forGood: false }) => {
    const isUndoable = message.user.id === client.userID && !forGood && !wasNeverSent(message)
    const offer = isUndoable ? offerUndo(notices, message.id) : undefined
    channel.remove(message.id, { hard: forGood, ...(offer && { until: offer.over }) }).then(
      () => !offer && announce('deleted'),
      (error) => {
        if (error === UNDONE) return announce('restored')
        offer?.close()
        notices.show('error', 'delete.failed', { details: detailsOf(error) })
      },
    )
  }
}

/** Nobody wanted it after all. */
const UNDONE = Symbol('undone')

/** Fulfilled when the notice is gone or the page may not come back; rejected when somebody undoes it. */
function offerUndo(notices: Notices, messageId: string) {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>()
  const { id } = notices.show('success', 'message.deleted', {
    // Two deletions are two notices, each with a way back of its own.
    values: { id: messageId },
    action: { label: 'undo', run: () => reject(UNDONE) },
    lifeMs: DELETE_UNDO_MS,
    onGone: resolve,
  })
  const close = () => notices.close(id)
  const leave = () => document.visibilityState === 'hidden' && close()
  document.addEventListener('visibilitychange', leave)
  addEventListener('pagehide', close)
  const forget = () => {
    document.removeEventListener('visibilitychange', leave)
    removeEventListener('pagehide', close)
  }
  over.then(forget, forget)
  return { over, close }
}
