import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ChatError } from '../chat-error.ts'
import { type Answering, earlyHeaders } from './early-answer.ts'
import { errorAnswer } from './error-answer.ts'

/** Answers a request that is too broken to become a call, in the shape of every refusal, and hangs up. */
export function refuseSocket(server: Answering, error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const body = errorAnswer('Call', asChatError(error), '0.00ms')
  const text = JSON.stringify(body)
  const headers = Object.entries(earlyHeaders(server, text)).map(([name, value]) => `${name}: ${value}`)
  const status = `HTTP/1.1 ${body.StatusCode} ${STATUS_CODES[body.StatusCode]}`
  socket.end([status, ...headers, 'Connection: close', '', text].join('\r\n'))
}

function asChatError(cause: Error & { code?: string }): ChatError {
  if (cause.code === 'HPE_HEADER_OVERFLOW')
    return new ChatError('MaxHeaderSizeExceededError', 'the headers are too big', { cause })
  if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ChatError('RequestTimeoutError', 'the request took too long to arrive', { cause })
  return new ChatError('InputError', 'the request is not valid HTTP', { cause })
}
