import type { Channel } from '@parley/client'
import { MESSAGES_KEPT, MESSAGES_LET_GO, MESSAGES_PAGE } from '../limits.ts'
import type { ScrollEngine } from './scroll-engine.ts'

/** Messages nearer than this many viewports stay loaded. */
const NEAR_VIEWPORTS = 3

/**
 * Makes room for another page in a long channel: unloads messages at the end farther from the reader [interface.md
 * 6.2]. Messages that are near, focused or playing stay.
 */
export async function unloadFarMessages(channel: Channel, engine: ScrollEngine): Promise<void> {
  const { sets, messages } = channel.snapshot()
  const loaded = sets.reduce((count, set) => count + set.messages.length, 0)
  if (loaded + MESSAGES_PAGE <= MESSAGES_KEPT) return
  const near = engine.reach(NEAR_VIEWPORTS)
  const above = messages.findIndex(({ id }) => id === near?.first)
  const below = messages.length - 1 - messages.findIndex(({ id }) => id === near?.last)
  if (!near || above < 0 || below >= messages.length) return
  // Messages that are not shown are unloaded in any case.
  const count = Math.max(above, below) < MESSAGES_LET_GO ? 0 : MESSAGES_LET_GO
  if (count === 0 && sets.length === 1) return
  if (above >= below) await channel.letGo('older', messages[count]!.id)
  else await channel.letGo('newer', messages[messages.length - 1 - count]!.id)
}
