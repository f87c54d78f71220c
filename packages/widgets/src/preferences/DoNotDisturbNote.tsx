import { useMinute } from '../chat/use-minute.ts'
import { useTranslation } from '../i18n/translate.ts'
import { MoonIcon } from '../theme/more-icons.tsx'
import { endOf } from './do-not-disturb-times.ts'
import { useDoNotDisturb } from './use-do-not-disturb.ts'
import { useSetDoNotDisturb } from './use-set-do-not-disturb.ts'
import './do-not-disturb.css'

/** That nothing tells of messages, until when, and how to end it. Goes by itself when the time has come. */
export default function DoNotDisturbNote() {
  const { t, locale } = useTranslation()
  const now = useMinute()
  const until = useDoNotDisturb()
  const setDoNotDisturb = useSetDoNotDisturb()
  if (!until) return null
  return (
    <div className="chat-quiet">
      <MoonIcon />
      <span>{t('quiet.on', { time: endOf(locale, new Date(until), now) })}</span>
      <button type="button" className="chat-button" data-kind="quiet" onClick={() => void setDoNotDisturb()}>
        {t('quiet.end')}
      </button>
    </div>
  )
}
