import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { IMPORT_BYTES } from '@parley/protocol/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../chat/apps/app.ts'
import { addAppFile, appFile, newAppFileId, resizeAppFile } from '../../features/attachments/app-files.ts'
import { cleanName } from '../../features/attachments/file-names.ts'
import { asRefusal, passing } from '../../features/attachments/receive-upload.ts'
import { tooLarge } from '../../features/attachments/upload-rules.ts'
import { ChatError, inputError } from '../../platform/chat-error.ts'
import type { FileRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'

const TYPE = 'application/x-ndjson'
/** How long an upload address for an import is valid. */
const LINK_SECONDS = 3_600

/** Prepares the upload of an import file; returns its path and upload address [IMP-4]. */
export async function makeUpload(
  server: Server,
  app: App,
  filename: string,
): Promise<{ path: string; upload_url: string }> {
  const id = newAppFileId()
  const name = cleanName(filename)
  await server.commit.write(app.id, [], (batch) => addAppFile(batch, app.id, { id, kind: 'import', name, type: TYPE }))
  const { links } = server.files
  return { path: `${id}/${name}`, upload_url: links.uploadTo({ id, name }, LINK_SECONDS, server.clock.now()) }
}

/** @throws ChatError InputError (4) — this app uploaded nothing there */
export async function uploadAt(server: Server, app: App, path: string): Promise<FileRow> {
  const [id = '', name] = path.split('/')
  const file = await appFile(server, 'import', id)
  if (!file || file.app !== app.id || file.name !== name || file.size === 0)
    throw inputError('path', `nothing was uploaded at ${path}`)
  return file
}

/** The addresses to which files for imports are uploaded, whatever type they are sent with. */
export async function uploadRoutes(httpServer: FastifyInstance, server: Server) {
  await httpServer.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, done) => {
      body.on('error', () => {})
      done(null, body)
    })
    scope.put('/imports/uploads/:id/:name', {
      config: { operation: 'UploadImport' },
      handler: (request, reply) => receiveUpload(server, request, reply),
    })
  })
}

/**
 * Receives an import file as a stream. Anyone with the address may upload once, without a token; an interrupted
 * upload can be repeated.
 *
 * @throws ChatError NotAllowedError (17) — the address has expired or was not made here
 * @throws ChatError PayloadTooBigError (22), InputError (4) — there is a file already, or it is empty
 */
async function receiveUpload(server: Server, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { id = '' } = request.params as Record<string, string>
  const end = server.files.links.endOfUpload(id, request.query as Record<string, string>)
  if (end === undefined || end <= server.clock.now())
    throw new ChatError('NotAllowedError', 'the address of this upload has run out')
  const file = await appFile(server, 'import', id)
  if (!file) throw new ChatError('DoesNotExistError', `Can't find upload with id ${id}`)
  if (file.size > 0) throw inputError('file', 'there is a file already; ask for another address')
  const { path, size } = await received(server, request)
  try {
    const isFirst = await server.commit.write(file.app, [], (batch) => resizeAppFile(batch, id, { from: 0, to: size }))
    if (!isFirst) throw inputError('file', 'there is a file already; ask for another address')
    try {
      await server.files.storage.keep(id, path, TYPE)
    } catch (error) {
      await server.commit.write(file.app, [], (batch) => resizeAppFile(batch, id, { from: size, to: 0 }))
      throw error
    }
  } finally {
    await rm(path, { force: true })
  }
  return reply.code(200).type('application/json; charset=utf-8').send('{}')
}

async function received({ files, clock }: Server, request: FastifyRequest): Promise<{ path: string; size: number }> {
  const body = request.body as Readable | undefined
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > IMPORT_BYTES) throw tooLarge(length, IMPORT_BYTES)
  if (!body) throw inputError('file', 'the body is empty')
  const path = join(files.passing, randomBytes(16).toString('hex'))
  await mkdir(files.passing, { recursive: true })
  const sink = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  let size = 0
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > IMPORT_BYTES) sink.destroy(tooLarge(undefined, IMPORT_BYTES))
  })
  try {
    await passing(body, sink, clock)
    if (size === 0) throw inputError('file', 'the body is empty')
    return { path, size }
  } catch (error) {
    await rm(path, { force: true })
    throw asRefusal(error)
  }
}
