import type { Batch } from '../database/group-commit.ts'
import type { FlagRow, ReviewItemRow } from '../database/tables.ts'
import type { Reportable } from '../review/entities.ts'
import { type Finding, holdItem, raiseItem } from '../review/raise-item.ts'
import { tellOfReport } from '../review/tell-of-items.ts'
import type { Server } from '../server.ts'
import { countFlags, insertFlags, raiseReport } from './flag-store.ts'
import { tellOfFlag } from './tell-of-flags.ts'

/** Stores flags of one thing, whoever or whatever they come from, and brings it before the moderators. */
export async function raiseFlags(
  server: Server,
  batch: Batch,
  entity: Reportable,
  flags: readonly FlagRow[],
  finding: Finding,
): Promise<ReviewItemRow> {
  const known = await holdItem(batch, entity.app, entity.subject)
  await insertFlags(batch.db, flags)
  if (flags[0]?.message_id != null) await raiseReport(batch.db, flags[0], flags.length)
  for (const flag of flags) await tellOfFlag(server, batch, flag)
  for (const flag of flags) tellOfReport(batch, flag)
  const total = await countFlags(batch.db, entity.app, entity.subject)
  return raiseItem(server, batch, entity, known, { flags, total }, finding)
}
