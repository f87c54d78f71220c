/** The events that channels missed while offline, and what is loaded again where the server does not return them. */
import { MESSAGES_PAGE } from '@parley/protocol/limits'
import type { MessagePageOptions } from '../channels/channel.ts'
import type { ChannelContext } from '../channels/channel-context.ts'
import { withEvents } from '../channels/channel-events.ts'
import { type ChannelState, own } from '../channels/channel-state.ts'
import { getReplies, pageOf } from '../channels/paging.ts'
import { withSets, withThread } from '../channels/state-changes.ts'
import { ChatError } from '../chat-error.ts'
import type { ClientContext } from '../client-context.ts'
import type { ChatEvent } from '../events.ts'
import { MESSAGES_ASKED_MAX, MISSED_OVERLAP_MS } from '../limits.ts'
import { merged } from '../live.ts'
import { byAge, isEarlier } from '../messages/local-message.ts'
import { currentSet, latestSet, type MessageSet, type MessageSets, newestSet } from '../messages/message-sets.ts'
import { isUnsent, mergeTouching } from '../messages/pages.ts'
import type { Message } from '../shapes.ts'

/**
 * Repairs channels that have more loaded than the reloaded page: the server returns the missed events. If they are too
 * many or too old, the messages before the page are evicted, and can be loaded again; where the user has read back in
 * an open view, the shown messages are loaded again at once [CON-25].
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
  for (const active of channels) {
    const places = missed ? undefined : await placesIn(active, events)
    if (connection !== context.connectionID()) return false
    active.change((state) =>
      places ? withPlaces(state, places, events) : withMissed(context, active, state, [...missed!, ...events]),
    )
  }
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
  const after = withEvents(joined, missed, cid, context.eventContext(cid))
  const { sets, threads, replies } = after
  return merged(state, { sets, messages: currentSet(sets).messages, threads, replies })
}

/** Joins the newest set with the set that was the newest until the connection was lost. */
function withoutGap(sets: MessageSets, knownUntil: string | undefined): MessageSets {
  const latest = latestSet(sets)
  const before = sets.find(({ messages }) => messages.some(({ id }) => id === knownUntil))
  if (!before || !latest || before === latest) return sets
  const messages = [...before.messages, ...latest.messages].sort(byAge)
  const whole = { ...before, messages, latest: true, current: before.current || latest.current, hasNewer: false }
  return [...sets.filter((set) => set !== before && set !== latest), whole]
}

/** The shown messages, loaded again: those of each thread, and without an id those of the channel if it was read back. */
type Places = Partial<Record<string, MessageSet>>

async function placesIn(active: ChannelContext, events: readonly ChatEvent[]): Promise<Places> {
  const { channel, readers } = active
  const { sets, threads } = channel.state
  const places: Places = {}
  if (readers() === 0) return places
  const shown = currentSet(sets)
  if (shown.readBack) places[''] = await loadedAgain(active, shown, events)
  for (const [id, thread] of Object.entries(threads))
    places[id] = await loadedAgain(active, currentSet(thread.sets), events, id)
  return places
}

/** The messages of the same time, as they are now. */
async function loadedAgain(
  active: ChannelContext,
  { messages, readBack }: MessageSet,
  events: readonly ChatEvent[],
  parentID?: string,
): Promise<MessageSet> {
  const received = messages.filter(({ status }) => status === 'received')
  const oldest = received[0]
  const limit = MESSAGES_ASKED_MAX
  let found: Message[] = []
  let page: Message[]
  let asked: MessagePageOptions = { limit, created_at_before_or_equal: received.at(-1)?.createdAtIso }
  do {
    const answer = await (parentID ? getReplies(active, parentID, asked) : active.channel.query({ messages: asked }))
    page = answer.messages
    found = [...page, ...found]
    asked = { limit, id_lt: page[0]?.id }
  } while (oldest && page.length === limit && isEarlier(oldest.createdAtIso, page[0]!.created_at))
  const { messages: now } = pageOf(active, found, limit, events, parentID)
  return { messages: now, current: true, latest: false, hasOlder: page.length === limit, hasNewer: true, readBack }
}

/** Keeps only the newest page, unsent messages, what arrived since, and the given places in the history. */
function withPlaces(state: ChannelState, places: Places, events: readonly ChatEvent[]): ChannelState {
  const live = new Set(events.map((event) => event.type === 'message.new' && event.message.id))
  const all = latestSet(state.sets)?.messages ?? []
  const messages = all.filter(({ status }, i) => status !== 'received' || i >= all.length - MESSAGES_PAGE)
  let next = withSets(state, beside(places[''], newestSet({ messages, limit: MESSAGES_PAGE })))
  for (const [id, thread] of Object.entries(state.threads)) {
    const messages = (latestSet(thread.sets)?.messages ?? []).filter(
      (message) => isUnsent(message) || message.unheard || live.has(message.id),
    )
    next = withThread(next, id, { ...thread, sets: beside(own(places, id), newestSet({ messages, limit: 0 })) })
  }
  return next
}

function beside(place: MessageSet | undefined, newest: MessageSet): MessageSets {
  return place?.messages.length ? mergeTouching([place, { ...newest, current: false }]) : [newest]
}
