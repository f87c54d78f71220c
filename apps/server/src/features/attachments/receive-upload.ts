import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BusboyHeaders } from '@fastify/busboy'
import type { Incoming } from '../../chat/api/endpoint.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import { type Clock, every } from '../../platform/clock.ts'
import { cleanName } from './file-names.ts'
import { HEAD_BYTES } from './file-type.ts'
import { tooLarge } from './upload-rules.ts'

/** An upload slower than this per interval below is aborted; a slow phone sends ten times as much. */
const LEAST_BYTES = 30_000
const LOOK_MS = 30_000
/** Maximum size of the other form parts, all together. */
const FORM_BYTES = 131_072

/** A received file on the local disk, until it is stored or deleted. */
export interface Received {
  path: string
  size: number
  name: string
  /** The type its sender claims. */
  said: string
  /** Its first bytes. */
  head: Buffer
  /** The other form parts by name. */
  fields: Readonly<Record<string, string>>
}

/**
 * Streams an upload to disk, holding only one piece in memory. After any error, nothing
 * is left behind.
 *
 * @param folder where the file is kept until it is stored
 * @param limit  maximum bytes of the file
 * @throws ChatError PayloadTooBigError (22), InputError (4), RequestTimeoutError (23)
 */
export async function receiveUpload(
  { body, headers }: Incoming,
  { folder, limit, clock }: { folder: string; limit: number; clock: Clock },
): Promise<Received> {
  const length = Number(headers['content-length'] ?? 0)
  const path = join(folder, randomBytes(16).toString('hex'))
  let arriving: { part: Readable; name: string; said: string; written: Promise<void> } | undefined
  let size = 0
  const fields: Record<string, string> = Object.create(null)
  try {
    if (length > limit + FORM_BYTES) throw tooLarge(length, limit)
    await mkdir(folder, { recursive: true })
    const parser = await parserOf(headers, limit)
    parser.on('field', (name, value) => {
      fields[name] = value
    })
    parser.on('file', (field, part, fileName, _encoding, type) => {
      part.on('error', () => {})
      if (field !== 'file' || arriving) return void part.resume()
      part.once('limit', () => parser.destroy(tooLarge(undefined, limit)))
      part.on('data', (chunk: Buffer) => {
        size += chunk.length
      })
      const written = pipeline(part, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
      written.catch((error: Error) => parser.destroy(error))
      arriving = { part, name: cleanName(fileName), said: type.toLowerCase(), written }
    })
    await passing(body, parser, clock)
    if (!arriving) throw inputError('file', 'the form has no part "file" with a file name')
    await arriving.written
    if (size > limit) throw tooLarge(size, limit)
    return { path, size, name: arriving.name, said: arriving.said, head: await headOf(path), fields }
  } catch (error) {
    arriving?.part.destroy()
    await arriving?.written.catch(() => {})
    await rm(path, { force: true })
    throw asRefusal(error)
  }
}

/** Loaded with the first upload, like everything that a server without files does not need. */
async function parserOf(headers: Incoming['headers'], limit: number) {
  const { Busboy } = await import('@fastify/busboy')
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      // The parser reads beyond the file's limit, to report how large the file is [ATT-6].
      limits: { files: 4, fields: 8, parts: 12, fileSize: limit + FORM_BYTES, fieldSize: 16_384, headerSize: 16_384 },
    })
  } catch {
    throw inputError('file', 'the body must be multipart/form-data with a part "file"')
  }
}

/** Pipes the body through the parser while it is fast enough. The body outlives a parser that gives up. */
export async function passing(body: Readable, parser: Writable, clock: Clock) {
  let bytes = 0
  const stop = every(clock, LOOK_MS, () => {
    if (bytes < LEAST_BYTES) parser.destroy(new ChatError('RequestTimeoutError', 'the upload came too slowly'))
    bytes = 0
  })
  try {
    await new Promise<void>((resolve, reject) => {
      // A body that ended before the listeners were attached emits nothing more.
      if (body.destroyed) reject(body.errored ?? new Error('it ended too early'))
      parser.once('finish', resolve)
      parser.once('error', reject)
      body.once('error', reject)
      body.once('close', () => {
        if (!body.readableEnded) reject(new Error('it ended too early'))
      })
      body.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      body.pipe(parser)
    })
  } finally {
    stop()
    body.unpipe(parser)
    parser.on('error', () => {})
  }
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** A broken form is the sender's mistake; a full disk is not. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof ChatError) return error
  const { code, syscall, message } = error as NodeJS.ErrnoException
  if (syscall !== undefined && code !== 'ECONNRESET') return error
  return new ChatError('InputError', `the upload is not whole: ${message}`, { cause: error })
}
