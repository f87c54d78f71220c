import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { ChatError } from '../chat-error.ts'
import { errorAnswer } from './error-answer.ts'

/** Answers a request that is too broken to become a call, in the shape of every refusal, and hangs up. */
export function refuseSocket(error: Error & { code?: string }, socket: Socket) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const body = errorAnswer('Call', asChatError(error), '0.00ms')
  const text = JSON.stringify(body)
  socket.end(
    [
      `HTTP/1.1 ${body.StatusCode} ${STATUS_CODES[body.StatusCode]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Access-Control-Allow-Origin: *',
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}

function asChatError(cause: Error & { code?: string }): ChatError {
  if (cause.code === 'HPE_HEADER_OVERFLOW')
    return new ChatError('MaxHeaderSizeExceededError', 'the headers are too big', { cause })
  if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ChatError('RequestTimeoutError', 'the request took too long to arrive', { cause })
  return new ChatError('InputError', 'the request is not valid HTTP', { cause })
}
