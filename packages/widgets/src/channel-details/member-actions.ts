import type { ChannelState, Member } from '@parley/client'
import { may } from '../chat/channel-facts.ts'

export type MemberAction = 'message' | 'mention' | 'mute' | 'unmute' | 'ban' | 'unban' | 'promote' | 'demote' | 'remove'

/** The actions on a member, in the order of the menu. An action without its capability is left out [PERM-5]. */
export function memberActions(
  state: ChannelState,
  member: Member,
  {
    me,
    muted,
    mayWriteTo,
    mayManage,
  }: { me: string | undefined; muted: boolean; mayWriteTo: boolean; mayManage: boolean },
): MemberAction[] {
  const { user_id, user, channel_role } = member
  if (user_id === me || user?.deleted_at) return []
  const isOwner = state.data.created_by?.id === user_id
  const banned = Boolean(member.banned || member.shadow_banned)
  const isModerator = channel_role === 'channel_moderator'
  const mayChange = mayManage && !isOwner
  const offered: [action: MemberAction, when: boolean][] = [
    ['message', mayWriteTo],
    ['mention', may(state, 'send-message') && may(state, 'create-mention')],
    ['promote', mayChange && !isModerator && !banned],
    ['demote', mayChange && isModerator],
    ['mute', !muted && state.data.config?.mutes !== false],
    ['unmute', muted],
    ['unban', may(state, 'ban-channel-members') && banned],
    ['ban', may(state, 'ban-channel-members') && !banned && !isOwner],
    ['remove', mayChange],
  ]
  return offered.flatMap(([action, when]) => (when ? [action] : []))
}
