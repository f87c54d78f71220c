import type { Reported, Verdict } from '../../chat/messages/text-moderation.ts'
import { lockKnownUsers } from '../../chat/users/lock-user.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { MessageRow, ReviewItemRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'
import { messageEntity, type Reportable } from '../review/entities.ts'
import type { Finding } from '../review/raise-item.ts'
import { raiseAgain } from '../review/raise-item.ts'
import { flagsOf } from './flag-store.ts'
import { type Found, NOBODY } from './flag-wires.ts'
import { newFlag, raiseFlags } from './raise-flags.ts'

/** Reports a message that matches a block list to the moderators [BLK-5, administration.md 5.4]. */
export async function flagByList(server: Server, where: Reported, verdict: Verdict, held?: MessageRow): Promise<void> {
  await server.commit.write(where.app, [], async (batch) => {
    // If the author was erased meanwhile, no later job would delete this flag.
    const [author] = await lockKnownUsers(batch, where.app, [where.user_id])
    if (author) await raiseFlag(server, batch, where, verdict, held)
  })
}

/**
 * The same inside another write.
 *
 * @param held the message, if it is not stored elsewhere
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

/** Reports content that a rule matched. Earlier findings of the same rule are kept. */
export async function raiseVerdict(
  server: Server,
  batch: Batch,
  entity: Reportable,
  verdict: Verdict,
  held?: MessageRow,
): Promise<ReviewItemRow> {
  const { app, subject } = entity
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
    original_text: text,
    labels: [list ?? by],
    action: recommended === 'remove' ? 'block' : 'flag',
  }
  const said = { user_id: NOBODY, type: by, n: before.length, reason: by, data: found }
  return raiseFlags(server, batch, entity, [newFlag(entity, said, batch.now())], finding)
}

/** The action recommended to moderators for each rule action. */
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

/** How many flags of a subject come from rules, not from users. */
export async function countEngineFlags({ db }: Batch, app: string, subject: string): Promise<number> {
  return (await flagsOf(db, app, subject, NOBODY)).length
}
