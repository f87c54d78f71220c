/** Paging through the history of a channel; loaded on first use [client.md 2.8]. */
import { MESSAGES_PAGE } from '@parley/protocol/limits'
import type { ChatEvent } from '../events.ts'
import { MESSAGES_ASKED_MAX, REPLIES_ASKED } from '../limits.ts'
import { merged } from '../live.ts'
import { byAge, type LocalMessage, localMessage, messagePath } from '../messages/local-message.ts'
import { findMessage, inPlaceOf, withCurrent } from '../messages/message-lists.ts'
import {
  currentSet,
  emptySets,
  type LatestPage,
  latestSet,
  type MessageSet,
  type MessageSets,
} from '../messages/message-sets.ts'
import { withoutFar, withPage } from '../messages/pages.ts'
import {
  type Answer,
  type CallOptions,
  type ChannelData,
  type ChannelStateAnswer,
  type Message,
  type Sort,
  type ThreadData,
  wireSort,
} from '../shapes.ts'
import type { MessagePageOptions } from './channel.ts'
import type { ChannelContext } from './channel-context.ts'
import { withEvents } from './channel-events.ts'
import { type ChannelState, messageIn, newChannelState, own } from './channel-state.ts'
import { newer, withSets, withThread } from './state-changes.ts'

/** Adds the page before the shown messages. Does nothing if there is none. */
export function loadOlder(context: ChannelContext, call: CallOptions = {}): Promise<void> {
  return loadOnce(context, 'older', call)
}

/** Adds the page after the shown messages. Does nothing at the live end. */
export function loadNewer(context: ChannelContext, call: CallOptions = {}): Promise<void> {
  return loadOnce(context, 'newer', call)
}

/** Concurrent calls share the request. */
function loadOnce(context: ChannelContext, kind: 'older' | 'newer', call: CallOptions): Promise<void> {
  const { paging } = context
  const page = paging.get(kind) ?? loadPage(context, kind, call).finally(() => paging.delete(kind))
  paging.set(kind, page)
  return page
}

async function loadPage({ channel }: ChannelContext, kind: 'older' | 'newer', call: CallOptions): Promise<void> {
  // Refuses if nothing is loaded [CHN-10].
  channel.countUnread()
  const { sets } = channel.state
  const { hasOlder, hasNewer } = currentSet(sets)
  if (kind === 'older' ? !hasOlder : !hasNewer) return
  const edge = edgeOf(sets, kind)
  // If none of them is loaded yet, load the newest first.
  await channel.query({ messages: { limit: MESSAGES_PAGE, ...(edge && beyond(kind, edge)) } }, call)
}

/**
 * Evicts the shown messages before or after the named one, and parts of the history that are not shown, so that long
 * scrolling does not fill the memory. They can be loaded again. The newest messages and unsent ones stay.
 *
 * @throws ChatError CLIENT_CHANNEL_NOT_INITIALIZED
 */
export function letGo({ channel, change }: ChannelContext, side: 'older' | 'newer', messageId: string): void {
  // Refuses where the channel is not watched.
  channel.countUnread()
  change((state) => withSets(state, withoutFar(state.sets, side, messageId)))
}

/** Adds a page that the application queried itself to the message sets, in its place. */
export function takePage(
  context: ChannelContext,
  answer: ChannelStateAnswer,
  asked: MessagePageOptions & { limit: number },
  events: readonly ChatEvent[],
) {
  const taken = pageOf(context, answer.messages, asked.limit, events)
  context.change((state) => withSets(state, withAsked(state.sets, asked, taken)))
}

/** Adds the answer for a thread to the loaded part of that thread. */
export function takeThread(
  context: ChannelContext,
  { parent_message_id: id, parent_message, latest_replies, channel }: ThreadData,
  limit: number,
  events: readonly ChatEvent[],
) {
  const page = pageOf(context, latest_replies, limit, events, id)
  context.change((state) => {
    const known = own(state.threads, id)
    const parent = newer(localMessage(parent_message), known?.parent)
    const sets = withPage(known?.sets ?? emptySets, { kind: 'latest', ...page })
    const next = withThread(state, id, { parent, sets })
    // The channel's own query knows more of the channel than the thread's answer.
    if (state.data.cid) return next
    return { ...next, data: { ...(channel as ChannelData), own_capabilities: undefined } }
  })
}

/** Shows the messages around one message, or the newest messages. With a thread: in that thread. */
export async function jumpTo(
  context: ChannelContext,
  target: string | 'latest',
  options: { parentId?: string } = {},
  call: CallOptions = {},
): Promise<void> {
  const { channel, change, checkUsable } = context
  const { parentId } = options
  checkUsable()
  // Refuses if nothing is loaded; a thread can be opened then, too [CHN-10].
  if (!parentId) channel.countUnread()
  if (target === 'latest') return jumpToLatest(context, parentId, call)
  if (parentId) {
    await getReplies(context, parentId, { id_around: target }, undefined, call)
    return jumpTo(context, parentId, {}, call)
  }
  const set = channel.state.sets.find(({ messages }) => messages.some(({ id }) => id === target))
  if (set) return change((state) => withSets(state, withShown(state.sets, set, true)))
  await channel.query({ messages: { limit: MESSAGES_PAGE, id_around: target } }, call)
}

/** Loads the messages right before a just sent message, if that is the only one of the newest set. */
export function loadLatestBefore({ channel, host }: ChannelContext, { id, parent_id }: LocalMessage) {
  const latest = latestSet(channel.state.sets)
  if (parent_id || !latest?.hasOlder || latest.messages.some((message) => message.id !== id)) return
  channel
    .query({ messages: { limit: MESSAGES_PAGE } })
    .catch((error) => host.log('error', `${channel.cid} was not read again.`, error))
}

/**
 * A page of a thread, 50 replies by default, added to `state.replies` in its place. Later replies are added by events,
 * except for those sent while the client is offline: call it again after `connection.recovered`, or use
 * `client.getThread()`, which does so.
 */
export async function getReplies(
  context: ChannelContext,
  parentID: string,
  options: MessagePageOptions = {},
  sort?: Sort,
  call: CallOptions = {},
): Promise<Answer<{ messages: Message[] }>> {
  const { host, change, checkUsable } = context
  checkUsable()
  const limit = Math.min(options.limit ?? REPLIES_ASKED, MESSAGES_ASKED_MAX)
  const query = { ...options, limit, sort: sort && JSON.stringify(wireSort(sort)) }
  const request = () =>
    host.request<Answer<{ messages: Message[] }>>('GET', `${messagePath(parentID)}/replies`, { query, ...call })
  return host.asks({}, call, request, (answer, events) => {
    checkUsable()
    change((state) => {
      const thread = own(state.threads, parentID) ?? { parent: undefined, sets: emptySets }
      const sets = withAsked(thread.sets, options, pageOf(context, answer.messages, limit, events, parentID))
      return sets === thread.sets ? state : withThread(state, parentID, { ...thread, sets })
    })
    return answer
  })
}

/** Adds the page before or after the shown replies of a thread. Does nothing if there is none. */
export async function loadReplies(
  context: ChannelContext,
  parentID: string,
  kind: 'older' | 'newer',
  call: CallOptions = {},
): Promise<void> {
  const edge = edgeOf(own(context.channel.state.threads, parentID)?.sets ?? emptySets, kind)
  if (edge) await getReplies(context, parentID, beyond(kind, edge), undefined, call)
}

/** The outermost shown message, if there are more messages beyond it. */
function edgeOf(sets: MessageSets, kind: 'older' | 'newer'): string | undefined {
  const set = currentSet(sets)
  const received = set.messages.filter(({ status }) => status === 'received')
  if (kind === 'older') return set.hasOlder ? received[0]?.id : undefined
  return set.hasNewer ? received.at(-1)?.id : undefined
}

function beyond(kind: 'older' | 'newer', edge: string): MessagePageOptions {
  return kind === 'older' ? { id_lt: edge } : { id_gt: edge }
}

/** Adds the page where it was requested; the reader may have jumped elsewhere meanwhile. */
function withPageAt(sets: MessageSets, edge: string, kind: 'older' | 'newer', page: LatestPage): MessageSets {
  const set = sets.find((other) => edgeOf([other], kind) === edge)
  if (!set) return sets
  const there = withPage(withCurrent(sets, set), { kind, ...page })
  const anchor = currentSet(sets).messages[0]?.id ?? ''
  const back = there.find((other) => findMessage([other], anchor))
  return back ? withCurrent(there, back) : there
}

/** Joins a page to the loaded messages. A page next to none of them changes nothing. */
function withAsked(sets: MessageSets, asked: MessagePageOptions, page: LatestPage): MessageSets {
  const { id_around, id_lt, id_gt } = asked
  if (id_around) return withPage(sets, { kind: 'around', id: id_around, ...page })
  if (id_lt) return withPageAt(sets, id_lt, 'older', page)
  if (id_gt) return withPageAt(sets, id_gt, 'newer', page)
  return Object.keys(asked).every((field) => field === 'limit') ? withPage(sets, { kind: 'latest', ...page }) : sets
}

async function jumpToLatest(context: ChannelContext, parentId: string | undefined, call: CallOptions) {
  const { channel, change } = context
  const setsIn = (state: ChannelState) => (parentId ? (own(state.threads, parentId)?.sets ?? []) : state.sets)
  const latest = latestSet(setsIn(channel.state))
  if (!latest || (latest.hasOlder && latest.messages.length < MESSAGES_PAGE))
    await (parentId
      ? getReplies(context, parentId, {}, undefined, call)
      : channel.query({ messages: { limit: MESSAGES_PAGE } }, call))
  change((state) => {
    const all = setsIn(state)
    const set = latestSet(all)
    if (!set) return state
    const sets = withShown(all, set, false)
    return parentId ? withThread(state, parentId, { ...state.threads[parentId]!, sets }) : withSets(state, sets)
  })
}

function withShown(sets: MessageSets, set: MessageSet, readBack: boolean): MessageSets {
  const shown = merged(set, { readBack })
  return withCurrent(shown === set ? sets : inPlaceOf(sets, set, shown), shown)
}

/** A page of a channel or a thread, with the events applied that arrived while it was on its way. */
export function pageOf(
  { channel, host }: ChannelContext,
  given: readonly Message[],
  limit: number,
  events: readonly ChatEvent[],
  parentID?: string,
): LatestPage {
  const answered = given.map(localMessage).sort(byAge)
  const sets = [{ messages: answered, current: true, latest: false, hasOlder: true, hasNewer: true }]
  const none = newChannelState()
  const page = parentID === undefined ? withSets(none, sets) : withThread(none, parentID, { parent: undefined, sets })
  const now = withEvents(page, events, channel.cid, host.eventContext(channel.cid))
  const messages = answered.flatMap(({ id }) => messageIn(now, id) ?? [])
  const came = latestSet(parentID === undefined ? now.sets : (own(now.threads, parentID)?.sets ?? []))?.messages
  // Messages deleted meanwhile do not change how many lie beyond the page.
  return { messages, limit: limit - answered.length + messages.length, came, events }
}
