import { remember, remembered } from '../ui/browser-memory.ts'

/** Which notifications which user has turned on in this browser, which several users may share. */
const WISHES = 'parley-notifications'

export interface Wishes {
  /** The user to notify here while no page is open. */
  away?: string
  /** The user to notify here while no page is visible. */
  hidden?: string
}

/** Whether a user wants notifications on this device at all, or while no page is visible. */
export function wantsNotices(personId: string, kind?: 'hidden'): boolean {
  if (!('Notification' in window) || Notification.permission !== 'granted') return false
  const { away, hidden } = wishes()
  return hidden === personId || (kind === undefined && away === personId)
}

/** Calls back for every change, in this page or in another one of this browser. */
export function onWish(heard: () => void): () => void {
  for (const name of [WISHES, 'storage']) addEventListener(name, heard)
  return () => {
    for (const name of [WISHES, 'storage']) removeEventListener(name, heard)
  }
}

export function wishes(): Wishes {
  return (remembered(WISHES) ?? {}) as Wishes
}

export function wish(wishes: Wishes) {
  remember(WISHES, wishes)
  dispatchEvent(new Event(WISHES))
}
