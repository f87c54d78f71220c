import { useState } from 'react'
import { useFetcher } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFoot } from '../ui/FormFoot.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useFirstError } from '../ui/use-first-error.ts'
import { useSendOnce } from '../ui/use-send-once.ts'
import type { FoundAnswer } from './organizations-page.tsx'

/** The button and the dialog with which an owner creates another organization. */
export function NewOrganization() {
  const t = useTranslate()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        <Icon name="plus" />
        <span>{t('organizations.new')}</span>
      </button>
      <Dialog title={t('organizations.new')} open={open} onClose={() => setOpen(false)}>
        <NewOrganizationForm onClose={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function NewOrganizationForm({ onClose }: { onClose: () => void }) {
  const t = useTranslate()
  const fetcher = useFetcher<FoundAnswer>()
  const busy = fetcher.state !== 'idle'
  const answer = busy ? undefined : fetcher.data
  const error = answer?.error
  const form = useFirstError(answer)
  const sendOnce = useSendOnce(busy)
  return (
    <fetcher.Form method="post" ref={form} noValidate className="form" onSubmit={sendOnce}>
      <p className="muted">{t('organizations.new.lead')}</p>
      <Field
        label={t('organizations.name')}
        name="name"
        autoComplete="off"
        hint={t('organizations.name.hint')}
        error={error && t(error)}
        autoFocus
      />
      <FormFoot action={t('organizations.new.submit')} busy={busy} onClose={onClose} />
    </fetcher.Form>
  )
}
