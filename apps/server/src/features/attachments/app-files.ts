/** Files an app's server sends or gets as a whole: imports and exports. They expire. */
import { randomBytes } from 'node:crypto'
import type { Batch } from '../../platform/database/batch.ts'
import type { FileRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { addFile, appFilesBefore, deleteFileRows, fileById, setFileSize } from './file-store.ts'

/** How long an export is kept [administration.md 10.4], and how long an upload can be imported. */
const KEPT_DAYS = { export: 60, import: 7 } as const
const DAY_MICROS = 86_400_000_000
/** A link to an export is valid for a day; the lifetime is a bit longer, since an earlier link may be given again. */
const LINK_SECONDS = 26 * 3_600
/** Files purged in one run. */
const AT_ONCE = 100

/** Longer than the ids of user uploads, so that no answer renews an old address of it. */
export function newAppFileId(): string {
  return randomBytes(27).toString('base64url')
}

/** Adds the row of a file that is empty until its bytes are kept. */
export async function addAppFile(
  batch: Batch,
  app: string,
  { id, kind, name, type }: { id: string; kind: 'export' | 'import'; name: string; type: string },
) {
  const file = { id, app, kind, cid: null, user_id: '', name, mime_type: type, size: 0, width: null, height: null }
  await addFile(batch.db, { ...file, created_at: batch.now() })
}

/** @returns the file's row; undefined when there is none of that kind */
export async function appFile(server: Server, kind: 'export' | 'import', id: string): Promise<FileRow | undefined> {
  const file = await fileById(server.database.read, id)
  return file?.kind === kind ? file : undefined
}

/** Sets the size if it is still the expected one; of two concurrent writers only one succeeds. */
export function resizeAppFile(batch: Batch, id: string, size: { from: number; to: number }): Promise<boolean> {
  return setFileSize(batch.db, id, size)
}

/** The link for the app's server to an export, valid for a day. */
export function linkToExport({ files, clock }: Server, file: { app: string; id: string; name: string }): string {
  return files.links.linkTo(file.app, file, LINK_SECONDS, clock.now())
}

/** Purges expired files with their bytes. */
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
