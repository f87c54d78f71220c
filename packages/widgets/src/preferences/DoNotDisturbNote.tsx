import { useMinute } from '../chat/use-minute.ts'
import { useTranslation } from '../i18n/translate.ts'
import { MoonIcon } from '../theme/more-icons.tsx'
import { endOf } from './do-not-disturb-times.ts'
import { useDoNotDisturb } from './use-do-not-disturb.ts'
import { useSetDoNotDisturb } from './use-set-do-not-disturb.ts'
import './do-not-disturb.css'

/** Shows that do not disturb is on, its end, and a button to turn it off. Disappears at the end. */
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
