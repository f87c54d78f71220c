/** Polls and votes, as plain calls [messaging.md 7.2]. */
import type { Poll, PollOption, PollRequest, PollVote, VoteRequest } from '@parley/protocol/polls'
import type { Calling } from '../calling.ts'
import { type Answer, type CallOptions, type Filter, type PartialUpdate, type Sort, wireSort } from '../shapes.ts'

export type PollPageOptions = { limit?: number; next?: string; prev?: string; user_id?: string }
type Page<Fields> = Answer<Fields & { next?: string; prev?: string }>
type Acting = { user_id?: string }

export function createPoll(
  client: Calling,
  poll: PollRequest & { id?: string } & Acting,
  call: CallOptions = {},
): Promise<Answer<{ poll: Poll }>> {
  return client.request('POST', '/polls', { body: poll, ...call })
}

export function getPoll(
  client: Calling,
  pollID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ poll: Poll }>> {
  return client.request('GET', pollPath(pollID), { query: asUser(client, userID), ...call })
}

export function updatePoll(
  client: Calling,
  poll: PollRequest & { id: string } & Acting,
  call: CallOptions = {},
): Promise<Answer<{ poll: Poll }>> {
  return client.request('PUT', '/polls', { body: poll, ...call })
}

export function partialUpdatePoll(
  client: Calling,
  pollID: string,
  update: PartialUpdate & Acting,
  call: CallOptions = {},
): Promise<Answer<{ poll: Poll }>> {
  return client.request('PATCH', pollPath(pollID), { body: update, ...call })
}

export function closePoll(
  client: Calling,
  pollID: string,
  options: Acting = {},
  call: CallOptions = {},
): Promise<Answer<{ poll: Poll }>> {
  return partialUpdatePoll(client, pollID, { set: { is_closed: true }, ...options }, call)
}

export function deletePoll(client: Calling, pollID: string, userID?: string, call: CallOptions = {}): Promise<Answer> {
  return client.request('DELETE', pollPath(pollID), { query: asUser(client, userID), ...call })
}

export function createPollOption(
  client: Calling,
  pollID: string,
  option: { text: string } & Acting & Record<string, unknown>,
  call: CallOptions = {},
): Promise<Answer<{ poll_option: PollOption }>> {
  return client.request('POST', `${pollPath(pollID)}/options`, { body: option, ...call })
}

export function getPollOption(
  client: Calling,
  pollID: string,
  optionID: string,
  call: CallOptions = {},
): Promise<Answer<{ poll_option: PollOption }>> {
  return client.request('GET', optionPath(pollID, optionID), { query: asUser(client), ...call })
}

export function updatePollOption(
  client: Calling,
  pollID: string,
  option: { id: string; text: string } & Acting & Record<string, unknown>,
  call: CallOptions = {},
): Promise<Answer<{ poll_option: PollOption }>> {
  return client.request('PUT', `${pollPath(pollID)}/options`, { body: option, ...call })
}

export function deletePollOption(
  client: Calling,
  pollID: string,
  optionID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer> {
  return client.request('DELETE', optionPath(pollID, optionID), { query: asUser(client, userID), ...call })
}

export function castPollVote(
  client: Calling,
  messageID: string,
  pollID: string,
  vote: VoteRequest,
  options: Acting = {},
  call: CallOptions = {},
): Promise<Answer<{ vote: PollVote; poll?: Poll }>> {
  return client.request('POST', votePath(messageID, pollID), { body: { vote, ...options }, ...call })
}

export function addPollAnswer(
  client: Calling,
  messageID: string,
  pollID: string,
  text: string,
  options: Acting = {},
  call: CallOptions = {},
): Promise<Answer<{ vote: PollVote; poll?: Poll }>> {
  return castPollVote(client, messageID, pollID, { answer_text: text }, options, call)
}

export function removePollVote(
  client: Calling,
  messageID: string,
  pollID: string,
  voteID: string,
  userID?: string,
  call: CallOptions = {},
): Promise<Answer<{ vote: PollVote; poll?: Poll }>> {
  const path = `${votePath(messageID, pollID)}/${encodeURIComponent(voteID)}`
  return client.request('DELETE', path, { query: asUser(client, userID), ...call })
}

export function queryPolls(
  client: Calling,
  filter: Filter = {},
  sort: Sort = [],
  options: PollPageOptions = {},
  call: CallOptions = {},
): Promise<Page<{ polls: Poll[] }>> {
  const body = { filter, sort: wireSort(sort), ...options }
  return client.request('POST', '/polls/query', { body, ...call })
}

export function queryPollVotes(
  client: Calling,
  pollID: string,
  filter: Filter = {},
  sort: Sort = [],
  options: PollPageOptions = {},
  call: CallOptions = {},
): Promise<Page<{ votes: PollVote[] }>> {
  const body = { filter, sort: wireSort(sort), ...options }
  return client.request('POST', `${pollPath(pollID)}/votes`, { body, ...call })
}

export function queryPollAnswers(
  client: Calling,
  pollID: string,
  filter: Filter = {},
  sort: Sort = [],
  options: PollPageOptions = {},
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

function asUser(client: Calling, userID = client.userID) {
  return { user_id: userID }
}
