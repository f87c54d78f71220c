import type { Poll } from '@parley/client'
import { useAnnounce } from '../announcer/use-announce.ts'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { detailsOf, useNotices } from '../notices/use-notices.ts'

/** Asks once before nobody can vote any more [POL-5]. */
export default function EndPollDialog({ actions, onClose }: { actions: Poll; onClose: () => void }) {
  const t = useTranslate()
  const notices = useNotices()
  const announce = useAnnounce()
  const end = async () => {
    try {
      await actions.close()
      announce('pollEnded')
    } catch (error) {
      notices.show('error', 'poll.failed', { details: detailsOf(error) })
    }
    onClose()
  }
  return (
    <ChatDialog title={t('poll.end.title')} onClose={onClose}>
      <p className="chat-dialog-text">{t('poll.end.text')}</p>
      <div className="chat-dialog-buttons">
        {/* biome-ignore lint/a11y/noAutofocus: the harmless answer has focus when the question opens. */}
        <button type="button" className="chat-button" onClick={onClose} autoFocus>
          {t('cancel')}
        </button>
        <button type="button" className="chat-button" data-kind="danger" onClick={() => void end()}>
          {t('poll.end')}
        </button>
      </div>
    </ChatDialog>
  )
}
