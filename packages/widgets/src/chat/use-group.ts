import type { Channel, ChannelState } from '@parley/client'
import { may } from './channel-facts.ts'
import { useChat } from './chat-context.ts'
import type { GroupChange, People } from './people.ts'

/** The capability on the chat server that a change of a group needs. */
const rights = {
  rename: 'update-channel',
  picture: 'update-channel',
  add: 'update-channel-members',
  promote: 'update-channel-members',
  demote: 'update-channel-members',
  remove: 'update-channel-members',
  delete: 'delete-channel',
} as const

export interface Group {
  /** Whether a change of this kind is offered. */
  mayChange(kind: keyof typeof rights, state: ChannelState): boolean
  change(change: GroupChange): Promise<unknown>
}

/** Changes the members and name of a group: through the host app, or else the chat server. */
export function useGroup(channel: Channel): Group {
  const { client, people } = useChat()
  return {
    mayChange: (kind, state) => (people?.manage ? mayManage(kind, state, client.userID) : may(state, rights[kind])),
    change: (change) => people?.manage?.(channel, change) ?? ask(channel, change),
  }
}

/** Whether the reader moderates the group; only its creator deletes it for all members. */
function mayManage(kind: keyof typeof rights, { data, membership }: ChannelState, me: string | undefined): boolean {
  if (membership?.channel_role !== 'channel_moderator' || membership.banned || data.id?.startsWith('!members-'))
    return false
  return kind !== 'delete' || data.created_by?.id === me
}

function ask(channel: Channel, change: GroupChange): ReturnType<NonNullable<People['manage']>> {
  switch (change.do) {
    case 'rename':
      return channel.updatePartial({ set: { name: change.name } })
    case 'picture':
      return channel.updatePartial(change.image === null ? { unset: ['image'] } : { set: { image: change.image } })
    case 'promote':
      return channel.addModerators([change.userId])
    case 'demote':
      return channel.demoteModerators([change.userId])
    case 'remove':
      return channel.removeMembers([change.userId])
    case 'delete':
      return channel.delete()
    default:
      return change satisfies never
  }
}
