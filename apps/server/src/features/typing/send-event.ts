import { clientEventNames, isBuiltInEvent } from '@parley/protocol/events'
import { asStranger, checkWriter, isBanned, isShadowed } from '../../chat/bans/banned.ts'
import { type Access, demand } from '../../chat/channels/channel-access.ts'
import { channelEvent } from '../../chat/channels/channel-wire.ts'
import { isThin } from '../../chat/channels/thin-events.ts'
import { hides } from '../../chat/users/privacy.ts'
import { userWire } from '../../chat/users/user-wire.ts'
import { ChatError } from '../../platform/chat-error.ts'
import { customOf } from '../../platform/custom-data.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Server } from '../../server.ts'

/** Event fields that only the server sets; unread counts are set for each receiver. */
const filledIn: ReadonlySet<string> = new Set(
  `type cid channel_id channel_type created_at team user user_id unread_count total_unread_count unread_channels
   unread_threads unread_thread_messages watcher_count channel_member_count channel_message_count
   channel_last_message_at channel_custom`.split(/\s+/),
)

/**
 * Delivers a typing event, or a custom event, to all watchers; nothing is stored.
 * Typing is dropped silently if the channel has it disabled, or the user turned it off [TYP-8], is banned, or only
 * invited.
 *
 * @throws ChatError EventNotSupportedError (18) — the name of another built-in event
 * @throws ChatError PayloadTooBigError (22) — more than 5 kB of custom data
 */
export async function sendEvent(
  server: Server,
  access: Access,
  user: UserRow,
  event: { type: string; parent_id?: string },
): Promise<Record<string, unknown>> {
  const { channel, config } = access
  if (isBuiltInEvent(event.type) && !clientEventNames.includes(event.type))
    throw new ChatError('EventNotSupportedError', `event type ${event.type} can't be sent by a client`)
  const typing = event.type === 'typing.start' || event.type === 'typing.stop'
  if (!typing) {
    if (!config.custom_events)
      throw new ChatError(
        'ChannelFeatureNotSupportedError',
        `custom events are turned off in channels of type ${config.name}`,
      )
    demand(access, 'send-custom-event')
  }
  const isUnheard =
    typing &&
    (!config.typing_events ||
      hides(user, 'typing_indicators') ||
      user.role === 'anonymous' ||
      isBanned(user) ||
      (access.member?.status === 'pending' && !access.can('create-message')) ||
      access.member?.banned === 1)
  const author = isUnheard ? user : await (typing ? asStranger : checkWriter)(server, user, access)

  const at = server.clock.micros()
  const body = channelEvent(channel, event.type, at, {
    ...customOf(event, filledIn),
    user: userWire(user, server.presence.isOnline(channel.app, user.id)),
  })
  // A shadow-banned author must not notice.
  const isAlone = isShadowed(author, access)
  const only = isAlone || (typing && isThin(server, channel)) ? { only: [user.id] } : {}
  if (!isUnheard && !isBanned(author))
    server.hub.publish([{ app: channel.app, cid: channel.cid, seq: 0, at, watchers: body, ...only }])
  if (!typing && server.apps.of(channel.app).webhooks.length > 0)
    await server.commit.write(channel.app, [], async (batch) => batch.publishOutbound(channel.app, body))
  return JSON.parse(body)
}
