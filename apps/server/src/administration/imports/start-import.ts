import type { ImportRequest } from '@parley/protocol/imports'
import type { Static } from 'typebox'
import type { App } from '../../chat/apps/app.ts'
import type { ImportRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { addImport } from './import-store.ts'
import { uploadAt } from './import-uploads.ts'
import { importing } from './run-import.ts'

/**
 * Starts the import of an uploaded file; the task has the same id [IMP-5].
 *
 * @throws ChatError InputError (4) — no file was uploaded there
 */
export async function startImport(
  server: Server,
  app: App,
  { path, mode = 'upsert', merge_custom = false }: Static<typeof ImportRequest>,
): Promise<ImportRow> {
  const file = await uploadAt(server, app, path)
  return server.commit.write(app.id, [], async (batch) => {
    const now = batch.now()
    const row: ImportRow = {
      app: app.id,
      id: await server.tasks.begin(batch, app.id, importing.name, {}),
      path,
      mode,
      merge_custom: merge_custom ? 1 : 0,
      state: 'uploaded',
      size: file.size,
      result_json: null,
      history_json: '[]',
      created_at: now,
      updated_at: now,
    }
    await addImport(batch.db, row)
    return row
  })
}
