import type { TextKey, TextValues } from '../i18n/translate.ts'
import type { Notices } from './notices.ts'

/** Nobody wanted it after all. */
export const UNDONE = Symbol('undone')

/**
 * Says in a notice what is about to happen for everybody, and lets it be undone as long as the notice stands.
 *
 * @param values  with something that tells one thing from another, so that each has a way back of its own
 * @returns `over`: fulfilled when the notice is gone or the page may not come back; rejected with `UNDONE` when
 *   somebody undoes it
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
