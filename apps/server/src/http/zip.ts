/** Zipped bodies, both ways [messaging.md 1.1]. */
import { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createGunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'

/** An answer that fits into one packet gains nothing. */
const WORTH_BYTES = 1_400
const zip = promisify(gzip)

/** The answer as it is sent: zipped for who takes it. */
export async function zipped(request: FastifyRequest, reply: FastifyReply, text: string): Promise<string | Buffer> {
  reply.header('Vary', 'Accept-Encoding')
  if (text.length < WORTH_BYTES || !takesGzip(request.headers['accept-encoding'])) return text
  reply.header('Content-Encoding', 'gzip')
  return zip(text, { level: constants.Z_BEST_SPEED })
}

/** The body as it was before it was zipped; the door's limit counts its bytes. */
export function unzipped(request: FastifyRequest, body: RequestPayload): RequestPayload {
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
  // The length the client announced is that of the zipped bytes.
  return Object.defineProperty(plain, 'receivedEncodedLength', { get: () => received })
}

function takesGzip(accepted: string | string[] | undefined): boolean {
  return /(^|[ ,])(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(accepted ?? ''))
}
