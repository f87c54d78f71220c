import type { Poll } from '@parley/client'
import { useState } from 'react'
import { useAnnounce } from '../announcer/use-announce.ts'
import { QuestionDialog } from '../dialog/QuestionDialog.tsx'
import { useTranslate } from '../i18n/translate.ts'
import { useNotices } from '../notices/use-notices.ts'

/** Confirms closing a poll [POL-5]. */
export default function EndPollDialog({ actions, onClose }: { actions: Poll; onClose: () => void }) {
  const t = useTranslate()
  const notices = useNotices()
  const announce = useAnnounce()
  const [ending, setEnding] = useState(false)
  const end = async () => {
    setEnding(true)
    try {
      await actions.close()
      announce('pollEnded')
    } catch (error) {
      notices.failed('poll.failed', error)
    }
    onClose()
  }
  return (
    <QuestionDialog
      title={t('poll.end.title')}
      confirm={t('poll.end')}
      danger
      unready={ending}
      onClose={onClose}
      onConfirm={() => void end()}
    >
      <p className="chat-dialog-text">{t('poll.end.text')}</p>
    </QuestionDialog>
  )
}
