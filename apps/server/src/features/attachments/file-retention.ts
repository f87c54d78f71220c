/** Purges the bytes of files that no row names any more [ATT-26]. */

import type { TaskKind } from '../../platform/tasks/tasks.ts'
import type { Server } from '../../server.ts'
import { deleteFile } from './delete-file.ts'
import {
  fileIdsIn,
  filesUnnamedSince,
  type NamingTable,
  namingTables,
  noteFirstUnnamed,
  noteNamed,
  rowsNamingFiles,
} from './file-mentions.ts'
import { hasUploads, takeKeyTurn } from './file-store.ts'

const DAY_MICROS = 86_400_000_000
const EVERY_MICROS = DAY_MICROS
/** Rows scanned together, and files erased together. */
const ROWS = 1_000
const FILES = 50

interface Progress {
  /** When the scan began: rows written since then stamp their files themselves. */
  startedAt: number
  /** The table being scanned, and the row to continue after; undefined when all are done. */
  table: string | undefined
  after: string[] | undefined
  erased: number
}

/**
 * Once a day, scans each app for the files still named anywhere: it reads every text column of every table, so that new
 * tables that store addresses are covered as well.
 */
export async function beginFileRetention(server: Server): Promise<void> {
  if (server.settings.fileRetentionDays === 0) return
  for (const app of server.apps.all()) {
    if (!(await hasUploads(server.database.read, app.id))) continue
    await server.commit.write(app.id, [], async (batch) => {
      const now = batch.now()
      // Only one of several nodes gets the turn.
      const isTurn = await takeKeyTurn(batch.db, `files looked through ${app.id}`, now, now - EVERY_MICROS)
      if (isTurn) await server.tasks.begin(batch, app.id, 'erase_unnamed_files', {})
    })
  }
}

export const erasingUnnamedFiles: TaskKind<object, Progress> = {
  name: 'erase_unnamed_files',
  async run(server, task) {
    const { app } = task
    const { read, dialect } = server.database
    const tables = await namingTables(read, dialect)
    const startedAt = task.progress?.startedAt ?? server.clock.micros()
    let erased = task.progress?.erased ?? 0
    const first = task.progress ? tables.findIndex(({ name }) => name === task.progress!.table) : 0
    let after = task.progress?.after
    for (let i = first; i >= 0 && i < tables.length; i++) {
      const table: NamingTable = tables[i]!
      for (;;) {
        const page = await rowsNamingFiles(read, dialect, table, { app, after, limit: ROWS })
        const ids = fileIdsIn(page.texts)
        after = page.end
        const next = { startedAt, table: after ? table.name : tables[i + 1]?.name, after, erased }
        await server.commit.write(app, [], async (batch) => {
          await noteNamed(batch.db, app, ids, startedAt)
          await task.save(batch, next)
        })
        if (!after) break
      }
    }
    await server.commit.write(app, [], (batch) => noteFirstUnnamed(batch.db, app, startedAt))
    const before = startedAt - server.settings.fileRetentionDays * DAY_MICROS
    for (;;) {
      const files = await filesUnnamedSince(read, app, before, FILES)
      for (const file of files) await deleteFile(server, file)
      erased += files.length
      await server.commit.write(app, [], (batch) =>
        task.save(batch, { startedAt, table: undefined, after: undefined, erased }),
      )
      if (files.length < FILES) return { erased }
    }
  },
}
