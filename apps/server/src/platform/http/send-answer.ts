import type { OutgoingHttpHeaders } from 'node:http'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A part of an answer's JSON: text, or the bytes of what was sent before. */
export type Piece = string | Buffer

/** An answer that fits into one packet gains nothing. */
const WORTH_BYTES = 1_400
const zip = promisify(gzip)

/** Sends an answer, zipped to who takes it [messaging.md 1.1]. */
export async function send(request: FastifyRequest, reply: FastifyReply, pieces: readonly Piece[]) {
  reply.header('Vary', 'Accept-Encoding')
  const [text] = pieces
  const isWhole = pieces.length === 1 && typeof text === 'string'
  if ((isWhole && text.length < WORTH_BYTES) || !takesGzip(request.headers['accept-encoding']))
    return isWhole ? reply.send(text) : sendPieces(reply, pieces.map(bytesOf))
  reply.header('Content-Encoding', 'gzip')
  const whole = isWhole ? text : Buffer.concat(pieces.map(bytesOf))
  return reply.send(await zip(whole, { level: constants.Z_BEST_SPEED }))
}

/** They leave as they are: Fastify takes one text, one buffer or a stream that waits after each. */
function sendPieces(reply: FastifyReply, pieces: readonly Buffer[]): FastifyReply {
  reply.header(
    'Content-Length',
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  )
  const { raw } = reply.hijack()
  raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
  raw.cork()
  for (const piece of pieces) raw.write(piece)
  raw.end()
  raw.uncork()
  return reply
}

function bytesOf(piece: Piece): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : piece
}

function takesGzip(accepted: string | string[] | undefined): boolean {
  return /(^|[ ,])(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(accepted ?? ''))
}
