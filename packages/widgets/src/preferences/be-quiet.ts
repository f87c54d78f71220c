import type { ChatClient, OwnUser } from '@parley/client'
import { remember } from './device-memory.ts'
import { CHANGED, placeOf, type Told, toldHere } from './quiet.ts'

/** So many times that were replaced are kept: pages that connected long ago may know them still. */
const OVER_KEPT = 8

/**
 * Puts off what tells of messages, on the server and in all pages of this browser.
 *
 * @param until  nothing for no longer than now
 */
export async function beQuiet(client: ChatClient, until?: Date): Promise<void> {
  await client.setPushPreferences([until ? { disabled_until: until.toISOString() } : { remove_disable: true }])
  const known = Date.parse((client.user as OwnUser | undefined)?.push_preferences?.disabled_until ?? '') || 0
  const before = toldHere(client.userID)
  const over = [...new Set([known, before.until, ...before.over])].slice(0, OVER_KEPT)
  remember(placeOf(client.userID), JSON.stringify({ until: until?.getTime() ?? 0, over } satisfies Told))
  dispatchEvent(new Event(CHANGED))
}
