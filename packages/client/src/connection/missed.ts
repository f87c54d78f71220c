/** The events that channels missed while offline; loaded with the first recovery that needs them. */
import { MESSAGES_PAGE } from '@parley/protocol/limits'
import type { ChannelContext } from '../channels/channel-context.ts'
import type { ChannelState } from '../channels/channel-state.ts'
import { ChatError } from '../chat-error.ts'
import type { ClientContext } from '../client-context.ts'
import type { ChatEvent } from '../events.ts'
import { MISSED_OVERLAP_MS } from '../limits.ts'
import { merged } from '../live.ts'
import { byAge } from '../messages/local-message.ts'
import { currentSet, latestSet, type MessageSets, newestSet } from '../messages/message-sets.ts'
import { soon } from '../on-demand.ts'

/**
 * Repairs channels that have more loaded than the reloaded page: the server returns the missed events. If they are too
 * many or too old, the messages before the page are evicted, and can be loaded again [CON-25].
 *
 * @param events  the events received since the page was requested
 * @returns false when the connection was lost again
 */
export async function repaired(
  context: ClientContext,
  channels: readonly ChannelContext[],
  events: readonly ChatEvent[],
): Promise<boolean> {
  const connection = context.connectionID()
  const missed = await missedIn(context, channels)
  if (connection !== context.connectionID()) return false
  for (const active of channels)
    active.change((state) => (missed ? withMissed(context, active, state, [...missed, ...events]) : withNewest(state)))
  return true
}

/** The missed events in order; undefined when the server does not return them [CON-18]. */
async function missedIn({ client, clock }: ClientContext, channels: readonly ChannelContext[]) {
  const since = Math.min(...channels.map(({ missedSince = '' }) => Date.parse(missedSince)))
  const cids = channels.map(({ channel }) => channel.cid)
  try {
    const { events } = await client.sync(cids, new Date(since - MISSED_OVERLAP_MS).toISOString())
    const received_at = new Date(clock.now())
    return events.map((event) => ({ ...event, received_at }) as ChatEvent)
  } catch (error) {
    if (!(error instanceof ChatError) || error.kind !== 'InputError') throw error
    return undefined
  }
}

/**
 * The state with the missed events applied to the loaded messages. The fresh page has the rest of the state, but not
 * older messages and threads.
 */
function withMissed(
  context: ClientContext,
  { channel: { cid }, knownUntil }: ChannelContext,
  state: ChannelState,
  missed: readonly ChatEvent[],
): ChannelState {
  // The events have every message in between, however many pages that is.
  const joined = { ...state, sets: withoutGap(state.sets, knownUntil) }
  const after = soon.module?.withEvents(joined, missed, cid, context.eventContext(cid)) ?? joined
  const { sets, threads, replies } = after
  return merged(state, { sets, messages: currentSet(sets).messages, threads, replies })
}

/** Joins the newest set with the set that was the newest until the connection was lost. */
function withoutGap(sets: MessageSets, knownUntil: string | undefined): MessageSets {
  const latest = latestSet(sets)
  const before = sets.find(({ messages }) => messages.some(({ id }) => id === knownUntil))
  if (!before || !latest || before === latest) return sets
  const messages = [...before.messages, ...latest.messages].sort(byAge)
  const whole = { ...latest, messages, current: before.current || latest.current, hasOlder: before.hasOlder }
  return [...sets.filter((set) => set !== before && set !== latest), whole]
}

/** Keeps only the newest page and unsent messages. */
function withNewest(state: ChannelState): ChannelState {
  const all = latestSet(state.sets)?.messages ?? []
  const messages = all.filter(({ status }, i) => status !== 'received' || i >= all.length - MESSAGES_PAGE)
  const sets = [newestSet({ messages, limit: MESSAGES_PAGE })]
  return merged(state, { sets, messages: currentSet(sets).messages })
}
