import type { ChatEvent } from '../events.ts'
import { byAge, dateOf, isInChannel, localMessage } from '../messages/local-message.ts'
import { currentSet, newestSet } from '../messages/message-sets.ts'
import { soon } from '../on-demand.ts'
import type { ChannelData, ChannelStateAnswer } from '../shapes.ts'
import { type ChannelState, own, type ReadState, readUpTo, type StateContext } from './channel-state.ts'

/** The parts of a request that decide what its answer means. */
export interface Asked {
  /** How many messages were requested; 0 when the answer has none. */
  limit: number
  /** False when only the channel itself was requested: the rest of the state then stays. */
  state: boolean
  /** The requested page of members or watchers. With an offset, the known ones stay. */
  members?: { offset?: number } | undefined
  watchers?: { offset?: number } | undefined
  /** Events, of any channel, that arrived while the request was under way. */
  events: readonly ChatEvent[]
}

/** The state after an answer with the newest page of a channel. Unsent messages survive it [CON-24]. */
export function withAnswer(
  state: ChannelState,
  answer: ChannelStateAnswer,
  asked: Asked,
  context: StateContext,
): ChannelState {
  const data = { ...(answer.channel as ChannelData), hidden: answer.hidden ?? answer.channel.hidden ?? false }
  const known: ChannelState = { ...state, data, membership: answer.membership }
  if (!asked.state) return known

  const isFurther = asked.members?.offset || asked.watchers?.offset
  const read = Object.fromEntries(answer.read.map((entry) => [entry.user.id, readState(entry)]))
  const messages = answer.messages.map(localMessage)
  const pending_messages = (answer.pending_messages ?? []).map(({ message }) => localMessage(message))
  const next: ChannelState = {
    ...known,
    members: {
      ...(isFurther && state.members),
      ...Object.fromEntries(answer.members.map((member) => [member.user_id, member])),
    },
    watchers: {
      ...(isFurther && state.watchers),
      ...Object.fromEntries((answer.watchers ?? []).map((user) => [user.id, user])),
    },
    watcher_count: answer.watcher_count,
    read,
    draft: answer.draft,
    push_preferences: answer.push_preferences,
    pinned_messages: answer.pinned_messages.map(localMessage),
    pending_messages,
    unreadCount: own(read, context.reader)?.unread_messages ?? 0,
    last_message_at: dateOf(answer.channel.last_message_at),
  }
  if (asked.limit === 0) return next
  const { limit } = asked
  // The page leaves out held-back messages, but their author still sees them in their place.
  const [oldest] = messages.length < limit ? [] : messages
  const came = pending_messages.filter((message) => isInChannel(message) && (!oldest || byAge(oldest, message) < 0))
  const page = { messages, limit, came, events: asked.events }
  // Without this module, no message was posted, received or paged here yet: the page is everything.
  const sets = soon.module?.withLatestPage(state.sets, page) ?? [newestSet(page)]
  return { ...next, sets, messages: currentSet(sets).messages }
}

export function readState(entry: ChannelStateAnswer['read'][number]): ReadState {
  return {
    user: entry.user,
    ...readUpTo(entry.last_read, entry.last_read_message_id),
    unread_messages: entry.unread_messages,
    last_delivered_at: dateOf(entry.last_delivered_at),
    last_delivered_message_id: entry.last_delivered_message_id,
  }
}
