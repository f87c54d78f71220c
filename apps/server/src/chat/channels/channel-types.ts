import type { ChannelConfig } from '@parley/protocol/channel-types'
import type { Command } from '@parley/protocol/commands'

/** @see administration.md 4.1 */
export const builtInCommands: readonly Command[] = [
  { name: 'giphy', description: 'Post a random gif to the channel', args: '[text]', set: 'fun_set' },
  { name: 'ban', description: 'Ban a user', args: '[@username] [text]', set: 'moderation_set' },
  { name: 'unban', description: 'Unban a user', args: '[@username]', set: 'moderation_set' },
  { name: 'mute', description: 'Mute a user', args: '[@username]', set: 'moderation_set' },
  { name: 'unmute', description: 'Unmute a user', args: '[@username]', set: 'moderation_set' },
  { name: 'flag', description: 'Flag a user', args: '[@username]', set: 'moderation_set' },
]
/** The default commands of a channel; `flag` is legacy. */
const usualCommands = builtInCommands.flatMap(({ name }) => (name === 'flag' ? [] : name))

/** The fields of a channel type, its commands by name. */
export type TypeConfig = Omit<ChannelConfig, 'name' | 'commands' | 'grants' | 'created_at' | 'updated_at'> & {
  commands: readonly string[]
}

const messaging: TypeConfig = {
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
  commands: usualCommands,
}
const quiet = { typing_events: false, read_events: false, connect_events: false, polls: false }

/** The five built-in channel types [PERM-19, messaging.md 11.1]. */
export const builtInTypes: ReadonlyMap<string, TypeConfig> = new Map([
  ['messaging', messaging],
  ['team', { ...messaging, count_messages: true }],
  ['livestream', { ...messaging, ...quiet, url_enrichment: false }],
  ['gaming', { ...messaging, ...quiet, search: false, reactions: false, replies: false }],
  ['commerce', { ...messaging, polls: false }],
])

/** The defaults of a custom channel type [administration.md 2.2]. */
export const madeType: TypeConfig = { ...messaging, polls: false, blocklist_behavior: 'flag', commands: [] }
