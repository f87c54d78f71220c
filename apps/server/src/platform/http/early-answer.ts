/**
 * Answers that no route gives: to a request that is not valid HTTP, that expects what no server does, or that comes
 * while there is too much to do. They carry what every answer does; without the CORS headers a page in a browser could
 * not read why it was refused.
 */
import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from '../../server.ts'
import { ChatError } from '../chat-error.ts'
import { errorAnswer } from './error-answer.ts'

/** The headers of an answer that pages of other origins may read. */
export const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'x-client-request-id',
  'X-Server-Time',
]

export type Answering = Pick<Server, 'limits' | 'clock'>

/** The headers of such an answer; nothing was counted for its caller. */
export function earlyHeaders(
  { limits, clock }: Answering,
  body: string,
  requestId?: string | string[],
): Record<string, string | number | string[]> {
  const { limit, remaining, reset } = limits.look('', 'Call', 'web')
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': reset,
    'X-Server-Time': clock.now(),
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(', '),
    ...(requestId !== undefined && { 'x-client-request-id': requestId }),
  }
}

/** Answers a header `Expect` other than `100-continue`, which Node itself would answer without a word. */
export function refuseExpectations(http: HttpServer, server: Answering) {
  http.on('checkExpectation', ({ headers }: IncomingMessage, response: ServerResponse) => {
    const refusal = new ChatError('InputError', `nothing is known of what the header Expect asks for`)
    const body = JSON.stringify({ ...errorAnswer('Call', refusal, '0.00ms'), StatusCode: 417 })
    const early = earlyHeaders(server, body, headers['x-client-request-id'])
    response.writeHead(417, { ...early, Connection: 'close' })
    response.end(body)
  })
}
