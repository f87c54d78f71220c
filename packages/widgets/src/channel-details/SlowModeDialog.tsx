import { useState } from 'react'
import { Choices } from '../dialog/Choices.tsx'
import { QuestionDialog } from '../dialog/QuestionDialog.tsx'
import { useTranslation } from '../i18n/translate.ts'
import { COOLDOWNS_S } from '../limits.ts'
import { waitOf } from './wait-of.ts'

export interface SlowModeDialogProps {
  /** the present setting; 0 is off */
  seconds: number
  onClose: () => void
  onSeconds: (seconds: number) => void
}

/** Asks how long a member waits between two messages [CHN-50]. */
export default function SlowModeDialog({ seconds: before, onClose, onSeconds }: SlowModeDialogProps) {
  const { t, language } = useTranslation()
  const [seconds, setSeconds] = useState(before)
  // Another client may have set a time that is not offered here.
  const offered = [...new Set([...COOLDOWNS_S, before])].sort((a, b) => a - b)
  return (
    <QuestionDialog
      title={t('details.slow')}
      confirm={t('details.name.save')}
      onClose={onClose}
      onConfirm={() => {
        if (seconds !== before) onSeconds(seconds)
        onClose()
      }}
    >
      <p className="chat-dialog-text">{t('details.slow.text')}</p>
      <Choices
        label={t('details.slow')}
        titled
        options={offered.map((each) => ({
          value: String(each),
          text: each === 0 ? t('details.slow.off') : waitOf(language, each),
        }))}
        chosen={String(seconds)}
        onChoose={(chosen) => setSeconds(Number(chosen))}
      />
    </QuestionDialog>
  )
}
