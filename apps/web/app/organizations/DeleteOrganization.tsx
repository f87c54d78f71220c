import { useState } from 'react'
import { useTranslate } from '../i18n/translate.tsx'
import { useMemberChange } from '../members/use-member-change.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

/** Lets an owner delete an organization. */
export function DeleteOrganization({ organization }: { organization: string }) {
  const t = useTranslate()
  const { submit } = useMemberChange()
  const [deleting, setDeleting] = useState(false)
  return (
    <section className="card">
      <div className="card-head">
        <h2>{t('organization.delete')}</h2>
        <p className="muted">{t('organization.delete.body')}</p>
      </div>
      <div className="form-foot">
        <button type="button" className="button" onClick={() => setDeleting(true)}>
          {t('organization.delete')}
        </button>
      </div>
      <ConfirmDialog
        title={t('organization.delete.title', { organization })}
        body={t('organization.delete.body')}
        action={t('organization.delete')}
        open={deleting}
        onClose={() => setDeleting(false)}
        onConfirm={() => submit({ do: 'delete' }, { method: 'post' })}
      />
    </section>
  )
}
