/** Calls about polls and votes [messaging.md 7.2]. */
import type { VoteRequest } from '@parley/protocol/polls'
import type { Calling } from '../calling.ts'
import type { CustomPollOptionData } from '../custom-data.ts'
import {
  type Acting,
  type Answer,
  type CallOptions,
  type Filter,
  type Page,
  type PageOptions,
  type PartialUpdate,
  type PollData,
  type PollOption,
  type PollRequest,
  type PollVote,
  type Sort,
  wireSort,
} from '../shapes.ts'

/** The fields of an option. */
export type PollOptionFields = { text: string } & Record<string, unknown> & Partial<CustomPollOptionData>

/** Creates a poll. Only its creator can send it, in any number of messages [POL-14]. */
export function createPoll(
  client: Calling,
  poll: PollRequest & { id?: string } & Acting,
  call: CallOptions = {},
): Promise<Answer<{ poll: PollData }>> {
  return client.request('POST', '/polls', { body: poll, ...call })
}

/** [POL-15] */
export function getPoll(
  client: Calling,
  pollID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ poll: PollData }>> {
  return client.request('GET', pollPath(pollID), { query: { user_id: userID }, ...call })
}

/** Replaces a poll. Fields that are not given are removed, and a missing option is deleted with its votes [POL-16]. */
export function updatePoll(
  client: Calling,
  poll: PollRequest & { id: string } & Acting,
  call: CallOptions = {},
): Promise<Answer<{ poll: PollData }>> {
  return client.request('PUT', '/polls', { body: poll, ...call })
}

/** [POL-17] */
export function partialUpdatePoll(
  client: Calling,
  pollID: string,
  update: PartialUpdate & Acting,
  call: CallOptions = {},
): Promise<Answer<{ poll: PollData }>> {
  return client.request('PATCH', pollPath(pollID), { body: update, ...call })
}

/** Closes the poll for all users [POL-18]. */
export function closePoll(
  client: Calling,
  pollID: string,
  options: Acting = {},
  call: CallOptions = {},
): Promise<Answer<{ poll: PollData }>> {
  return partialUpdatePoll(client, pollID, { set: { is_closed: true }, ...options }, call)
}

/** [POL-19] */
export function deletePoll(client: Calling, pollID: string, userID?: string, call: CallOptions = {}): Promise<Answer> {
  return client.request('DELETE', pollPath(pollID), { query: { user_id: userID }, ...call })
}

/** @throws ChatError InputError (4) — there is an option with the same text [POL-21] */
export function createPollOption(
  client: Calling,
  pollID: string,
  option: PollOptionFields & Acting,
  call: CallOptions = {},
): Promise<Answer<{ poll_option: PollOption }>> {
  return client.request('POST', `${pollPath(pollID)}/options`, { body: option, ...call })
}

/** One option of a poll. */
export function getPollOption(
  client: Calling,
  pollID: string,
  optionID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ poll_option: PollOption }>> {
  return client.request('GET', optionPath(pollID, optionID), { query: { user_id: userID }, ...call })
}

/** [POL-22] */
export function updatePollOption(
  client: Calling,
  pollID: string,
  option: PollOptionFields & { id: string } & Acting,
  call: CallOptions = {},
): Promise<Answer<{ poll_option: PollOption }>> {
  return client.request('PUT', `${pollPath(pollID)}/options`, { body: option, ...call })
}

/** Deletes the option and its votes [POL-23]. */
export function deletePollOption(
  client: Calling,
  pollID: string,
  optionID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('DELETE', optionPath(pollID, optionID), { query: { user_id: userID }, ...call })
}

/**
 * Votes for an option [POL-24].
 *
 * @param messageID  a message that shows the poll
 * @throws ChatError InputError (4) — the poll has ended
 */
export function castPollVote(
  client: Calling,
  messageID: string,
  pollID: string,
  vote: VoteRequest,
  options: Acting = {},
  call: CallOptions = {},
): Promise<Answer<{ vote: PollVote; poll?: PollData }>> {
  return client.request('POST', votePath(messageID, pollID), { body: { vote, ...options }, ...call })
}

/** Adds a free-text answer; a second one replaces the first [POL-25]. */
export function addPollAnswer(
  client: Calling,
  messageID: string,
  pollID: string,
  text: string,
  options: Acting = {},
  call: CallOptions = {},
): Promise<Answer<{ vote: PollVote; poll?: PollData }>> {
  return castPollVote(client, messageID, pollID, { answer_text: text }, options, call)
}

/** Removes a vote or an answer [POL-26]. */
export function removePollVote(
  client: Calling,
  messageID: string,
  pollID: string,
  voteID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ vote: PollVote; poll?: PollData }>> {
  const path = `${votePath(messageID, pollID)}/${encodeURIComponent(voteID)}`
  return client.request('DELETE', path, { query: { user_id: userID }, ...call })
}

/** [POL-20] */
export function queryPolls(
  client: Calling,
  filter: Filter = {},
  sort: Sort = [],
  options: PageOptions & Acting = {},
  call: CallOptions = {},
): Promise<Page<{ polls: PollData[] }>> {
  const body = { filter, sort: wireSort(sort), ...options }
  return client.request('POST', '/polls/query', { body, ...call })
}

/** Votes and answers, newest first by default [POL-27]. */
export function queryPollVotes(
  client: Calling,
  pollID: string,
  filter: Filter = {},
  sort: Sort = [],
  options: PageOptions & Acting = {},
  call: CallOptions = {},
): Promise<Page<{ votes: PollVote[] }>> {
  const body = { filter, sort: wireSort(sort), ...options }
  return client.request('POST', `${pollPath(pollID)}/votes`, { body, ...call })
}

/** Only the answers [POL-28]. */
export function queryPollAnswers(
  client: Calling,
  pollID: string,
  filter: Filter = {},
  sort: Sort = [],
  options: PageOptions & Acting = {},
  call: CallOptions = {},
): Promise<Page<{ votes: PollVote[] }>> {
  return queryPollVotes(client, pollID, { ...filter, is_answer: true }, sort, options, call)
}

function pollPath(pollID: string): string {
  return `/polls/${encodeURIComponent(pollID)}`
}

function optionPath(pollID: string, optionID: string): string {
  return `${pollPath(pollID)}/options/${encodeURIComponent(optionID)}`
}

function votePath(messageID: string, pollID: string): string {
  return `/messages/${encodeURIComponent(messageID)}/polls/${encodeURIComponent(pollID)}/vote`
}
