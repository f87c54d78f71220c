import type { TextKey, TextValues } from '../i18n/translate.ts'
import type { Notices } from './notices.ts'

/** The user undid the action. */
export const UNDONE = Symbol('undone')

/**
 * Shows a notice before an action takes effect for other users, and lets the user undo it while the notice is shown.
 *
 * @param values  with a value that is unique to the object, so that each action has its own undo
 * @returns `over`: fulfilled when the notice is gone or the page may not come back; rejected with `UNDONE` when the
 *   user undoes it
 */
export function offerUndo(notices: Notices, says: TextKey, values: TextValues, lifeMs: number) {
  const { promise: over, resolve, reject } = Promise.withResolvers<void>()
  const { id } = notices.show('success', says, {
    values,
    action: { label: 'undo', run: () => reject(UNDONE) },
    lifeMs,
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
