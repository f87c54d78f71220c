import { MESSAGE_ENTITY } from '@parley/protocol/review'
import type { Batch } from '../../platform/database/batch.ts'
import type { FlagRow, ReviewItemRow } from '../../platform/database/tables.ts'
import type { Micros } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { Reportable } from '../review/entities.ts'
import { publishReport } from '../review/publish-review-events.ts'
import { type Finding, holdItem, raiseItem } from '../review/raise-item.ts'
import { countFlags, insertFlags, raiseReport } from './flag-store.ts'
import { publishFlag } from './publish-flag-events.ts'

/** A flag of a subject: by a user, or the `n`th by a rule. */
interface Said extends Pick<FlagRow, 'user_id' | 'type'> {
  n?: number
  reason: string | undefined
  data: object
}

/** A flag that is not reviewed yet. */
export function newFlag(
  { app, subject, type, id, cid, creatorId }: Reportable,
  { n = 0, reason, data, ...by }: Said,
  at: Micros,
): FlagRow {
  return {
    app,
    subject,
    ...by,
    n,
    entity_type: type,
    entity_id: id,
    message_id: type === MESSAGE_ENTITY ? id : null,
    cid,
    target_id: creatorId ?? '',
    reason: reason ?? null,
    data: JSON.stringify(data),
    created_at: at,
    updated_at: at,
    reviewed_at: null,
    reviewed_by: null,
  }
}

/** Stores flags of one subject, by users or rules, and puts the subject into the review queue. */
export async function raiseFlags(
  server: Server,
  batch: Batch,
  entity: Reportable,
  flags: readonly FlagRow[],
  finding: Finding,
): Promise<ReviewItemRow> {
  const known = await holdItem(batch, entity.app, entity.subject)
  await insertFlags(batch.db, flags)
  const [first] = flags
  // A message that was checked before it was sent is in no channel yet.
  if (first?.message_id != null && first.cid !== null) await raiseReport(batch.db, first, flags.length)
  for (const flag of flags) await publishFlag(server, batch, flag, finding.held)
  for (const flag of flags) publishReport(batch, flag)
  const total = await countFlags(batch.db, entity.app, entity.subject)
  return raiseItem(server, batch, entity, known, { flags, total }, finding)
}
