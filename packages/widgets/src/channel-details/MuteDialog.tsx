import { useState } from 'react'
import { Choices } from '../dialog/Choices.tsx'
import { QuestionDialog } from '../dialog/QuestionDialog.tsx'
import { lasting } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'
import { HOUR_MS } from '../limits.ts'

const LASTS = { hour: HOUR_MS, night: 8 * HOUR_MS, week: 7 * 24 * HOUR_MS, ever: undefined } as const
type Lasting = keyof typeof LASTS

export interface MuteDialogProps {
  onClose: () => void
  /** for so many milliseconds, or until it is unmuted */
  onMute: (ms: number | undefined) => void
}

/** Asks for how long a conversation is muted. */
export default function MuteDialog({ onClose, onMute }: MuteDialogProps) {
  const { t, language } = useTranslation()
  const [lasts, setLasts] = useState<Lasting>('night')
  return (
    <QuestionDialog
      title={t('details.mute')}
      confirm={t('details.mute.confirm')}
      onClose={onClose}
      onConfirm={() => {
        onMute(LASTS[lasts])
        onClose()
      }}
    >
      <p className="chat-dialog-text">{t('details.mute.text')}</p>
      <Choices
        label={t('lasts')}
        options={[
          { value: 'hour', text: lasting(language, 1, 'hour') },
          { value: 'night', text: lasting(language, 8, 'hour') },
          { value: 'week', text: lasting(language, 7, 'day') },
          { value: 'ever', text: t('details.mute.ever') },
        ]}
        chosen={lasts}
        onChoose={setLasts}
      />
    </QuestionDialog>
  )
}
