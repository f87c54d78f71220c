import { ChatError } from '../../platform/chat-error.ts'
import type { FileRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { deleteFileRows, fileById, filesOf, variantsOf } from './file-store.ts'

/** Files of a user that are read and deleted together. */
const FILES_AT_ONCE = 100

/**
 * The only way from an address sent by a client to a file. A file of another channel, or uploaded as another
 * kind, answers like a missing one.
 *
 * @param cid the channel it must belong to; null for one that belongs to none
 * @throws ChatError DoesNotExistError (16)
 */
export async function accessFile(
  server: Server,
  place: Pick<FileRow, 'app' | 'kind' | 'cid'>,
  url: string,
): Promise<FileRow> {
  const id = server.files.links.idIn(url)
  const file = id === undefined ? undefined : await fileById(server.database.read, id)
  if (file?.app !== place.app || file.cid !== place.cid || file.kind !== place.kind)
    throw new ChatError('DoesNotExistError', `Can't find the ${place.kind} ${url}`)
  return file
}

/**
 * Deletes a file and all its variants. Messages keep its address, which answers as missing from now on.
 *
 * The row is deleted last, so that a failed deletion can be retried.
 */
export async function deleteFile(server: Server, file: FileRow) {
  const { storage } = server.files
  const variants = await variantsOf(server.database.read, file.id)
  await storage.remove([file.id, ...variants.map(({ variant }) => `${file.id}.${variant}`)])
  await server.commit.write(file.app, [], (batch) => deleteFileRows(batch.db, file.id))
}

/** Deletes all uploads of a user, in channels and elsewhere. */
export async function deleteFilesOf(server: Server, app: string, userId: string) {
  for (;;) {
    const files = await filesOf(server.database.read, app, userId, FILES_AT_ONCE)
    if (files.length === 0) return
    for (const file of files) await deleteFile(server, file)
  }
}
