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
  /** Whoever sent it wants nobody to be notified. */
  skip_push?: boolean
  thread_participants?: { id: string }[]
  channel_member_count?: number
  channel_custom?: { name?: string }
}

/** Whether somebody who wants to hear of no more than this is told of a message. */
export function isLoudEnough(level: string | undefined, isMentioned: boolean): boolean {
  return level === undefined || level === 'all' || level === 'default' || (level !== 'none' && isMentioned)
}

/** Whether somebody has put their notifications off, here or everywhere, until a time that has not come yet. */
export function isPutOff(preferences: ({ disabled_until?: string } | undefined)[], now: number): boolean {
  return preferences.some((one) => one?.disabled_until !== undefined && Date.parse(one.disabled_until) > now)
}

/** Messages people write; all others are notes of the chat itself. */
const written = ['regular', 'reply']

/** Whether anybody is to be told of a message. */
export function isWorthNotifying({ message, skip_push }: NewMessage): boolean {
  return !skip_push && !message.silent && !message.shadowed && written.includes(message.type)
}

/**
 * Whether a message concerns somebody who may read it: of a reply in a thread only those are told who take part in it.
 */
export function concerns({ message, thread_participants = [] }: NewMessage, personId: string): boolean {
  const { parent_id, show_in_channel, mentioned_users = [], restricted_visibility: only = [] } = message
  if (personId === message.user?.id || (only.length > 0 && !only.includes(personId))) return false
  const inThread = parent_id && !show_in_channel
  return !inThread || [...thread_participants, ...mentioned_users].some(({ id }) => id === personId)
}

/** What a group is called; undefined for a conversation of two. */
export function groupNameOf({ channel_member_count: members = 0, channel_custom }: NewMessage): string | undefined {
  return members > 2 ? channel_custom?.name || undefined : undefined
}
