import { REACTIONS_OFFSET_MAX, REACTIONS_PAGE, REACTIONS_PAGE_MAX } from '@parley/protocol/limits'
import { QueryReactionsAnswer, QueryReactionsRequest, ReactionAnswer, ReactionsAnswer } from '@parley/protocol/messages'
import { SendReactionRequest } from '@parley/protocol/reactions'
import Type from 'typebox'
import { actingUser } from '../../chat/api/caller.ts'
import { type Endpoint, endpoint } from '../../chat/api/endpoint.ts'
import { accessMessage } from '../../chat/messages/message-access.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import { whole } from '../../platform/http/whole-number.ts'
import { queryReactions } from './query-reactions.ts'
import { react, unreact } from './react.ts'
import { reactionsPage } from './reaction-store.ts'
import { reactionWire } from './reactions-of-messages.ts'

const send = endpoint(
  {
    name: 'SendReaction',
    method: 'POST',
    path: '/messages/:id/reaction',
    body: SendReactionRequest,
    answer: ReactionAnswer,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const { message, access } = await accessMessage(server, caller, params.id!, 'read-channel')
    return react(server, access, message.id, actingUser(caller), body.reaction, {
      enforceUnique: body.enforce_unique === true,
      skipPush: body.skip_push === true,
    })
  },
)

const remove = endpoint(
  { name: 'DeleteReaction', method: 'DELETE', path: '/messages/:id/reaction/:type', answer: ReactionAnswer },
  async ({ caller, params }, server) => {
    const { message, access } = await accessMessage(server, caller, params.id!, 'read-channel')
    return unreact(server, access, message.id, actingUser(caller), params.type!)
  },
)

const list = endpoint(
  {
    name: 'GetReactions',
    method: 'GET',
    path: '/messages/:id/reactions',
    query: Type.Object({ limit: Type.Optional(Type.String()), offset: Type.Optional(Type.String()) }),
    answer: ReactionsAnswer,
  },
  async ({ caller, params, query }, server) => {
    const { message } = await accessMessage(server, caller, params.id!, 'read-channel')
    const page = {
      limit: whole('limit', query.limit, REACTIONS_PAGE, 1, REACTIONS_PAGE_MAX),
      offset: whole('offset', query.offset, 0, 0, REACTIONS_OFFSET_MAX),
    }
    const rows = await reactionsPage(server.database.read, caller.app.id, message.id, page)
    const userSummaries = await userSummariesOf(
      server,
      caller.app.id,
      rows.map((row) => row.user_id),
    )
    return { reactions: rows.map((row) => reactionWire(row, userSummaries)) }
  },
)

const query = endpoint(
  {
    name: 'QueryReactions',
    method: 'POST',
    path: '/messages/:id/reactions',
    body: QueryReactionsRequest,
    answer: QueryReactionsAnswer,
    status: 201,
  },
  async ({ caller, params, body }, server) => {
    const { message } = await accessMessage(server, caller, params.id!, 'read-channel')
    return queryReactions(server, message, caller, body)
  },
)

export const reactionEndpoints: Endpoint[] = [send, remove, list, query]
