/** Flag and review events go to the app's own server only [administration.md 6.8, 6.10]. */
import type { FlagReport } from '@parley/protocol/moderation'
import { MESSAGE_ENTITY, USER_ENTITY } from '@parley/protocol/review'
import { channelEvent } from '../../chat/channels/channel-wire.ts'
import { composeMessages } from '../../chat/messages/compose-messages.ts'
import { userSummariesOf } from '../../chat/users/user-summaries.ts'
import type { Batch } from '../../platform/database/batch.ts'
import type { FlagReportRow, FlagRow, MessageRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import { countFlags, firstFlagOf } from './flag-store.ts'
import { flagWires } from './flag-wires.ts'

/**
 * A user or a block list flagged a message or a user.
 *
 * @param held the message, if it is not stored elsewhere
 */
export async function publishFlag(server: Server, batch: Batch, row: FlagRow, held?: MessageRow): Promise<void> {
  const { app, subject, cid, entity_type, created_at: at } = row
  const isSent = entity_type === MESSAGE_ENTITY && cid !== null
  if (!isSent && entity_type !== USER_ENTITY) return
  if (!batch.hasOutboundSubscribers(app)) return
  const [flag] = await flagWires(server, [row], batch.db)
  const { user, reason, custom, details, target_message: stored, target_user } = flag!
  const message = stored ?? (held && (await composeMessages(server, app, [held], undefined, batch.db))[0])
  const total_flags = await countFlags(batch.db, app, subject)
  const common = {
    ...(user && { user }),
    ...(reason !== undefined && { reason }),
    ...(custom && { custom }),
    total_flags,
  }
  if (cid === null) {
    const body = { type: 'user.flagged', created_at: isoOf(at), target_user, ...common }
    batch.publishOutbound(app, JSON.stringify(body))
    return
  }
  const channel = await server.channels.get(app, cid)
  if (!channel) return
  const about = { message, message_id: row.message_id, flag, ...(details && { details }) }
  batch.publishOutbound(app, channelEvent(channel, 'message.flagged', at, { ...about, ...common }))
}

/** A moderator reviewed a report. Receivers expect users under names in either spelling. */
export async function publishFlagReview(
  server: Server,
  batch: Batch,
  row: FlagReportRow,
  report: FlagReport,
): Promise<void> {
  const { app, id, cid, reviewed_by, updated_at } = row
  if (!batch.hasOutboundSubscribers(app)) return
  const channel = await server.channels.get(app, cid)
  const first = await firstFlagOf(batch.db, app, `message:${id}`)
  if (!channel || !first) return
  const [flag] = await flagWires(server, [first], batch.db)
  const user = reviewed_by === null ? undefined : (await userSummariesOf(server, app, [reviewed_by])).of(reviewed_by)
  const { message } = report
  const about = {
    message,
    Message: message,
    message_id: id,
    flag,
    flag_report: report,
    ...(user && { user, User: user }),
    ...(flag!.user && { created_by: flag!.user, CreatedBy: flag!.user }),
  }
  batch.publishOutbound(app, channelEvent(channel, 'flag.updated', updated_at, about))
}
