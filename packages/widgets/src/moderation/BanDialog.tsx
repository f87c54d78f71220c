import { useState } from 'react'
import { Choices } from '../dialog/Choices.tsx'
import { QuestionDialog } from '../dialog/QuestionDialog.tsx'
import { lasting } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { BAN_REASON_CHARS } from '../limits.ts'
import type { Ban } from './person-actions.ts'

const HOUR_MIN = 60
/** For how long, in minutes. */
const LASTS = { hour: HOUR_MIN, day: 24 * HOUR_MIN, week: 7 * 24 * HOUR_MIN, ever: undefined } as const
type Lasting = keyof typeof LASTS

export interface BanDialogProps {
  name: string
  /** the reader may delete messages of others */
  mayDelete: boolean
  onClose: () => void
  onBan: (how: Ban) => void
}

/** Asks for the duration and the reason of a ban [MOD-16]. */
export default function BanDialog({ name, mayDelete, onClose, onBan }: BanDialogProps) {
  const { t, language } = useTranslation()
  const [lasts, setLasts] = useState<Lasting>('day')
  const [reason, setReason] = useState('')
  const [deletes, setDeletes] = useState(false)
  const [shadow, setShadow] = useState(false)
  return (
    <QuestionDialog
      title={t('ban.title', { name })}
      confirm={t('ban.confirm')}
      danger
      onClose={onClose}
      onConfirm={() => {
        const timeout = LASTS[lasts]
        onBan({
          ...(timeout !== undefined && { timeout }),
          ...(reason.trim() && { reason: reason.trim() }),
          ...(shadow && { shadow }),
          ...(deletes && { delete_messages: 'soft' as const }),
        })
        onClose()
      }}
    >
      <p className="chat-dialog-text">{t(shadow ? 'ban.shadow.text' : 'ban.text')}</p>
      <Choices
        label={t('lasts')}
        options={[
          { value: 'hour', text: lasting(language, 1, 'hour') },
          { value: 'day', text: lasting(language, 24, 'hour') },
          { value: 'week', text: lasting(language, 7, 'day') },
          { value: 'ever', text: t('ban.ever') },
        ]}
        chosen={lasts}
        onChoose={setLasts}
      />
      <label className="chat-field">
        <span>{t('ban.reason')}</span>
        <input
          type="text"
          className="chat-input"
          dir="auto"
          placeholder=" "
          maxLength={BAN_REASON_CHARS}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      <label className="chat-choice">
        <input type="checkbox" checked={shadow} onChange={(event) => setShadow(event.target.checked)} />
        <span>{t('ban.shadow')}</span>
      </label>
      {mayDelete && (
        <label className="chat-choice">
          <input type="checkbox" checked={deletes} onChange={(event) => setDeletes(event.target.checked)} />
          <span>{t('ban.deletes')}</span>
        </label>
      )}
    </QuestionDialog>
  )
}
