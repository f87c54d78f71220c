/** Files that an app's server gets or gives in one piece: exports and imports. They go by themselves. */
import { randomBytes } from 'node:crypto'
import type { Batch } from '../database/batch.ts'
import type { FileRow } from '../database/tables.ts'
import type { Server } from '../server.ts'
import { addFile, appFilesBefore, deleteFileRows, fileById, setFileSize } from './file-store.ts'

/** An export is kept this long [administration.md 10.4], an upload that can be imported this long. */
const KEPT_DAYS = { export: 60, import: 7 } as const
const DAY_MICROS = 86_400_000_000
/** A link to an export is good for a day; it begins with some hours more, since one made a while ago is given again. */
const LINK_SECONDS = 26 * 3_600
/** Files one look takes away. */
const AT_ONCE = 100

/** Longer than the ids of what people upload, so that no answer makes an old address of it good again. */
export function newAppFileId(): string {
  return randomBytes(27).toString('base64url')
}

/** Makes room for a file, which is empty until it is kept. */
export async function addAppFile(
  batch: Batch,
  app: string,
  { id, kind, name, type }: { id: string; kind: 'export' | 'import'; name: string; type: string },
) {
  const file = { id, app, kind, cid: null, user_id: '', name, mime_type: type, size: 0, width: null, height: null }
  await addFile(batch.db, { ...file, created_at: batch.now() })
}

/** @returns the file as it stands in the database; undefined when there is none of that kind */
export async function appFile(server: Server, kind: 'export' | 'import', id: string): Promise<FileRow | undefined> {
  const file = await fileById(server.database.read, id)
  return file?.kind === kind ? file : undefined
}

/** Says how large it is, if it is as large as it was thought to be; two who fill it at once cannot both do so. */
export function resizeAppFile(batch: Batch, id: string, size: { from: number; to: number }): Promise<boolean> {
  return setFileSize(batch.db, id, size)
}

/** Where the app's server can fetch an export for a day. */
export function linkToExport({ files, clock }: Server, file: { app: string; id: string; name: string }): string {
  return files.links.linkTo(file.app, file, LINK_SECONDS, clock.now())
}

/** Takes away what is too old, with its bytes. */
export async function purgeExpiredAppFiles(server: Server): Promise<void> {
  const now = server.clock.micros()
  for (const kind of ['export', 'import'] as const)
    for (;;) {
      const before = now - KEPT_DAYS[kind] * DAY_MICROS
      const old = await appFilesBefore(server.database.read, kind, before, AT_ONCE)
      for (const { app, id } of old) {
        await server.files.storage.remove([id])
        await server.commit.write(app, [], (batch) => deleteFileRows(batch.db, id))
      }
      if (old.length < AT_ONCE) break
    }
}
