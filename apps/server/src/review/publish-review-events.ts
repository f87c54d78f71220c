/** What happens in the queue is told to the app's own server alone [administration.md 7.8]. */
import type { Batch } from '../database/batch.ts'
import type { FlagRow, ReviewActionRow, ReviewItemRow } from '../database/tables.ts'
import { isoOf } from '../micros.ts'
import { moderationFlagWires } from '../moderation/moderation-flags.ts'
import type { Server } from '../server.ts'
import { actionWires, itemWires } from './item-wires.ts'

/** There is something to look at, or something became of it. */
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

/** Somebody reported something. */
export function publishReport(batch: Batch, { app, entity_type, entity_id }: FlagRow) {
  publish(batch, app, 'moderation.flagged', { content_type: entity_type, object_id: entity_id })
}

/** Something was checked, whatever came of it. */
export function publishCheck(
  batch: Batch,
  app: string,
  checked: { entity_type: string; entity_id: string; recommended_action: string; review_queue_item_id: string },
) {
  publish(batch, app, 'moderation_check.completed', checked)
}

/** A moderator found nothing wrong, or did something that only the app knows. */
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
