import type { Batch } from '../../platform/database/batch.ts'
import type { Server } from '../../server.ts'
import { publishItem } from './publish-review-events.ts'
import { holdItem } from './raise-item.ts'
import { updateItem } from './review-store.ts'

/** A user reviewed the report of a message: marks its review item as reviewed, too. */
export async function markReviewed(server: Server, batch: Batch, app: string, subject: string, by: string | null) {
  const item = await holdItem(batch, app, subject)
  if (!item) return
  const change = { reviewed_at: batch.now(), reviewed_by: by, updated_at: batch.now() }
  await updateItem(batch.db, app, item.id, change)
  await publishItem(server, batch, { ...item, ...change }, 'updated', {})
}
