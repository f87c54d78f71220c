import { useEffect, useRef } from 'react'
import { useFetcher } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { Field } from '../ui/Field.tsx'
import { noticeDone } from '../ui/notices.tsx'
import { useSendOnce } from '../ui/use-send-once.ts'
import type { PasswordAnswer } from './change-password.ts'

/** A card for choosing a new password. */
export function PasswordForm() {
  const t = useTranslate()
  const fetcher = useFetcher<PasswordAnswer>()
  const form = useRef<HTMLFormElement>(null)
  const busy = fetcher.state !== 'idle'
  const sendOnce = useSendOnce(busy)
  const answer = busy ? undefined : fetcher.data
  const errors = answer?.type === 'error' ? answer.errors : undefined

  useEffect(() => {
    if (answer?.type === 'success') {
      form.current?.reset()
      noticeDone(answer.notice)
    } else if (answer) form.current?.querySelector<HTMLElement>(`[name=${Object.keys(answer.errors)[0]}]`)?.focus()
  }, [answer])

  return (
    <fetcher.Form method="post" action="/settings/password" ref={form} noValidate className="card" onSubmit={sendOnce}>
      <div className="card-head">
        <h2>{t('password.title')}</h2>
        <p className="muted">{t('password.lead')}</p>
      </div>
      <div className="field-pair">
        <Field
          label={t('password.current')}
          name="currentPassword"
          type="password"
          autoComplete="current-password"
          error={errors?.currentPassword && t(errors.currentPassword)}
        />
        <Field
          label={t('password.new')}
          name="newPassword"
          type="password"
          autoComplete="new-password"
          hint={t('password.hint')}
          error={errors?.newPassword && t(errors.newPassword)}
        />
      </div>
      <div className="form-foot">
        <button type="submit" className="button" aria-disabled={busy || undefined}>
          {t('password.change')}
        </button>
      </div>
    </fetcher.Form>
  )
}
