import { randomBytes } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { App } from '../../chat/apps/app.ts'
import { inputError } from '../../platform/chat-error.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { FileRow } from '../../platform/database/tables.ts'
import { OutboundError, outboundFetch } from '../../platform/outbound/outbound-fetch.ts'
import type { Server } from '../../server.ts'
import { cleanName } from './file-names.ts'
import { addFile } from './file-store.ts'
import { HEAD_BYTES, typeOfFile } from './file-type.ts'
import { checkType, type FileKind, sizeLimitOf } from './upload-rules.ts'
import { sizeOfPicture } from './variants.ts'

const FETCH_MS = 30_000

/**
 * Fetches a remote file and stores it as if a user had uploaded it here. Its bytes are stored now; the file exists once
 * its row is added, and cannot be found before.
 *
 * @throws ChatError InputError (4) — it cannot be fetched, or its type is not allowed [ATT-7]
 */
export async function copyFromUrl(
  server: Server,
  app: App,
  { url, kind, cid, userId }: { url: string; kind: FileKind; cid: string; userId: string },
): Promise<FileRow> {
  const config = kind === 'image' ? app.settings.image_upload_config : app.settings.file_upload_config
  const path = join(server.files.passing, randomBytes(16).toString('hex'))
  await mkdir(server.files.passing, { recursive: true })
  const passing = await open(path, 'wx', 0o600)
  try {
    let size = 0
    let head = Buffer.alloc(0)
    const answer = await outboundFetch(server.outboundPolicies.public, url, {
      timeLimitMs: FETCH_MS,
      sizeLimitBytes: sizeLimitOf(config),
      async into(piece) {
        size += piece.length
        if (head.length < HEAD_BYTES) head = Buffer.concat([head, piece]).subarray(0, HEAD_BYTES)
        await passing.appendFile(piece)
      },
    }).catch((error: unknown) => {
      if (error instanceof OutboundError) throw inputError('attachments', `${url} cannot be copied: ${error.message}`)
      throw error
    })
    if (answer.status !== 200) throw inputError('attachments', `${url} cannot be copied: status ${answer.status}`)
    const name = cleanName(nameIn(answer.url))
    const said = (answer.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
    const type = await typeOfFile(head, said, name)
    checkType(kind, config, name, type, said)
    const picture = await sizeOfPicture(path, type!)
    const file: FileRow = {
      id: randomBytes(20).toString('base64url'),
      app: app.id,
      kind,
      cid,
      user_id: userId,
      name,
      mime_type: type!,
      size,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      created_at: server.clock.micros(),
    }
    await server.files.storage.keep(file.id, path, file.mime_type)
    return file
  } finally {
    await passing.close()
    await rm(path, { force: true })
  }
}

/** Adds the rows of copied files. */
export async function addCopies(batch: Batch, files: readonly FileRow[]) {
  for (const file of files) await addFile(batch.db, file)
}

/** Deletes the bytes of copies that got no row. */
export async function dropCopies({ files: { storage } }: Server, files: readonly FileRow[]) {
  await storage.remove(files.map(({ id }) => id))
}

function nameIn(url: string): string {
  const last = basename(new URL(url).pathname)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
