import type { Server as HttpServer, IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { ChatError } from '../chat-error.ts'
import { type Answering, earlyHeaders } from './early-answer.ts'
import { errorAnswer } from './error-answer.ts'
import type { LoadShedding } from './load-shedding.ts'

/** What is asked of a server most when it has too much to do, and costs nothing. */
const NEVER_SHED = new Set(['/health', '/alive', '/metrics'])
/** What waits, or takes long by its nature, is not counted among the calls under way. */
const LONG = /^\/(files|imports\/uploads)\/|^(\/api\/v2(\/chat)?)?\/longpoll\b/
/** When to retry, spread out so that clients do not all retry at once. */
const RETRY_SECONDS = [1, 2, 3, 4] as const

const refusal = new ChatError('RateLimitError', 'the server has too much to do at this moment; try again')
const body = JSON.stringify(errorAnswer('Call', refusal, '0.00ms'))

/**
 * Refuses calls in front of everything else, while there is too much to do: of many thousand a second, each must cost
 * next to nothing.
 */
export function shedCalls(http: HttpServer, load: LoadShedding, server: Answering) {
  const [answer] = http.listeners('request') as [RequestListener]
  http.removeAllListeners('request')
  http.on(
    'request',
    (request: IncomingMessage, response: ServerResponse<IncomingMessage> & { req: IncomingMessage }) => {
      if (isAlwaysAnswered(request) || load.admit(request, response)) return answer(request, response)
      response.writeHead(refusal.status, {
        ...earlyHeaders(server, body, request.headers['x-client-request-id']),
        'Retry-After': RETRY_SECONDS[Math.floor(Math.random() * RETRY_SECONDS.length)]!,
      })
      response.end(body)
    },
  )
}

function isAlwaysAnswered({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'OPTIONS' ||
    NEVER_SHED.has(url) ||
    LONG.test(url) ||
    headers['content-type']?.startsWith('multipart/') === true
  )
}
