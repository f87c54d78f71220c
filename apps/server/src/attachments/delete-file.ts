import { ChatError } from '../chat-error.ts'
import type { FileRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { deleteFileRows, fileById, filesOf, variantsOf } from './file-store.ts'

/** Files of a user that are looked up together to be deleted. */
const FILES_AT_ONCE = 100

/**
 * The only way from an address that came from outside to a file. A file of another channel, or uploaded as another
 * kind, answers like one that is missing.
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
 * Deletes a file and all that was made of it. Messages keep its address, which leads nowhere from now on.
 *
 * Its row goes last: as long as that is there, whatever went wrong can be done once more.
 */
export async function deleteFile(server: Server, file: FileRow) {
  const { storage } = server.files
  const variants = await variantsOf(server.database.read, file.id)
  await storage.remove([file.id, ...variants.map(({ variant }) => `${file.id}.${variant}`)])
  await server.commit.write(file.app, [], (batch) => deleteFileRows(batch.db, file.id))
}

/** Deletes all that a user has uploaded, in channels and outside of them. */
export async function deleteFilesOf(server: Server, app: string, userId: string) {
  for (;;) {
    const files = await filesOf(server.database.read, app, userId, FILES_AT_ONCE)
    if (files.length === 0) return
    for (const file of files) await deleteFile(server, file)
  }
}
