/**
 * What this browser remembers. It may refuse to, be full, or give back what nobody wrote: then values last as long as the
 * page, and what cannot be read counts as absent.
 */

/** `device`: for all pages of this browser; `tab`: for this tab alone, over reloads */
export type Lasting = 'device' | 'tab'

/** Values that the browser did not take. */
const untaken = new Map<string, unknown>()

/** The remembered value, as it was written; whoever reads it checks its shape. */
export function remembered(name: string, lasting: Lasting = 'device'): unknown {
  if (untaken.has(name)) return untaken.get(name)
  try {
    return JSON.parse(storage(lasting).getItem(name) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

/** @param value  undefined forgets it */
export function remember(name: string, value: unknown, lasting: Lasting = 'device') {
  untaken.delete(name)
  try {
    if (value === undefined) storage(lasting).removeItem(name)
    else storage(lasting).setItem(name, JSON.stringify(value))
  } catch {
    if (value !== undefined) untaken.set(name, value)
  }
}

function storage(lasting: Lasting): Storage {
  return lasting === 'device' ? localStorage : sessionStorage
}

/** The channel to the other pages of this browser; undefined in a browser without any. */
export function channelBetweenPages(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

/**
 * Runs something in one page of this browser at a time, for as long as its promise lasts. Pages on plain http, and
 * browsers that refuse, have no locks; each page then runs it for itself.
 */
export function inOnePage(name: string, signal: AbortSignal, run: () => unknown) {
  let ran = false
  const once = () => {
    ran = true
    return run()
  }
  const alone = () => void (ran || signal.aborted || once())
  try {
    navigator.locks.request(name, { signal }, once).catch(alone)
  } catch {
    alone()
  }
}
