import {
  CastPollVoteRequest,
  CreatePollOptionRequest,
  CreatePollRequest,
  PollAnswer,
  PollOptionAnswer,
  PollsAnswer,
  PollVoteAnswer,
  PollVotesAnswer,
  QueryPollsRequest,
  QueryPollVotesRequest,
  UpdatePollOptionRequest,
  UpdatePollPartialRequest,
  UpdatePollRequest,
} from '@parley/protocol/polls'
import { Done } from '@parley/protocol/wire'
import { actingUser, type Caller } from '../../chat/api/caller.ts'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { accessMessage } from '../../chat/messages/message-access.ts'
import { demandInApp } from '../../chat/permissions/demand-in-app.ts'
import { inputError } from '../../platform/chat-error.ts'
import type { Server } from '../../server.ts'
import { type Ballot, castVote, removeVote } from './cast-vote.ts'
import { createPoll } from './create-poll.ts'
import { deletePoll } from './delete-poll.ts'
import { accessPoll, demandManaging } from './poll-access.ts'
import { addOption, optionIn, removeOption, updateOption } from './poll-options.ts'
import { optionsOf } from './poll-wire.ts'
import { composePolls } from './polls-shown.ts'
import { queryPolls, queryVotes } from './query-polls.ts'
import { updatePoll, updatePollPartial } from './update-poll.ts'

const create = endpoint(
  { name: 'CreatePoll', method: 'POST', path: '/polls', body: CreatePollRequest, answer: PollAnswer, status: 201 },
  async ({ caller, body }, server) => {
    demandInApp(caller, 'create-poll')
    return { poll: await createPoll(server, actingUser(caller), body) }
  },
)

const update = endpoint(
  { name: 'UpdatePoll', method: 'PUT', path: '/polls', body: UpdatePollRequest, answer: PollAnswer },
  async ({ caller, body }, server) => {
    const access = await accessPoll(server, caller, body.id)
    return { poll: await updatePoll(server, caller, access, body) }
  },
)

const updatePartial = endpoint(
  {
    name: 'UpdatePollPartial',
    method: 'PATCH',
    path: '/polls/:id',
    body: UpdatePollPartialRequest,
    answer: PollAnswer,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessPoll(server, caller, params.id!)
    return { poll: await updatePollPartial(server, caller, access, body) }
  },
)

const get = endpoint(
  { name: 'GetPoll', method: 'GET', path: '/polls/:id', answer: PollAnswer },
  async ({ caller, params }, server) => {
    const access = await accessPoll(server, caller, params.id!)
    const [poll] = await composePolls(server, caller.app.id, [access.poll], caller.user?.id)
    return { poll: poll! }
  },
)

const remove = endpoint(
  { name: 'DeletePoll', method: 'DELETE', path: '/polls/:id', answer: Done },
  async ({ caller, params }, server) => {
    const access = await accessPoll(server, caller, params.id!)
    demandManaging(caller, access, 'delete-poll')
    await deletePoll(server, access.poll, caller.user)
    return {}
  },
)

const query = endpoint(
  {
    name: 'QueryPolls',
    method: 'POST',
    path: '/polls/query',
    body: QueryPollsRequest,
    answer: PollsAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => queryPolls(server, caller, body),
)

const createOption = endpoint(
  {
    name: 'CreatePollOption',
    method: 'POST',
    path: '/polls/:id/options',
    body: CreatePollOptionRequest,
    answer: PollOptionAnswer,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessPoll(server, caller, params.id!)
    return { poll_option: await addOption(server, caller, access, body) }
  },
)

const changeOption = endpoint(
  {
    name: 'UpdatePollOption',
    method: 'PUT',
    path: '/polls/:id/options',
    body: UpdatePollOptionRequest,
    answer: PollOptionAnswer,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessPoll(server, caller, params.id!)
    return { poll_option: await updateOption(server, caller, access, body) }
  },
)

const getOption = endpoint(
  { name: 'GetPollOption', method: 'GET', path: '/polls/:id/options/:option', answer: PollOptionAnswer },
  async ({ caller, params }, server) => {
    const { poll } = await accessPoll(server, caller, params.id!)
    return { poll_option: optionIn(optionsOf(poll), params.option!) }
  },
)

const deleteOption = endpoint(
  { name: 'DeletePollOption', method: 'DELETE', path: '/polls/:id/options/:option', answer: Done },
  async ({ caller, params }, server) => {
    const access = await accessPoll(server, caller, params.id!)
    await removeOption(server, caller, access, params.option!)
    return {}
  },
)

const cast = endpoint(
  {
    name: 'CastPollVote',
    method: 'POST',
    path: '/messages/:id/polls/:poll/vote',
    body: CastPollVoteRequest,
    answer: PollVoteAnswer,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const ballot = await accessBallot(server, caller, params)
    return castVote(server, caller, ballot, actingUser(caller), body.vote)
  },
)

const takeBack = endpoint(
  {
    name: 'RemovePollVote',
    method: 'DELETE',
    path: '/messages/:id/polls/:poll/vote/:vote',
    answer: PollVoteAnswer,
  },
  async ({ caller, params }, server) => {
    const ballot = await accessBallot(server, caller, params)
    return removeVote(server, caller, ballot, params.vote!)
  },
)

const votes = endpoint(
  {
    name: 'QueryPollVotes',
    method: 'POST',
    path: '/polls/:id/votes',
    body: QueryPollVotesRequest,
    answer: PollVotesAnswer,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const access = await accessPoll(server, caller, params.id!)
    return queryVotes(server, caller, access, body)
  },
)

/** @throws ChatError InputError (4) — the poll is not on the message [POL-35] */
async function accessBallot(server: Server, caller: Caller, params: Readonly<Record<string, string>>): Promise<Ballot> {
  const { message, access } = await accessMessage(server, caller, params.id!, 'read-channel')
  const { poll: pollId = '' } = params
  if (message.poll_id !== pollId) throw inputError('poll_id', `poll ${pollId} does not hang on message ${message.id}`)
  return { access, messageId: message.id, pollId }
}

export const pollEndpoints: Endpoint[] = [
  create,
  update,
  query,
  get,
  updatePartial,
  remove,
  createOption,
  changeOption,
  getOption,
  deleteOption,
  cast,
  takeBack,
  votes,
]
