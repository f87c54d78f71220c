import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import { cancel, type ScheduledJobKind, scheduleJob } from '../../platform/scheduled-jobs/scheduled-jobs.ts'
import { messageById, updateMessage } from './message-store.ts'
import { publishUpdated } from './publish-updated.ts'

/** Unpins a message when its pin expires, and publishes `message.updated` to the watchers [PIN-5]. */
export const pinEnd: ScheduledJobKind = {
  name: 'pin',
  async happen(server, batch, { app, cid, id, at: due }) {
    const channel = batch.channel(app, cid)
    const row = await messageById(batch.db, app, id)
    if (!channel || !row || row.deleted_at !== null || row.pin_expires !== due) return
    const change = { pinned_at: null, pinned_by: null, pin_expires: null, updated_at: batch.nextTime(channel) }
    await updateMessage(batch.db, app, id, change)
    await publishUpdated(server, batch, { ...row, ...change })
  },
}

/** Schedules or cancels the end of a message's pin, after the message was sent or changed. */
export async function setPinEnd(batch: Batch, row: MessageRow, before: MessageRow | undefined) {
  const was = before?.pin_expires ?? null
  if (row.pin_expires === was) return
  if (row.pin_expires === null) await cancel(batch, pinEnd, row, row.id)
  else await scheduleJob(batch, pinEnd, row, row.id, row.pin_expires)
}
