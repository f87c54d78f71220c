import type { OwnUser, User } from '@parley/protocol/users'
import type { UserRow } from '../../platform/database/tables.ts'
import { isoOf } from '../../platform/micros.ts'

interface UserSummaries {
  online: User
  offline: User
}
const userSummaries = new WeakMap<UserRow, UserSummaries>()

/** The user as others see it. Made once per row: the same user appears in many messages. */
export function userWire(row: UserRow, online: boolean): User {
  let userSummary = userSummaries.get(row)
  if (!userSummary) {
    userSummary = { online: build(row, row.invisible === 0), offline: build(row, false) }
    userSummaries.set(row, userSummary)
  }
  return online ? userSummary.online : userSummary.offline
}

/** The user as the user itself, or the app's server, sees it. */
export function fullUserWire(row: UserRow, online: boolean): User {
  return {
    ...userWire(row, online),
    invisible: row.invisible === 1,
    ...(row.bypass_moderation === 1 && { bypass_moderation: true }),
    ...(row.privacy_json !== null && { privacy_settings: JSON.parse(row.privacy_json) }),
    ...(row.revoke_before !== null && { revoke_tokens_issued_before: isoOf(row.revoke_before) }),
  }
}

/** The connected user, with everything only that user sees [messaging.md 13.2]. */
export function ownUserWire(row: UserRow, totals: { unread: number; channels: number }): OwnUser {
  return {
    ...fullUserWire(row, true),
    devices: [],
    mutes: [],
    channel_mutes: [],
    unread_count: totals.unread,
    total_unread_count: totals.unread,
    unread_channels: totals.channels,
    unread_threads: 0,
  }
}

function build(row: UserRow, online: boolean): User {
  return {
    ...JSON.parse(row.data),
    id: row.id,
    role: row.role,
    ...(row.name !== null && { name: row.name }),
    ...(row.image !== null && { image: row.image }),
    language: row.language,
    teams: row.teams_json === null ? [] : JSON.parse(row.teams_json),
    ...(row.teams_role_json !== null && { teams_role: JSON.parse(row.teams_role_json) }),
    created_at: isoOf(row.created_at),
    updated_at: isoOf(row.updated_at),
    ...(row.last_active !== null && { last_active: isoOf(row.last_active) }),
    ...(row.answers > 0 && { avg_response_time: Math.round(row.answer_micros / row.answers / 1_000_000) }),
    ...(row.deactivated_at !== null && { deactivated_at: isoOf(row.deactivated_at) }),
    ...(row.deleted_at !== null && { deleted_at: isoOf(row.deleted_at) }),
    banned: row.banned === 1,
    ...(row.banned === 1 && row.ban_expires !== null && { ban_expires: isoOf(row.ban_expires) }),
    online,
    blocked_user_ids: [],
  }
}
