import type { Channel } from '@parley/client'
import { channelName, partnerOf } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import ConfirmDialog from '../dialog/ConfirmDialog.tsx'
import { useTranslation } from '../i18n/translate.ts'

/** Confirms hiding a conversation and clearing its history, for the reader alone. */
export default function ClearDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t, language } = useTranslation()
  const { client, notices } = useChat()
  const state = useChannelState(channel)
  const name = channelName(t, language, state, client.userID)
  const isDirect = partnerOf(state, client.userID) !== undefined
  const clear = async () => {
    try {
      await channel.hide(undefined, true)
      notices.show('success', 'channels.hidden.done', { values: { name } })
    } catch (error) {
      notices.failed('details.failed', error)
    }
  }
  return (
    <ConfirmDialog
      title={t(isDirect ? 'channels.clear.title.direct' : 'channels.clear.title', { name })}
      text={t('channels.clear.text')}
      confirm={t('channels.clear.confirm')}
      onClose={onClose}
      onConfirm={() => void clear()}
    />
  )
}
