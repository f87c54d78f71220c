import { useMinute } from '../chat/use-minute.ts'
import { useTranslation } from '../i18n/translate.ts'
import { MoonIcon } from '../theme/more-icons.tsx'
import { endOf } from './quiet-times.ts'
import { useBeQuiet } from './use-be-quiet.ts'
import { useQuiet } from './use-quiet.ts'
import './quiet.css'

/** That nothing tells of messages, until when, and how to end it. Goes by itself when the time has come. */
export default function QuietNote() {
  const { t, locale } = useTranslation()
  const now = useMinute()
  const until = useQuiet()
  const beQuiet = useBeQuiet()
  if (!until) return null
  return (
    <div className="chat-quiet">
      <MoonIcon />
      <span>{t('quiet.on', { time: endOf(locale, new Date(until), now) })}</span>
      <button type="button" className="chat-button" data-kind="quiet" onClick={() => void beQuiet()}>
        {t('quiet.end')}
      </button>
    </div>
  )
}
