import { useChat } from '../chat/chat-context.ts'
import { QuestionDialog } from '../dialog/QuestionDialog.tsx'
import { useTranslate } from '../i18n/translate.ts'

/** Asks before all conversations are marked read [interface.md 4.4]. */
export default function ReadAllDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslate()
  const { client, notices } = useChat()
  const { total, channels } = client.unread.snapshot()
  const read = () => {
    onClose()
    client.markChannelsRead().catch((error) => notices.failed('details.failed', error))
  }
  return (
    <QuestionDialog title={t('threads.markAll')} confirm={t('channels.markRead')} onClose={onClose} onConfirm={read}>
      <p className="chat-dialog-text">{t('said.elsewhere', { count: total, channels })}</p>
    </QuestionDialog>
  )
}
