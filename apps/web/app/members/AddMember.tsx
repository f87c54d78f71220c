import { useEffect, useState } from 'react'
import { useFetcher } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Choice, Field } from '../ui/Field.tsx'
import { Icon } from '../ui/Icon.tsx'
import { noticeDone } from '../ui/notices.tsx'
import type { MemberChangeAnswer } from './change-members.server.ts'

/** The button and the dialog by which owners and admins bring somebody into the organization. */
export function AddMember() {
  const t = useTranslate()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" data-kind="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {t('members.add')}
      </button>
      <Dialog title={t('members.add.title')} open={open} onClose={() => setOpen(false)}>
        <AddMemberForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function AddMemberForm({ onClose }: { onClose: () => void }) {
  const t = useTranslate()
  const fetcher = useFetcher<MemberChangeAnswer>()
  const answer = fetcher.state === 'idle' ? fetcher.data : undefined
  const done = answer?.type === 'success'

  useEffect(() => {
    if (!done || answer.password) return
    if (answer.notice) noticeDone(answer.notice)
    onClose()
  }, [done, answer, onClose])

  if (done && answer.password)
    return (
      <>
        <p>{answer.notice}</p>
        <p className="first-password">
          <span>{t('members.add.password', { name: answer.name })}</span>
          <code>{answer.password}</code>
          <span className="field-hint">{t('members.add.password.hint')}</span>
        </p>
        <div className="dialog-foot">
          <button type="button" className="button" data-kind="primary" onClick={onClose}>
            {t('newChat.close')}
          </button>
        </div>
      </>
    )

  return (
    <fetcher.Form method="post" noValidate className="form">
      <input type="hidden" name="do" value="add" />
      {answer?.type === 'error' && (
        <p className="notice" data-kind="danger" role="alert">
          {answer.error}
        </p>
      )}
      <Field label={t('signIn.email')} name="email" type="email" autoComplete="off" />
      <div className="field-pair">
        <Field label={t('settings.givenName')} name="givenName" autoComplete="off" />
        <Field label={t('settings.familyName')} name="familyName" autoComplete="off" />
      </div>
      <Choice label={t('members.role')} name="role" defaultValue="member">
        <option value="member">{t('role.member')}</option>
        <option value="admin">{t('role.admin')}</option>
        <option value="owner">{t('role.owner')}</option>
      </Choice>
      <div className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('dialog.cancel')}
        </button>
        <button
          type="submit"
          className="button"
          data-kind="primary"
          aria-disabled={fetcher.state !== 'idle' || undefined}
        >
          {t('members.add.submit')}
        </button>
      </div>
    </fetcher.Form>
  )
}
