import { MESSAGE_ENTITY } from '@parley/protocol/review'
import type { Verdict } from '../block-lists/verdict.ts'
import type { Batch } from '../database/group-commit.ts'
import type { FlagRow, MessageRow, ReviewItemRow } from '../database/tables.ts'
import { messageEntity, type Reportable, type Reported } from '../review/entities.ts'
import type { Finding } from '../review/raise-item.ts'
import { raiseAgain } from '../review/raise-item.ts'
import type { Server } from '../server.ts'
import { flagsOf } from './flag-store.ts'
import { type Found, NOBODY } from './flag-wires.ts'
import { raiseFlags } from './raise-flags.ts'

/** Reports a message to the moderators that says what a block list names [BLK-5, administration.md 5.4]. */
export async function flagByList(server: Server, where: Reported, verdict: Verdict, held?: MessageRow): Promise<void> {
  await server.commit.write(where.app, [], (batch) => raiseFlag(server, batch, where, verdict, held))
}

/**
 * The same as a part of another write.
 *
 * @param held the message, where it is stored nowhere else
 */
export async function raiseFlag(
  server: Server,
  batch: Batch,
  where: Reported,
  verdict: Verdict,
  held?: MessageRow,
): Promise<void> {
  const entity = await messageEntity(server, where, verdict.text)
  await raiseVerdict(server, batch, entity, verdict, held)
}

/** Reports anything in which a rule found something. What the same rule found before is found still. */
export async function raiseVerdict(
  server: Server,
  batch: Batch,
  entity: Reportable,
  verdict: Verdict,
  held?: MessageRow,
): Promise<ReviewItemRow> {
  const { app, subject, type, id, cid, creatorId } = entity
  const { by, list, word, text, config } = verdict
  const recommended = recommendedFor[verdict.does]
  const finding: Finding = {
    recommended,
    severity: severities[recommended] ?? 50,
    labels: [list ?? by],
    configKey: config,
    ...(held && { held }),
  }
  const before = await flagsOf(batch.db, app, subject, NOBODY)
  if (before.some((flag) => flag.type === by)) return raiseAgain(server, batch, entity, finding)
  const found: Found = {
    ...(list !== undefined && { blocklist_name: list, blocked_word: word ?? '' }),
    ...{ original_text: text, labels: [list ?? by], action: recommended === 'remove' ? 'block' : 'flag' },
  }
  const at = batch.now()
  const made: FlagRow = {
    ...{ app, subject, cid, user_id: NOBODY, n: before.length, type: by, entity_type: type, entity_id: id },
    ...{ message_id: type === MESSAGE_ENTITY ? id : null, target_id: creatorId ?? '', reason: by },
    ...{ data: JSON.stringify(found), created_at: at, updated_at: at, reviewed_at: null, reviewed_by: null },
  }
  return raiseFlags(server, batch, entity, [made], finding)
}

/** What moderators are told that a rule wants. */
export const recommendedFor = {
  ban: 'ban',
  block: 'remove',
  shadow_block: 'shadow',
  bounce_remove: 'bounce_remove',
  bounce_flag: 'bounce_flag',
  bounce: 'bounce',
  mask: 'mask_flag',
  flag: 'flag',
} as const satisfies Record<Verdict['does'], string>

const severities: Readonly<Record<string, number>> = { flag: 50, mask_flag: 50, shadow: 70, remove: 90, ban: 90 }

/** How many flags of a subject are no user's. */
export async function countEngineFlags({ db }: Batch, app: string, subject: string): Promise<number> {
  return (await flagsOf(db, app, subject, NOBODY)).length
}
