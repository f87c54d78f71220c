/** The fields of a new-message event that the product reads. */
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
  /** The sender wants no notifications. */
  skip_push?: boolean
  thread_participants?: { id: string }[]
  channel_member_count?: number
  channel_custom?: { name?: string }
}

/** Whether a user with this notification level is notified of a message. */
export function isLoudEnough(level: string | undefined, isMentioned: boolean): boolean {
  return level === undefined || level === 'all' || level === 'default' || (level !== 'none' && isMentioned)
}

/** Whether a user's notifications are paused now, in the channel or everywhere. */
export function isPutOff(preferences: ({ disabled_until?: string } | undefined)[], now: number): boolean {
  return preferences.some((one) => one?.disabled_until !== undefined && Date.parse(one.disabled_until) > now)
}

/** The types of users' messages; all others are system messages. */
const written = ['regular', 'reply']

/** Whether a message notifies any user. */
export function isWorthNotifying({ message, skip_push }: NewMessage): boolean {
  return !skip_push && !message.silent && !message.shadowed && written.includes(message.type)
}

/** Whether a message concerns a user who may read it: a reply in a thread only notifies its participants. */
export function concerns({ message, thread_participants = [] }: NewMessage, personId: string): boolean {
  const { parent_id, show_in_channel, mentioned_users = [], restricted_visibility: only = [] } = message
  if (personId === message.user?.id || (only.length > 0 && !only.includes(personId))) return false
  const inThread = parent_id && !show_in_channel
  return !inThread || [...thread_participants, ...mentioned_users].some(({ id }) => id === personId)
}

/** The name of a group; undefined for a direct chat. */
export function groupNameOf({ channel_member_count: members = 0, channel_custom }: NewMessage): string | undefined {
  return members > 2 ? channel_custom?.name || undefined : undefined
}
