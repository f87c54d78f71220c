/**
 * What a channel lends to other nouns: bans, searches, votes and pins that are about it alone. The methods of `Channel`
 * fetch this module when the first of them is used [client.md 2.2].
 */
import type { Poll, PollVote, VoteRequest } from '@parley/protocol/polls'
import type { BanOptions, BanScope } from '../moderation/moderation-calls.ts'
import * as moderation from '../moderation/moderation-calls.ts'
import { soon } from '../on-demand.ts'
import * as polls from '../polls/poll-calls.ts'
import type { SearchOptions } from '../search/search-calls.ts'
import * as messages from '../search/search-calls.ts'
import { type Answer, type CallOptions, type Filter, type Message, type Sort, wireSort } from '../shapes.ts'
import type { ChannelDoor } from './channel-door.ts'

/** Where a page of pinned messages begins; ids and times are those of the pins, not of the messages. */
export interface PinnedOptions {
  filter?: Filter
  /** 10 unless said otherwise, 300 at most. */
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

export function getPinnedMessages(
  door: ChannelDoor,
  options: PinnedOptions = {},
  sort: Sort = [],
  call: CallOptions = {},
): Promise<Answer<{ messages: Message[] }>> {
  const payload = { ...options, sort: wireSort(sort) }
  return door.call('GET', '/pinned_messages', { query: { payload }, ...call })
}

export function banFromChannel(
  door: ChannelDoor,
  targetUserID: string,
  options: Omit<BanOptions, keyof BanScope> = {},
  call: CallOptions = {},
) {
  return moderation.banUser(clientOf(door), targetUserID, { ...options, ...here(door) }, call)
}

export function unbanFromChannel(door: ChannelDoor, targetUserID: string, call: CallOptions = {}) {
  return moderation.unbanUser(clientOf(door), targetUserID, here(door), call)
}

export function searchChannel(
  door: ChannelDoor,
  query: string | Filter,
  options: SearchOptions = {},
  call: CallOptions = {},
) {
  return messages.search(clientOf(door), { cid: door.channel.cid }, query, options, call)
}

export async function vote(
  door: ChannelDoor,
  messageID: string,
  pollID: string,
  given: VoteRequest,
  options: { user_id?: string } = {},
  call: CallOptions = {},
): Promise<Answer<{ vote: PollVote; poll?: Poll }>> {
  const answer = await polls.castPollVote(clientOf(door), messageID, pollID, given, options, call)
  return taken(door, answer)
}

export async function removeVote(
  door: ChannelDoor,
  messageID: string,
  pollID: string,
  voteID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ vote: PollVote; poll?: Poll }>> {
  const answer = await polls.removePollVote(clientOf(door), messageID, pollID, voteID, userID, call)
  return taken(door, answer)
}

/** The answer knows one's own votes, which no event does. */
async function taken<Fields extends { poll?: Poll }>({ change }: ChannelDoor, answer: Fields): Promise<Fields> {
  const { poll } = answer
  if (poll) await soon.use(({ withPolls }) => change((state) => withPolls(state, poll.id, () => poll)))
  return answer
}

function clientOf(door: ChannelDoor) {
  door.checkUsable()
  return door.host.client
}

function here(door: ChannelDoor): BanScope {
  door.path() // Refuses a channel without an id.
  return { type: door.channel.type, id: door.channel.id }
}
