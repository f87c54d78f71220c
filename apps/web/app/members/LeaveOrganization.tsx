import { useState } from 'react'
import type { FetcherSubmitFunction } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

/** Lets a member leave an organization. */
export function LeaveOrganization({ organization, submit }: LeaveOrganizationProps) {
  const t = useTranslate()
  const [leaving, setLeaving] = useState(false)
  return (
    <>
      <button type="button" className="button" data-size="small" data-kind="quiet" onClick={() => setLeaving(true)}>
        {t('members.leave')}
      </button>
      <ConfirmDialog
        title={t('members.leave.title', { organization })}
        body={t('members.leave.body')}
        action={t('members.leave')}
        open={leaving}
        onClose={() => setLeaving(false)}
        onConfirm={() => submit({ do: 'leave' }, { method: 'post' })}
      />
    </>
  )
}

interface LeaveOrganizationProps {
  organization: string
  submit: FetcherSubmitFunction
}
