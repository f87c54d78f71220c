import { MEMBERS_PAGE_MAX, THREAD_PARTICIPANTS, THREAD_REPLIES, THREAD_REPLIES_MAX } from '@parley/protocol/limits'
import {
  GetThreadQuery,
  QueryThreadsRequest,
  ThreadAnswer,
  ThreadsAnswer,
  UpdateThreadRequest,
} from '@parley/protocol/threads'
import { isTrue } from '../../platform/http/query-flag.ts'
import { whole } from '../../platform/http/whole-number.ts'
import type { Server } from '../../server.ts'
import type { Caller } from '../api/caller.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'
import { mayWatch } from '../members/blocked.ts'
import { composeThreads } from './compose-threads.ts'
import { queryThreads } from './query-threads.ts'
import { accessThread } from './thread-access.ts'
import { updateThread } from './update-thread.ts'

const query = endpoint(
  {
    name: 'QueryThreads',
    method: 'POST',
    path: '/threads',
    body: QueryThreadsRequest,
    answer: ThreadsAnswer,
    status: 201,
  },
  async ({ caller, body }, server) => {
    const { threads, around } = await queryThreads(server, caller, body)
    const cids = threads.map((thread) => thread.cid)
    await watchThem(server, caller, cids, body.watch ?? caller.connectionId !== undefined)
    const limits = {
      replies: body.reply_limit ?? THREAD_REPLIES,
      participants: body.participant_limit ?? THREAD_PARTICIPANTS,
    }
    return { threads: await composeThreads(server, caller.app.id, caller, threads, limits), ...around }
  },
)

const get = endpoint(
  { name: 'GetThread', method: 'GET', path: '/threads/:id', query: GetThreadQuery, answer: ThreadAnswer },
  async ({ caller, params, query }, server) => {
    const { thread, access } = await accessThread(server, caller, params.id!)
    const watch = isTrue('watch', query.watch) && mayWatch(access.member)
    await watchThem(server, caller, [thread.cid], watch)
    const limits = {
      replies: whole('reply_limit', query.reply_limit, THREAD_REPLIES, 0, THREAD_REPLIES_MAX),
      participants: whole('participant_limit', query.participant_limit, THREAD_PARTICIPANTS, 0, THREAD_PARTICIPANTS),
    }
    // The answer has no members, but a `member_limit` that is too large is still refused [LIM-5].
    whole('member_limit', query.member_limit, MEMBERS_PAGE_MAX, 0, MEMBERS_PAGE_MAX)
    const [wire] = await composeThreads(server, caller.app.id, caller, [thread], limits)
    return { thread: wire! }
  },
)

const update = endpoint(
  {
    name: 'UpdateThreadPartial',
    method: 'PATCH',
    path: '/threads/:id',
    body: UpdateThreadRequest,
    answer: ThreadAnswer,
  },
  async ({ caller, params, body }, server) => {
    const found = await accessThread(server, caller, params.id!)
    return { thread: await updateThread(server, caller, found, body) }
  },
)

/** The threads' channels are watched like any other. */
async function watchThem(server: Server, caller: Caller, cids: readonly string[], watch: boolean) {
  if (watch && caller.user) await server.live.of(caller).watch(cids)
}

export const threadEndpoints: Endpoint[] = [query, get, update]
