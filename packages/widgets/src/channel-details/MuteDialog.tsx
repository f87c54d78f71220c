import { useState } from 'react'
import { ChatDialog } from '../dialog/ChatDialog.tsx'
import { Choices } from '../dialog/Choices.tsx'
import { lasting } from '../i18n/format.ts'
import { useTranslation } from '../i18n/translate.ts'

const HOUR_MS = 3_600_000
const LASTS = { hour: HOUR_MS, night: 8 * HOUR_MS, week: 7 * 24 * HOUR_MS, ever: undefined } as const
type Lasting = keyof typeof LASTS

export interface MuteDialogProps {
  onClose: () => void
  /** for so many milliseconds, or until it is taken back */
  onMute: (ms: number | undefined) => void
}

/** Asks for how long a conversation shall be silent. */
export default function MuteDialog({ onClose, onMute }: MuteDialogProps) {
  const { t, language } = useTranslation()
  const [lasts, setLasts] = useState<Lasting>('night')
  return (
    <ChatDialog title={t('details.mute')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
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
        <div className="chat-dialog-buttons">
          <button type="button" className="chat-button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="chat-button" data-kind="primary">
            {t('details.mute.confirm')}
          </button>
        </div>
      </form>
    </ChatDialog>
  )
}
