/**
 * The way in for clients whose network lets no socket through.
 * @see messaging.md 2.8
 */
import { answer } from '@parley/protocol/wire'
import Type from 'typebox'
import { isTrue } from '../../platform/http/query-flag.ts'
import { authenticate } from '../api/authenticate.ts'
import { type Endpoint, endpoint } from '../api/endpoint.ts'

const anyEvent = Type.Object({ type: Type.String() }, { additionalProperties: true })

const poll = endpoint(
  {
    name: 'LongPoll',
    method: 'GET',
    path: '/longpoll',
    query: Type.Object({
      json: Type.Optional(Type.String({ description: 'as of /connect; opens a connection' })),
      connection_id: Type.Optional(Type.String()),
      close: Type.Optional(Type.String()),
    }),
    answer: answer({ event: Type.Optional(anyEvent), events: Type.Optional(Type.Array(anyEvent)) }),
    open: true,
  },
  async ({ credentials, query, whenGone }, server) => {
    if (!query.connection_id) return { event: await server.gateway.openPoll(credentials, query.json ?? '{}') }
    const caller = await authenticate(server, server.tokens, credentials)
    if (isTrue('close', query.close)) {
      await server.live.close(caller)
      return {}
    }
    return { events: (await server.live.poll(caller, whenGone)).map((event) => JSON.parse(event)) }
  },
)

export const longPollEndpoints: Endpoint[] = [poll]
