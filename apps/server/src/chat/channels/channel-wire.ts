import type { Channel } from '@parley/protocol/channels'
import type { ChannelRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'
import type { Server } from '../../server.ts'
import type { UserSummaries } from '../users/user-summaries.ts'

/**
 * The channel as events carry it: without any per-user field [PERM-1, messaging.md 11.4].
 *
 * @param userSummaries summaries of the users of `usersOfChannel`, as far as they exist
 */
export function channelWire({ apps }: Server, row: ChannelRow, userSummaries: Pick<UserSummaries, 'known'>): Channel {
  const config = apps.of(row.app).configOf(row)
  const truncatedBy = row.truncated_by === null ? undefined : userSummaries.known(row.truncated_by)
  return {
    ...JSON.parse(row.data),
    id: row.id,
    type: row.type,
    cid: row.cid,
    ...(row.name !== null && { name: row.name }),
    ...(row.image !== null && { image: row.image }),
    ...(row.team !== null && { team: row.team }),
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
    ...(row.last_message_at !== null && { last_message_at: isoOf(row.last_message_at) }),
    ...(row.truncated_at !== null && { truncated_at: isoOf(row.truncated_at) }),
    ...(row.deleted_at !== null && { deleted_at: isoOf(row.deleted_at) }),
    ...(row.auto_translation_enabled === 1 && { auto_translation_enabled: true }),
    ...(row.auto_translation_language !== null && { auto_translation_language: row.auto_translation_language }),
    ...(truncatedBy && { truncated_by: truncatedBy }),
    created_by: userSummaries.known(row.created_by) ?? null,
    frozen: row.frozen === 1,
    disabled: row.disabled === 1,
    ...(row.cooldown > 0 && { cooldown: row.cooldown }),
    member_count: row.member_count,
    ...(config.count_messages && { message_count: row.message_count }),
    config,
  }
}

/** The users a channel object contains. */
export function usersOfChannel({ created_by, truncated_by }: ChannelRow): string[] {
  return truncated_by === null ? [created_by] : [created_by, truncated_by]
}

/** Events about messages or members of a channel: a notification derived from one includes the channel. */
const describing: ReadonlySet<string> = new Set(
  `message.new message.updated message.deleted message.undeleted reaction.new reaction.updated reaction.deleted
   notification.message_new notification.thread_message_new member.added member.updated member.removed`.split(/\s+/),
)

/** The first fields of every channel event [messaging.md 9.1]. */
export function channelEvent<Fields extends object>(row: ChannelRow, type: string, at: number, fields: Fields): string {
  return JSON.stringify({
    type,
    cid: row.cid,
    channel_id: row.id,
    channel_type: row.type,
    created_at: isoOf(at),
    ...(row.team !== null && { team: row.team }),
    ...(describing.has(type) && descriptionOf(row)),
    ...fields,
  })
}

function descriptionOf({ name, image, data, member_count }: ChannelRow) {
  const { filter_tags: _, ...others } = data === '{}' ? {} : JSON.parse(data)
  const custom = { ...(name !== null && { name }), ...(image !== null && { image }), ...others }
  return {
    channel_member_count: member_count,
    ...(Object.keys(custom).length > 0 && { channel_custom: custom }),
  }
}
