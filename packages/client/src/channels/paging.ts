/** Moving through the history of a channel; fetched when somebody first does [client.md 2.8]. */
import { MESSAGES_PAGE } from '@parley/protocol/limits'
import { MESSAGES_ASKED_MAX, REPLIES_ASKED } from '../limits.ts'
import { localMessage } from '../messages/local-message.ts'
import { currentSet, findMessage, latestSet, union, withCurrent } from '../messages/message-sets.ts'
import { type Page, withPage } from '../messages/pages.ts'
import { type Answer, type CallOptions, type ChannelStateAnswer, type Message, type Sort, wireSort } from '../shapes.ts'
import type { MessagePageOptions } from './channel.ts'
import type { ChannelDoor } from './channel-door.ts'
import { own, withSets } from './channel-state.ts'

/** Adds the page before or after the shown messages. Does nothing where there is none. */
export async function loadPage(
  { channel, call, change }: ChannelDoor,
  kind: 'older' | 'newer',
  options: CallOptions = {},
): Promise<void> {
  const set = currentSet(channel.state.sets)
  const received = set.messages.filter(({ status }) => status === 'received')
  const edge = kind === 'older' ? received[0]?.id : received.at(-1)?.id
  if (!edge || !(kind === 'older' ? set.hasOlder : set.hasNewer)) return
  const position = kind === 'older' ? { id_lt: edge } : { id_gt: edge }
  const body = { data: {}, state: true, messages: { limit: MESSAGES_PAGE, ...position } }
  const answer = await call<ChannelStateAnswer>('POST', '/query', { body, ...options })
  const messages = messagesIn(answer)
  change((state) => {
    // The reader may have jumped elsewhere meanwhile; the page belongs to where it was asked.
    const set = state.sets.find((other) => findMessage([other], edge))
    if (!set) return state
    const shown = currentSet(state.sets)
    const there = withPage(withCurrent(state.sets, set), { kind, messages, limit: MESSAGES_PAGE })
    if (set === shown) return withSets(state, there)
    const anchor = shown.messages[0]?.id
    const back = there.find((other) => anchor !== undefined && findMessage([other], anchor))
    return withSets(state, back ? withCurrent(there, back) : there)
  })
}

/** Joins a page of the history that the application asked for itself to the sets, where it belongs. */
export function takePage(
  { channel, change }: ChannelDoor,
  answer: ChannelStateAnswer,
  asked: MessagePageOptions & { limit: number },
) {
  const messages = messagesIn(answer)
  const shown = currentSet(channel.state.sets).messages
  const { limit } = asked
  let page: Page | undefined
  if (asked.id_around) page = { kind: 'around', id: asked.id_around, messages, limit }
  else if (asked.id_lt && asked.id_lt === shown[0]?.id) page = { kind: 'older', messages, limit }
  else if (asked.id_gt && asked.id_gt === shown.at(-1)?.id) page = { kind: 'newer', messages, limit }
  if (!page) return
  const joined = page
  change((state) => withSets(state, withPage(state.sets, joined)))
}

/** Shows the stretch of history around a message, or the newest messages. In a thread: that part of the thread. */
export async function jumpTo(
  door: ChannelDoor,
  target: string | 'latest',
  options: { parentId?: string } = {},
  call: CallOptions = {},
): Promise<void> {
  const { channel, change, checkUsable } = door
  checkUsable()
  if (target === 'latest') return jumpToLatest(door, call)
  if (options.parentId) {
    await getReplies(door, options.parentId, { id_around: target }, undefined, call)
    return jumpTo(door, options.parentId, {}, call)
  }
  const set = channel.state.sets.find(({ messages }) => messages.some(({ id }) => id === target))
  if (set) return change((state) => withSets(state, withCurrent(state.sets, set)))
  await channel.query({ messages: { limit: MESSAGES_PAGE, id_around: target } }, call)
}

/** A page of a thread; what comes is added to `state.replies`. */
export async function getReplies(
  { host, change, checkUsable }: ChannelDoor,
  parentID: string,
  options: MessagePageOptions = {},
  sort?: Sort,
  call: CallOptions = {},
): Promise<Answer<{ messages: Message[] }>> {
  checkUsable()
  const query = {
    ...options,
    limit: Math.min(options.limit ?? REPLIES_ASKED, MESSAGES_ASKED_MAX),
    sort: sort && JSON.stringify(wireSort(sort)),
  }
  const path = `/messages/${encodeURIComponent(parentID)}/replies`
  const answer = await host.call<{ messages: Message[] }>('GET', path, { query, ...call })
  change((state) => {
    const replies = union(own(state.replies, parentID) ?? [], answer.messages.map(localMessage))
    return { ...state, replies: { ...state.replies, [parentID]: replies } }
  })
  return answer
}

async function jumpToLatest({ channel, change }: ChannelDoor, call: CallOptions) {
  const latest = latestSet(channel.state.sets)
  const isWhole = latest && (!latest.hasOlder || latest.messages.length >= MESSAGES_PAGE)
  if (!isWhole) await channel.query({ messages: { limit: MESSAGES_PAGE } }, call)
  change((state) => {
    const set = latestSet(state.sets)
    return set ? withSets(state, withCurrent(state.sets, set)) : state
  })
}

function messagesIn(answer: ChannelStateAnswer) {
  return answer.messages.map((message) => localMessage(message as Message))
}
