import { useState } from 'react'
import { Choices } from '../dialog/Choices.tsx'
import { QuestionDialog } from '../dialog/QuestionDialog.tsx'
import { lasting } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'

const DAY_S = 86_400
/** Until when, in seconds from now. */
const LASTS = { day: DAY_S, week: 7 * DAY_S, month: 30 * DAY_S } as const
type Lasting = keyof typeof LASTS

export interface PinDialogProps {
  onClose: () => void
  onPin: (seconds: number) => void
}

/** Asks for how long a message is pinned [PIN-5]. */
export default function PinDialog({ onClose, onPin }: PinDialogProps) {
  const { t, language } = useTranslation()
  const [lasts, setLasts] = useState<Lasting>('day')
  return (
    <QuestionDialog
      title={t('pins.for.title')}
      confirm={t('actions.pin')}
      onClose={onClose}
      onConfirm={() => {
        onPin(LASTS[lasts])
        onClose()
      }}
    >
      <Choices
        label={t('lasts')}
        options={[
          { value: 'day', text: lasting(language, 24, 'hour') },
          { value: 'week', text: lasting(language, 7, 'day') },
          { value: 'month', text: lasting(language, 30, 'day') },
        ]}
        chosen={lasts}
        onChoose={setLasts}
      />
    </QuestionDialog>
  )
}
