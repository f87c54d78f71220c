import type { ChannelState, Member } from '@parley/client'
import { may } from '../chat/channel-facts.ts'

export type MemberAction = 'mute' | 'unmute' | 'ban' | 'unban' | 'promote' | 'demote' | 'remove'

/** What one may do about a member, in the order of the menu. What a missing capability forbids is absent [PERM-5]. */
export function memberActions(
  state: ChannelState,
  member: Member,
  { me, muted }: { me: string | undefined; muted: boolean },
): MemberAction[] {
  const { user_id, user, channel_role, banned } = member
  if (user_id === me || user?.deleted_at) return []
  const isOwner = state.data.created_by?.id === user_id
  const isModerator = channel_role === 'channel_moderator'
  const mayChange = may(state, 'update-channel-members') && !isOwner
  const offered: [action: MemberAction, when: boolean][] = [
    ['promote', mayChange && !isModerator && !banned],
    ['demote', mayChange && isModerator],
    ['mute', !muted && state.data.config?.mutes !== false],
    ['unmute', muted],
    ['unban', may(state, 'ban-channel-members') && Boolean(banned)],
    ['ban', may(state, 'ban-channel-members') && !banned && !isOwner],
    ['remove', mayChange],
  ]
  return offered.flatMap(([action, when]) => (when ? [action] : []))
}
