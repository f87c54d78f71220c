import type { ChannelConfig, Command } from '@parley/protocol/channels'

/** @see administration.md 4.1 */
export const builtInCommands: Command[] = [
  { name: 'giphy', description: 'Post a random gif to the channel', args: '[text]', set: 'fun_set' },
  { name: 'ban', description: 'Ban a user', args: '[@username] [text]', set: 'moderation_set' },
  { name: 'unban', description: 'Unban a user', args: '[@username]', set: 'moderation_set' },
  { name: 'mute', description: 'Mute a user', args: '[@username]', set: 'moderation_set' },
  { name: 'unmute', description: 'Unmute a user', args: '[@username]', set: 'moderation_set' },
]

const madeAt = '2026-01-01T00:00:00Z'
const messaging: Omit<ChannelConfig, 'name'> = {
  typing_events: true,
  read_events: true,
  connect_events: true,
  custom_events: true,
  delivery_events: false,
  search: true,
  reactions: true,
  replies: true,
  quotes: true,
  mutes: true,
  uploads: true,
  url_enrichment: true,
  push_notifications: true,
  reminders: false,
  polls: true,
  count_messages: false,
  user_message_reminders: false,
  shared_locations: false,
  mark_messages_pending: false,
  skip_last_msg_update_for_system_msgs: false,
  thin_events_above: 0,
  max_message_length: 5000,
  message_retention: 'infinite',
  automod: 'disabled',
  automod_behavior: 'flag',
  commands: builtInCommands,
  created_at: madeAt,
  updated_at: madeAt,
}
const quiet = { typing_events: false, read_events: false, connect_events: false, polls: false }

/** The five built-in channel types [PERM-19, messaging.md 11.1]. */
const builtIn: Record<string, ChannelConfig> = {
  messaging: { ...messaging, name: 'messaging' },
  team: { ...messaging, name: 'team', count_messages: true },
  livestream: { ...messaging, ...quiet, name: 'livestream', url_enrichment: false },
  gaming: { ...messaging, ...quiet, name: 'gaming', search: false, reactions: false, replies: false },
  commerce: { ...messaging, name: 'commerce', polls: false },
}

/** The configuration of a channel type; undefined when there is no such type. */
export function channelTypeOf(name: string): ChannelConfig | undefined {
  return Object.hasOwn(builtIn, name) ? builtIn[name] : undefined
}
