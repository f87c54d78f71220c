import type { ChannelRow, MessageRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'

type Counted = Pick<MessageRow, 'parent_id' | 'show_in_channel' | 'shadowed' | 'created_at'>

/**
 * Updates the count when a message is added to the channel's history or removed from it. Messages shown in the channel
 * count; thread replies and messages only their author sees do not.
 */
export function countMessage(channel: ChannelRow, message: Counted, change: 1 | -1) {
  const isShown = message.parent_id === null || message.show_in_channel === 1
  const isTruncated = channel.truncated_at !== null && message.created_at < channel.truncated_at
  if (isShown && !isTruncated && !message.shadowed) channel.message_count += change
}

/** The message count for an event that changed it, if the channel enables it [messaging.md 9.1]. */
export function messageCount({ apps }: Server, channel: ChannelRow): { channel_message_count?: number } {
  const { count_messages } = apps.of(channel.app).configOf(channel)
  return count_messages ? { channel_message_count: channel.message_count } : {}
}
