/** What the product reads of the event that tells of a new message. */
export interface NewMessage {
  type: string
  cid: string
  message: {
    id: string
    type: string
    text?: string
    user?: { id: string; name?: string } | null
    silent?: boolean
    shadowed?: boolean
    parent_id?: string | null
    show_in_channel?: boolean
    restricted_visibility?: string[]
    mentioned_users?: { id: string }[]
    attachments?: { type?: string }[]
    poll_id?: string | null
  }
  thread_participants?: { id: string }[]
  members?: ChannelMember[]
}

export interface ChannelMember {
  user_id: string
  status?: string
  banned?: boolean
  /** They muted the channel or the sender, blocked the sender, or want no notifications. */
  notifications_muted?: boolean
  user: { id: string; online?: boolean }
}

/** Messages people write; all others are notes of the chat itself. */
const written = ['regular', 'reply']

/**
 * The members who are to be told of a message: none who have the product open, want to be left in peace or wrote it, and
 * of a reply in a thread only those who take part in it.
 */
export function whomToNotify({ message, thread_participants = [] }: NewMessage, members: readonly ChannelMember[]) {
  if (message.silent || message.shadowed || !written.includes(message.type)) return []
  const inThread = message.parent_id && !message.show_in_channel
  const mentioned = message.mentioned_users ?? []
  const partakers = new Set([...thread_participants, ...mentioned].map(({ id }) => id))
  const only = message.restricted_visibility ?? []
  return members
    .filter(({ user, notifications_muted, banned, status = 'member' }) => {
      if (user.online || notifications_muted || banned || (status !== 'member' && status !== 'accepted')) return false
      if (user.id === message.user?.id) return false
      if (only.length > 0 && !only.includes(user.id)) return false
      return !inThread || partakers.has(user.id)
    })
    .map(({ user }) => user.id)
}
