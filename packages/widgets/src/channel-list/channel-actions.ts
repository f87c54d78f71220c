import type { Channel, ChatClient } from '@parley/client'
import { may, partnerOf } from '../chat/channel-facts.ts'

/** The actions of a conversation in the list, in the order of its menu. */
export type ChannelAction =
  | 'markRead'
  | 'markUnread'
  | 'pin'
  | 'unpin'
  | 'mute'
  | 'unmute'
  | 'archive'
  | 'unarchive'
  | 'hide'
  | 'clear'
  | 'leave'

/** Those with a dialog. */
const asking = ['clear', 'leave'] as const satisfies ChannelAction[]
export type AskingAction = (typeof asking)[number]
export const asks = (action: ChannelAction): action is AskingAction => asking.some((one) => one === action)

/** Those without a dialog. */
export type PlainAction = Exclude<ChannelAction, AskingAction>

/** The actions offered now: none that is done already, and none that is forbidden [PERM-5]. */
export function channelActions(channel: Channel, me: string | undefined, muted: boolean): ChannelAction[] {
  const state = channel.snapshot()
  const { pinned, archived } = state.membership ?? {}
  const actions: (ChannelAction | false)[] = [
    may(state, 'read-events') &&
      (state.unreadCount > 0 ? 'markRead' : newestOfOthers(channel, me) !== undefined && 'markUnread'),
    pinned ? 'unpin' : 'pin',
    muted ? 'unmute' : may(state, 'mute-channel') && 'mute',
    archived ? 'unarchive' : 'archive',
    'hide',
    'clear',
    !partnerOf(state, me) && may(state, 'leave-channel') && 'leave',
  ]
  return actions.filter((action) => action !== false)
}

/** Runs an action without a dialog. @throws ChatError if the server refuses */
export async function runChannelAction(client: ChatClient, channel: Channel, action: PlainAction): Promise<void> {
  switch (action) {
    case 'markRead':
      await channel.markRead()
      return
    case 'markUnread': {
      const message_id = newestOfOthers(channel, client.userID)
      if (message_id) await channel.markUnread({ message_id })
      return
    }
    case 'mute':
      await channel.mute({})
      return
    case 'hide':
      await channel.hide()
      return
    default:
      await channel[action]()
  }
}

/** The inverse of an action that the user may regret; `hide` is undone by showing it again. */
export function takeBack(channel: Channel, action: PlainAction): (() => Promise<unknown>) | undefined {
  if (action === 'archive') return () => channel.unarchive()
  if (action === 'mute') return () => channel.unmute()
  if (action === 'hide') return () => channel.show()
  return undefined
}

function newestOfOthers(channel: Channel, me: string | undefined): string | undefined {
  const latest = channel.snapshot().sets.find((set) => set.latest)?.messages ?? []
  return latest.findLast(({ user, type }) => user.id !== me && type !== 'deleted' && type !== 'system')?.id
}
