/** Queue events go to the app's own server only [administration.md 7.8]. */
import type { Batch } from '../../platform/database/batch.ts'
import type { FlagRow, ReviewActionRow, ReviewItemRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { moderationFlagWires } from '../moderation/moderation-flags.ts'
import { actionWires, itemWires } from './item-wires.ts'

/** A review item was created or changed. */
export async function publishItem(
  server: Server,
  batch: Batch,
  row: ReviewItemRow,
  what: 'new' | 'updated',
  { flags = [], action }: { flags?: readonly FlagRow[]; action?: ReviewActionRow },
) {
  const { app } = row
  if (!batch.hasOutboundSubscribers(app)) return
  const [item] = await itemWires(server, app, [row], batch.db)
  const [done] = action ? await actionWires(server, app, [action]) : []
  publish(batch, app, `review_queue_item.${what}`, {
    review_queue_item: item,
    ...(flags.length > 0 && { flags: await moderationFlagWires(server, app, flags, { itemOf: () => row.id }) }),
    ...(done && { action: done }),
  })
}

/** A user or rule reported a subject. */
export function publishReport(batch: Batch, { app, entity_type, entity_id }: FlagRow) {
  publish(batch, app, 'moderation.flagged', { content_type: entity_type, object_id: entity_id })
}

/** Content was checked, whatever the result. */
export function publishCheck(
  batch: Batch,
  app: string,
  checked: { entity_type: string; entity_id: string; recommended_action: string; review_queue_item_id: string },
) {
  publish(batch, app, 'moderation_check.completed', checked)
}

/** A moderator approved an item, or took an action that only the app implements. */
export function publishDecision(
  batch: Batch,
  app: string,
  type: 'moderation.mark_reviewed' | 'moderation.custom_action',
  decided: object,
) {
  publish(batch, app, type, decided)
}

function publish(batch: Batch, app: string, type: string, fields: object) {
  batch.publishOutbound(app, () => JSON.stringify({ type, created_at: isoOf(batch.now()), ...fields }))
}
