import { useState } from 'react'
import { useFetcher } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import type { MemberChangeAnswer } from '../members/change-members.server.ts'
import type { Role } from '../organizations/organization-store.server.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Choice, Field } from '../ui/Field.tsx'
import { FormFoot } from '../ui/FormFoot.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useFirstError } from '../ui/use-first-error.ts'
import { useSendOnce } from '../ui/use-send-once.ts'
import { InvitationLink } from './InvitationLink.tsx'

/** The button and the dialog with which owners and admins invite a person into the organization. */
export function InvitePeople({ role }: { role: Role }) {
  const t = useTranslate()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" data-kind="primary" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        <span>{t('invite.button')}</span>
      </button>
      <Dialog title={t('invite.title')} open={open} onClose={() => setOpen(false)}>
        <InviteForm role={role} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function InviteForm({ role, onClose }: { role: Role; onClose: () => void }) {
  const t = useTranslate()
  const fetcher = useFetcher<MemberChangeAnswer>()
  const busy = fetcher.state !== 'idle'
  const sendOnce = useSendOnce(busy)
  const answer = busy ? undefined : fetcher.data
  const form = useFirstError(answer)
  if (answer?.type === 'success' && answer.link)
    return <InvitationLink link={answer.link} email={answer.email!} onClose={onClose} />
  return (
    <fetcher.Form method="post" ref={form} noValidate className="form" onSubmit={sendOnce}>
      <p className="muted">{t('invite.lead')}</p>
      <input type="hidden" name="do" value="invite" />
      <Field
        label={t('signIn.email')}
        name="email"
        type="email"
        inputMode="email"
        autoComplete="off"
        error={answer?.type === 'error' ? answer.error : undefined}
        autoFocus
      />
      <div className="field-pair">
        <Choice label={t('members.role')} name="role" defaultValue="member">
          <option value="member">{t('role.member')}</option>
          <option value="admin">{t('role.admin')}</option>
          {role === 'owner' && <option value="owner">{t('role.owner')}</option>}
        </Choice>
        <Choice label={t('invite.holds')} name="days" defaultValue="7">
          {[1, 7, 30].map((days) => (
            <option key={days} value={days}>
              {t('invite.days', { count: days })}
            </option>
          ))}
        </Choice>
      </div>
      <FormFoot action={t('invite.submit')} busy={busy} onClose={onClose} />
    </fetcher.Form>
  )
}
