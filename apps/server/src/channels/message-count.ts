import type { ChannelRow, MessageRow } from '../database/tables.ts'
import type { Server } from '../server.ts'

type Counted = Pick<MessageRow, 'parent_id' | 'show_in_channel' | 'shadowed' | 'created_at'>

/**
 * A message came into the channel's history, or left it: what is shown in the channel counts, replies and what only
 * its author sees do not.
 */
export function countMessage(channel: ChannelRow, message: Counted, change: 1 | -1) {
  const isShown = message.parent_id === null || message.show_in_channel === 1
  const isTruncated = channel.truncated_at !== null && message.created_at < channel.truncated_at
  if (isShown && !isTruncated && !message.shadowed) channel.message_count += change
}

/** How many messages there are, for an event that changed it, where the channel says so [messaging.md 9.1]. */
export function messageCount({ apps }: Server, channel: ChannelRow): { channel_message_count?: number } {
  const { count_messages } = apps.of(channel.app).configOf(channel)
  return count_messages ? { channel_message_count: channel.message_count } : {}
}
