import type { Channel } from '@parley/client'

/** The last activity of a channel: its newest message, else its creation. Milliseconds. */
export function lastActivity(channel: Channel): number {
  const { last_message_at, data } = channel.snapshot()
  return (last_message_at ?? (data.created_at ? new Date(data.created_at) : undefined))?.getTime() ?? 0
}

export function isPinned(channel: Channel): boolean {
  return channel.snapshot().membership?.pinned ?? false
}

export function isArchived(channel: Channel): boolean {
  return channel.snapshot().membership?.archived ?? false
}

/** Whether the user has a pending invitation to it. */
export function isInvitation(channel: Channel): boolean {
  return channel.snapshot().membership?.status === 'pending'
}

/**
 * Pinned channels first, then by last activity.
 *
 * @param held  a row the user hovers, focuses or opens; it keeps its place meanwhile
 */
export function inOrder(channels: readonly Channel[], held?: string): Channel[] {
  const at = channels.findIndex(({ cid }) => cid === held)
  const sorted = channels
    .filter((_, place) => place !== at)
    .sort((a, b) => Number(isPinned(b)) - Number(isPinned(a)) || lastActivity(b) - lastActivity(a))
  return at < 0 ? sorted : sorted.toSpliced(at, 0, channels[at]!)
}
