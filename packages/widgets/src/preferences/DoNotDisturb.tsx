import { useId, useRef, useState } from 'react'
import { useChat } from '../chat/chat-context.ts'
import { useMinute } from '../chat/use-minute.ts'
import { useTranslation } from '../i18n/translate.ts'
import { asField, endOf, inAnHour, nextMorning } from './do-not-disturb-times.ts'
import { useDoNotDisturb } from './use-do-not-disturb.ts'
import { useSetDoNotDisturb } from './use-set-do-not-disturb.ts'
import './do-not-disturb.css'

/**
 * Pauses sounds, notifications and push: for an hour, until the morning, or until a chosen time. While it is on, it
 * shows the end, and one press turns it off.
 */
export function DoNotDisturb() {
  const { t, locale } = useTranslation()
  const now = useMinute()
  const until = useDoNotDisturb()
  const setDoNotDisturb = useSetDoNotDisturb()
  const [asks, setAsks] = useState(false)
  const select = useRef<HTMLSelectElement>(null)
  const choose = (value: string) => {
    setAsks(value === 'time')
    if (value === 'hour') void setDoNotDisturb(inAnHour(now))
    if (value === 'morning') void setDoNotDisturb(nextMorning(now))
    if (value === '' && until) void setDoNotDisturb()
  }
  return (
    <>
      <label className="chat-preference">
        <span>{t('quiet.title')}</span>
        <select ref={select} value={asks ? 'time' : until ? 'on' : ''} onChange={(event) => choose(event.target.value)}>
          <option value="">{t('quiet.off')}</option>
          {until > 0 && <option value="on">{t('quiet.until', { time: endOf(locale, new Date(until), now) })}</option>}
          <option value="hour">{t('quiet.hour')}</option>
          <option value="morning">{t('quiet.morning', { time: endOf(locale, nextMorning(now), now) })}</option>
          <option value="time">{t('quiet.time')}</option>
        </select>
      </label>
      {asks && (
        <DoNotDisturbTime
          onDone={(date) => {
            setAsks(false)
            select.current?.focus()
            void setDoNotDisturb(date)
          }}
        />
      )}
      {until > 0 && !asks && (
        <button
          type="button"
          className="chat-button chat-quiet-end"
          onClick={() => {
            select.current?.focus()
            void setDoNotDisturb()
          }}
        >
          {t('quiet.end')}
        </button>
      )}
    </>
  )
}

/** Asks for the time; a time in the past is not accepted. */
function DoNotDisturbTime({ onDone }: { onDone: (until: Date) => void }) {
  const { t } = useTranslation()
  const { clock } = useChat()
  const id = useId()
  const now = useMinute()
  const [text, setText] = useState(() => asField(inAnHour(now)))
  const [isPast, setPast] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  return (
    <form
      className="chat-quiet-time"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        const date = new Date(text)
        if (date.getTime() > clock.now()) return onDone(date)
        setPast(true)
        field.current?.focus()
      }}
    >
      <label className="chat-field">
        <span>{t('quiet.field')}</span>
        <input
          ref={field}
          // biome-ignore lint/a11y/noAutofocus: the user chose to enter a time.
          autoFocus
          type="datetime-local"
          className="chat-input"
          value={text}
          min={asField(now)}
          aria-invalid={isPast || undefined}
          aria-describedby={isPast ? id : undefined}
          onChange={(event) => {
            setText(event.target.value)
            setPast(false)
          }}
        />
      </label>
      {isPast && (
        <p id={id} className="chat-field-fault">
          {t('quiet.past')}
        </p>
      )}
      <button type="submit" className="chat-button">
        {t('quiet.begin')}
      </button>
    </form>
  )
}
