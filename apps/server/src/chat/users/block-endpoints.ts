import { BlockAnswer, BlockRequest, BlocksAnswer } from '@parley/protocol/users'
import { Done } from '@parley/protocol/wire'
import Type from 'typebox'
import { isoOf } from '../../platform/micros.ts'
import { namedUser } from '../api/caller.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import { blocksOf } from './block-store.ts'
import { blockUser, unblockUser } from './block-user.ts'
import { userSummariesOf } from './user-summaries.ts'

const block = endpoint(
  { name: 'BlockUsers', method: 'POST', path: '/users/block', body: BlockRequest, answer: BlockAnswer, status: 201 },
  async ({ caller, body }, server) => {
    const made = await blockUser(server, caller, namedUser(caller), body.blocked_user_id)
    return {
      blocked_by_user_id: made.user_id,
      blocked_user_id: made.blocked_id,
      created_at: isoOf(made.created_at),
    }
  },
)

const unblock = endpoint(
  { name: 'UnblockUsers', method: 'POST', path: '/users/unblock', body: BlockRequest, answer: Done, status: 201 },
  async ({ caller, body }, server) => {
    await unblockUser(server, namedUser(caller), body.blocked_user_id)
    return {}
  },
)

const list = endpoint(
  {
    name: 'GetBlockedUsers',
    method: 'GET',
    path: '/users/block',
    query: Type.Object({ user_id: Type.Optional(Type.String()) }),
    answer: BlocksAnswer,
  },
  async ({ caller }, server) => {
    const { app, id } = namedUser(caller)
    const blocks = await blocksOf(server.database.read, server.database.dialect, app, [id])
    const userSummaries = await userSummariesOf(server, app, [id, ...blocks.map((row) => row.blocked_id)])
    return {
      blocks: blocks.map((row) => ({
        user: userSummaries.of(id),
        user_id: id,
        blocked_user: userSummaries.of(row.blocked_id),
        blocked_user_id: row.blocked_id,
        created_at: isoOf(row.created_at),
      })),
    }
  },
)

export const blockEndpoints: Endpoint[] = [block, unblock, list]
