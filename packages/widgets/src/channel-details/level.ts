import type { Channel, ChannelState } from '@parley/client'
import { useClient } from '../chat/use-client.ts'
import type { TextKey } from '../i18n/translate.ts'

export const levels = ['all', 'mentions', 'none'] as const
export type Level = (typeof levels)[number]

export const levelTexts: Record<Level, TextKey> = {
  all: 'details.level.all',
  mentions: 'details.level.mentions',
  none: 'details.level.none',
}

/** The reader's notification level; the wire has several kinds of mentions, here they are one. */
export function levelOf({ push_preferences }: ChannelState): Level {
  const level = push_preferences?.chat_level ?? 'all'
  return level === 'all' || level === 'none' ? level : level === 'default' ? 'all' : 'mentions'
}

/** Sets the level for one channel, and updates the channel's state with it. */
export function useSetLevel(channel: Channel): (level: Level) => Promise<unknown> {
  const client = useClient()
  return async (chat_level) => {
    await client.setPushPreferences([{ channel_cid: channel.cid, chat_level }])
    await client.queryChannels({ cid: channel.cid }, [], { limit: 1, message_limit: 0 })
  }
}
