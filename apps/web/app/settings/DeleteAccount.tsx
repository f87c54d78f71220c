import { useState } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import type { Farewell } from '../people/delete-person.server.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import { FormFoot } from '../ui/FormFoot.tsx'
import { useFirstError } from '../ui/use-first-error.ts'
import { useSendOnce } from '../ui/use-send-once.ts'
import type { AccountRefusal } from './delete-account.server.ts'

/** Lets a user delete their own account. */
export function DeleteAccount({ farewell, refusal }: DeleteAccountProps) {
  const t = useTranslate()
  const [deleting, setDeleting] = useState(false)
  const close = () => setDeleting(false)
  const { ownedAlone, isLastOwner } = farewell
  const body = t('account.delete.body', { name: t('chat.deletedUser') })
  return (
    <section className="card">
      <div className="card-head">
        <h2>{t('account.delete')}</h2>
        <p className="muted">{body}</p>
      </div>
      <div className="form-foot">
        <button type="button" className="button" onClick={() => setDeleting(true)}>
          {t('account.delete')}
        </button>
      </div>
      <Dialog title={t('account.delete')} open={deleting} onClose={close} role="alertdialog">
        {ownedAlone.length > 0 || isLastOwner ? (
          <Held farewell={farewell} onClose={close} />
        ) : (
          <FarewellForm body={body} farewell={farewell} refusal={refusal} onClose={close} />
        )}
      </Dialog>
    </section>
  )
}

interface DeleteAccountProps {
  farewell: Farewell
  refusal?: AccountRefusal
}

/** What blocks the deletion, with links. */
function Held({ farewell: { ownedAlone, goAlong }, onClose }: { farewell: Farewell; onClose: () => void }) {
  const t = useTranslate()
  const hasMembers = ownedAlone.length > 0
  return (
    <>
      <p>{t(hasMembers ? 'account.delete.held' : 'members.lastOwner')}</p>
      <Organizations organizations={hasMembers ? ownedAlone : goAlong} />
      <div className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {t('newChat.close')}
        </button>
      </div>
    </>
  )
}

function FarewellForm({ body, farewell: { goAlong }, refusal, onClose }: FarewellFormProps) {
  const t = useTranslate()
  const busy = useNavigation().state !== 'idle'
  // An error from before the dialog was reopened is not shown again.
  const [before] = useState(refusal)
  const error = refusal === before ? undefined : refusal?.password
  const form = useFirstError(error ? refusal : undefined)
  const sendOnce = useSendOnce(busy)
  return (
    <Form method="post" ref={form} noValidate className="form" preventScrollReset onSubmit={sendOnce}>
      <p>{body}</p>
      {goAlong.length > 0 && (
        <>
          <p>{t('account.delete.goAlong')}</p>
          <Organizations organizations={goAlong} />
        </>
      )}
      <input type="hidden" name="do" value="deleteAccount" />
      <Field
        label={t('password.current')}
        name="password"
        type="password"
        autoComplete="current-password"
        error={error && t(error)}
        autoFocus
      />
      <FormFoot action={t('account.delete')} kind="danger" busy={busy} onClose={onClose} />
    </Form>
  )
}

interface FarewellFormProps extends DeleteAccountProps {
  body: string
  onClose: () => void
}

function Organizations({ organizations }: { organizations: Farewell['goAlong'] }) {
  return (
    <ul>
      {organizations.map(({ id, displayName }) => (
        <li key={id}>
          <Link to={`/organizations/${id}/members`}>{displayName}</Link>
        </li>
      ))}
    </ul>
  )
}
