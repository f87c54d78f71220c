import type { ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { FastifyRequest, RequestPayload } from 'fastify'

/** The uncompressed body; the server's limit counts its bytes [messaging.md 1.1]. */
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
  // The failure of an unread body has no other listener, and would end the process.
  plain.on('error', () => {})
  // A pipe does not notice when the client goes away, and a refused body is not read to its end.
  answer.once('close', () => plain.destroy())
  // The length the client announced is that of the zipped bytes.
  return Object.defineProperty(plain, 'receivedEncodedLength', { get: () => received })
}
