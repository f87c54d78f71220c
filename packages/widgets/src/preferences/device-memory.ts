/** The value this device stores under a name; some browsers throw on access. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

/** If the browser stores nothing, or its storage is full, the value is lost. */
export function remember(name: string, value: string) {
  try {
    localStorage.setItem(name, value)
  } catch {}
}

/** The storage of this device; undefined on a server, and in browsers that throw on access. */
export function deviceMemory(): Storage | undefined {
  try {
    return typeof window === 'undefined' ? undefined : window.localStorage
  } catch {
    return undefined
  }
}

/**
 * Does something unless another page of this browser has just done it.
 *
 * @param over  fulfilled when other pages may do it again
 */
export function inOnePage(name: string, act: () => void, over: () => Promise<void>) {
  // Pages from plain http have no locks, and each acts for itself; so does one in a browser that refuses them.
  if (!navigator.locks) return act()
  const taken = async (lock: Lock | null) => {
    if (!lock) return
    act()
    await over()
  }
  navigator.locks.request(name, { ifAvailable: true }, taken).catch(act)
}
