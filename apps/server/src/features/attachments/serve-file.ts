import type { FastifyReply, FastifyRequest } from 'fastify'
import { ChatError } from '../../platform/chat-error.ts'
import type { FileRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { fileById } from './file-store.ts'
import { isShownInPlace } from './file-type.ts'
import type { ByteRange } from './storage.ts'
import { variantIn, variantOf } from './variants.ts'

/**
 * Serves a file to anyone with a valid link. Its type was determined on upload; browsers may neither sniff another type
 * nor run scripts in it, and files that could hold scripts are only downloaded.
 *
 * @throws ChatError NotAllowedError (17) — the link has expired or was not made here
 * @throws ChatError DoesNotExistError (16) — the file was deleted, or has no such variant
 */
export async function serveFile(server: Server, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id = '' } = request.params as Record<string, string>
  const query = request.query as Record<string, string>
  const now = server.clock.now()
  const end = server.files.links.endOf(id, query)
  if (end === undefined || end <= now) throw new ChatError('NotAllowedError', 'the link to this file has run out')
  const file = await fileById(server.database.read, id)
  if (!file) throw new ChatError('DoesNotExistError', `Can't find file with id ${id}`)
  if (!server.files.links.isOf(file.app, id, query))
    throw new ChatError('NotAllowedError', 'the link to this file was not made for it')
  const wanted = variantIn(query)
  const variant = wanted && (await variantOf(server, file, wanted))
  // An image that cannot be resized is served as it is; for sound, another format would be a wrong answer.
  if (wanted === 'mp3' && !variant) throw new ChatError('DoesNotExistError', 'this file has no rendition')

  const { mime_type: type, size } = variant ?? file
  const tag = `"${id}${variant ? `.${variant.variant}` : ''}"`
  const isKnown = matches(request.headers['if-none-match'], tag)
  const ifRange = request.headers['if-range']
  const asked = ifRange === undefined || ifRange === tag ? request.headers.range : undefined
  const range = asked === undefined ? undefined : rangeOf(asked, size)
  // Open before sending headers: the file may be deleted at this moment.
  const isSent = !isKnown && range !== 'outside' && request.method !== 'HEAD' && size > 0
  const bytes = isSent ? await server.files.storage.read(variant ? `${id}.${variant.variant}` : id, range) : ''
  reply.headers({
    'Content-Type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    'Content-Disposition': dispositionOf(file, type),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': `private, max-age=${Math.floor((end - now) / 1000)}, immutable`,
    'Accept-Ranges': 'bytes',
    'Last-Modified': new Date(file.created_at / 1000).toUTCString(),
    ETag: tag,
  })
  if (isKnown) return reply.code(304).send()
  if (range === 'outside') return reply.code(416).header('Content-Range', `bytes */${size}`).send()
  if (range) reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
  reply.header('Content-Length', range ? range.end - range.start + 1 : size)
  return request.method === 'HEAD' ? reply.send() : reply.send(bytes)
}

/** Names may have any letters; those that headers cannot carry go into the second form. */
function dispositionOf({ name }: FileRow, type: string): string {
  const place = isShownInPlace(type) ? 'inline' : 'attachment'
  const plain = name.replace(/[^\x20-\x7E]|["%\\]/g, '_')
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${place}; filename="${plain}"; filename*=UTF-8''${whole}`
}

function matches(header: string | undefined, tag: string): boolean {
  return header?.split(',').some((known) => ['*', tag, `W/${tag}`].includes(known.trim())) === true
}

/** One byte range; several ranges and malformed ones are ignored [RFC 9110 14.2]. */
function rangeOf(header: string, size: number): ByteRange | 'outside' | undefined {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim()) ?? []
  if (from === undefined || (from === '' && to === '')) return undefined
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'outside' : { start: size - length, end: size - 1 }
  }
  const start = Number(from)
  if (to !== '' && Number(to) < start) return undefined
  return start >= size ? 'outside' : { start, end: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}
