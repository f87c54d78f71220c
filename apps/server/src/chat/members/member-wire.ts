import type { Member } from '@parley/protocol/members'
import type { User } from '@parley/protocol/users'
import type { MemberRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'

/**
 * A member with its user; `ownerId` is the channel's creator, whose legacy role is `owner`. Only users who could lift a
 * shadow ban see it.
 */
export function memberWire(row: MemberRow, user: User, ownerId: string, seesShadows = false): Member {
  const moderator = row.channel_role === 'channel_moderator'
  return {
    ...JSON.parse(row.data),
    user_id: row.user_id,
    user,
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
    banned: row.banned === 1,
    shadow_banned: seesShadows && row.shadow_banned === 1,
    ...(row.banned === 1 && row.ban_expires !== null && { ban_expires: isoOf(row.ban_expires) }),
    channel_role: row.channel_role,
    role: row.user_id === ownerId ? 'owner' : moderator ? 'moderator' : 'member',
    ...(moderator && { is_moderator: true }),
    status: row.status,
    ...(row.status !== 'member' && { invited: true }),
    ...(row.invite_accepted_at !== null && { invite_accepted_at: isoOf(row.invite_accepted_at) }),
    ...(row.invite_rejected_at !== null && { invite_rejected_at: isoOf(row.invite_rejected_at) }),
    // Notification settings are private: `channel.muted` carries them to the member. Clients still require the field.
    notifications_muted: false,
    archived: row.archived_at !== null,
    pinned: row.pinned_at !== null,
    ...(row.archived_at !== null && { archived_at: isoOf(row.archived_at) }),
    ...(row.pinned_at !== null && { pinned_at: isoOf(row.pinned_at) }),
  }
}
