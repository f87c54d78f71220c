import type { LinkPreview } from '@parley/protocol/attachments'
import { type Preview, withPreview } from '../../features/attachments/preview-in-message.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { messageById, updateMessage } from './message-store.ts'
import { changePending } from './pending-store.ts'
import { publishUpdated } from './publish-updated.ts'

/**
 * Adds a link preview that came after the sender's wait, once the message is stored or pending. It runs in the
 * background, and does not disturb an edit or a deletion that comes first.
 *
 * @param stored resolves when the message is committed
 */
export function addLatePreview(
  server: Server,
  place: { app: string; cid: string; id: string },
  { later }: Preview,
  stored: Promise<unknown>,
) {
  if (!later) return
  void Promise.all([later, stored])
    .then(([preview]) => preview && addPreview(server, place, preview))
    // The sender already got the error if the message was not stored; a lost preview alone needs no report.
    .catch(() => {})
}

async function addPreview(
  server: Server,
  { app, cid, id }: { app: string; cid: string; id: string },
  preview: LinkPreview,
) {
  await server.commit.write(app, [cid], async (batch) => {
    const channel = batch.channel(app, cid)
    const row = await messageById(batch.db, app, id)
    if (!row) return changePending(batch.db, app, id, (held) => changeBy(preview, held))
    const found = row.deleted_at === null ? changeBy(preview, row) : undefined
    if (!channel || !found) return
    const change = { ...found, updated_at: batch.nextTime(channel) }
    await updateMessage(batch.db, app, id, change)
    await publishUpdated(server, batch, { ...row, ...change })
  })
}

/** Undefined if the text no longer has the link, or the preview is there already or does not fit. */
function changeBy(preview: LinkPreview, row: MessageRow): Partial<MessageRow> | undefined {
  if (!row.text.includes(preview.og_scrape_url)) return undefined
  const before = row.attachments_json === null ? [] : JSON.parse(row.attachments_json)
  const attachments = withPreview(before, preview)
  return attachments.length === before.length ? undefined : { attachments_json: JSON.stringify(attachments) }
}
