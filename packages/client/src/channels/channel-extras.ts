/** Calls of other nouns limited to one channel: bans, searches, votes and pins [client.md 2.2]. */
import type { VoteRequest } from '@parley/protocol/polls'
import type { Calling } from '../calling.ts'
import { isEarlier } from '../messages/local-message.ts'
import type { BanOptions, BanScope } from '../moderation/moderation-calls.ts'
import * as moderation from '../moderation/moderation-calls.ts'
import { soon } from '../on-demand.ts'
import * as polls from '../polls/poll-calls.ts'
import type { SearchAnswer, SearchOptions } from '../search/search-calls.ts'
import * as messages from '../search/search-calls.ts'
import {
  type Answer,
  type CallOptions,
  type Filter,
  type Message,
  type PollData,
  type PollVote,
  type Sort,
  wireSort,
} from '../shapes.ts'
import type { ChannelContext } from './channel-context.ts'

/** Where a page of pinned messages begins. Ids and times are those of the pins, not of the messages. */
export interface PinnedOptions {
  filter?: Filter
  /** 10 by default, 300 at most. */
  limit?: number
  id_lt?: string
  id_lte?: string
  id_gt?: string
  id_gte?: string
  id_around?: string
  pinned_at_before?: string
  pinned_at_before_or_equal?: string
  pinned_at_after?: string
  pinned_at_after_or_equal?: string
  pinned_at_around?: string
}

/** Newest pin first unless sorted otherwise [PIN-3]. */
export function getPinnedMessages(
  context: ChannelContext,
  options: PinnedOptions = {},
  sort: Sort = [],
  call: CallOptions = {},
): Promise<Answer<{ messages: Message[] }>> {
  const payload = { ...options, sort: wireSort(sort) }
  return context.call('GET', '/pinned_messages', { query: { payload }, ...call })
}

/** Bans from this channel; `timeout` is in minutes. */
export function banUser(
  context: ChannelContext,
  targetUserID: string,
  options: Omit<BanOptions, keyof BanScope> = {},
  call: CallOptions = {},
): Promise<Answer> {
  return moderation.banUser(context.host, targetUserID, { ...options, ...here(context) }, call)
}

/** Lifts a ban from this channel. */
export function unbanUser(context: ChannelContext, targetUserID: string, call: CallOptions = {}): Promise<Answer> {
  return moderation.unbanUser(context.host, targetUserID, here(context), call)
}

/** Hides the user's new messages in this channel from the others; the user is not notified. */
export function shadowBan(
  context: ChannelContext,
  targetUserID: string,
  options: Omit<BanOptions, keyof BanScope | 'shadow'> = {},
  call: CallOptions = {},
): Promise<Answer> {
  return banUser(context, targetUserID, { ...options, shadow: true }, call)
}

/** Lifts a shadow ban from this channel. */
export function removeShadowBan(
  context: ChannelContext,
  targetUserID: string,
  call: CallOptions = {},
): Promise<Answer> {
  return unbanUser(context, targetUserID, call)
}

/** Searches this channel by text or by a filter over messages. */
export function search(
  context: ChannelContext,
  query: string | Filter,
  options: SearchOptions = {},
  call: CallOptions = {},
): Promise<SearchAnswer> {
  here(context)
  return messages.search(context.host, { cid: context.channel.cid }, query, options, call)
}

/** Votes in a poll of a message in this channel; the message is updated. */
export async function vote(
  context: ChannelContext,
  messageID: string,
  pollID: string,
  given: VoteRequest,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ vote: PollVote; poll?: PollData }>> {
  const answer = await polls.castPollVote(hostOf(context), messageID, pollID, given, options, call)
  return taken(context, answer)
}

/** Removes a vote or an answer; the message is updated. */
export async function removeVote(
  context: ChannelContext,
  messageID: string,
  pollID: string,
  voteID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ vote: PollVote; poll?: PollData }>> {
  const answer = await polls.removePollVote(hostOf(context), messageID, pollID, voteID, userID, call)
  return taken(context, answer)
}

/** The answer has the user's own votes, which events have not; newer events may have arrived before it. */
async function taken<Fields extends { poll?: PollData }>({ change }: ChannelContext, answer: Fields): Promise<Fields> {
  const { poll } = answer
  const newest = (known: PollData) => (!poll || isEarlier(poll.updated_at, known.updated_at) ? known : poll)
  await soon.use(({ withPolls }) => change((state) => withPolls(state, poll?.id, newest)))
  return answer
}

function hostOf(context: ChannelContext): Calling {
  context.checkUsable()
  return context.host
}

function here(context: ChannelContext): BanScope {
  context.path() // Throws for a channel without an id.
  return { type: context.channel.type, id: context.channel.id }
}
