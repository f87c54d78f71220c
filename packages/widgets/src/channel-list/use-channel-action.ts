import type { Channel } from '@parley/client'
import { channelName } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import { type TextKey, useTranslation } from '../i18n/translate.ts'
import { type PlainAction, runChannelAction, takeBack } from './channel-actions.ts'

const done: Partial<Record<PlainAction, TextKey>> = {
  mute: 'channels.muted.done',
  archive: 'channels.archived.done',
  hide: 'channels.hidden.done',
}

/** Runs an action without a dialog on a conversation. A notice offers to undo those the user may regret. */
export function useChannelAction(channel: Channel): (action: PlainAction) => Promise<void> {
  const { t, language } = useTranslation()
  const { client, notices } = useChat()
  const name = channelName(t, language, useChannelState(channel), client.userID)
  const failed = (error: unknown) => notices.failed('details.failed', error)
  return async (action) => {
    try {
      await runChannelAction(client, channel, action)
      const back = takeBack(channel, action)
      const text = done[action]
      if (!back || !text) return
      const notice = notices.show('success', text, {
        values: { name },
        action: {
          label: 'undo',
          run: () => {
            notices.close(notice.id)
            back().catch(failed)
          },
        },
      })
    } catch (error) {
      failed(error)
    }
  }
}
