import type { ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyRequest, RequestPayload } from 'fastify'

/** The body as it was before it was zipped; the door's limit counts its bytes [messaging.md 1.1]. */
export function unzipped(request: FastifyRequest, answer: ServerResponse, body: RequestPayload): RequestPayload {
  if (request.headers['content-encoding']?.toLowerCase() !== 'gzip') return body
  let received = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length
      done(null, chunk)
    },
  })
  const plain = body.pipe(counted).pipe(createGunzip())
  // Of a body that nobody reads, the failure is heard by nobody else, and would end the process.
  plain.on('error', () => {})
  // A pipe hears nothing of a sender who goes away, and what is refused is not read to its end.
  answer.once('close', () => plain.destroy())
  // The length the client announced is that of the zipped bytes.
  return Object.defineProperty(plain, 'receivedEncodedLength', { get: () => received })
}
