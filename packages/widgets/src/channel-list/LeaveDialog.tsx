import type { Channel } from '@parley/client'
import { channelName } from '../chat/channel-facts.ts'
import { useChat } from '../chat/chat-context.ts'
import { useChannelState } from '../chat/use-channel-state.ts'
import ConfirmDialog from '../dialog/ConfirmDialog.tsx'
import { useTranslation } from '../i18n/translate.ts'

/** Asks before the user leaves a group, and confirms it afterwards. The page does not wait for that. */
export default function LeaveDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t, language } = useTranslation()
  const { client, notices, onLeave } = useChat()
  const name = channelName(t, language, useChannelState(channel), client.userID)
  const leave = () => {
    onLeave?.(channel.cid)
    channel.removeMembers([client.userID ?? '']).then(
      () => notices.show('success', 'details.left', { values: { name } }),
      (error) => notices.failed('details.failed', error),
    )
  }
  return (
    <ConfirmDialog
      title={t('details.leave.title', { name })}
      text={t('details.leave.text')}
      confirm={t('details.leave.confirm')}
      onClose={onClose}
      onConfirm={leave}
    />
  )
}
