/** What this browser was asked for on this device, and by whom; a device may have several people. */
const WISHES = 'parley-notifications'

export interface Wishes {
  /** Whoever wants to be notified here while no page is open. */
  away?: string
  /** Whoever wants to be notified here while no page is looked at. */
  hidden?: string
}

/** Whether a person wants to be notified on this device at all, or while no page of it is looked at. */
export function wantsNotices(personId: string, kind?: 'hidden'): boolean {
  if (!('Notification' in window) || Notification.permission !== 'granted') return false
  const { away, hidden } = wishes()
  return hidden === personId || (kind === undefined && away === personId)
}

/** Tells of every wish that changes, in this page or in another one of this browser. */
export function onWish(heard: () => void): () => void {
  for (const name of [WISHES, 'storage']) addEventListener(name, heard)
  return () => {
    for (const name of [WISHES, 'storage']) removeEventListener(name, heard)
  }
}

export function wishes(): Wishes {
  try {
    return JSON.parse(localStorage.getItem(WISHES) ?? '{}')
  } catch {
    return {}
  }
}

export function wish(wishes: Wishes) {
  localStorage.setItem(WISHES, JSON.stringify(wishes))
  dispatchEvent(new Event(WISHES))
}
