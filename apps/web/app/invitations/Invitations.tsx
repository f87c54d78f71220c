import { useEffect, useState } from 'react'
import type { FetcherSubmitFunction } from 'react-router'
import { useTranslate } from '../i18n/translate.tsx'
import { useTimes } from '../i18n/use-times.ts'
import { useMemberChange } from '../members/use-member-change.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Drawing } from '../ui/Icon.tsx'
import { TrashIcon } from '../ui/later-icons.tsx'
import { InvitationLink } from './InvitationLink.tsx'
import type { Invitation } from './invitation-store.server.ts'

const MAIL = 'M4.5 6.5h15a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1zM4 7.5l8 6 8-6'

/** The default validity of a renewed link. */
const RENEWED_DAYS = 7

/** The invitations that are still open. */
export function Invitations({ invitations }: { invitations: Invitation[] }) {
  const t = useTranslate()
  const revoking = useMemberChange()
  if (invitations.length === 0) return null
  return (
    <section className="section">
      <h2>{t('invite.open')}</h2>
      <ul className="invitations">
        {invitations.map((invitation) => (
          <Row key={invitation.email} invitation={invitation} revoke={revoking.submit} />
        ))}
      </ul>
    </section>
  )
}

function Row({ invitation, revoke }: { invitation: Invitation; revoke: FetcherSubmitFunction }) {
  const t = useTranslate()
  const written = useTimes()
  const fetcher = useMemberChange()
  const [link, setLink] = useState<string>()
  const { id, email, role, expiresAt, expired } = invitation
  const busy = fetcher.state !== 'idle'

  useEffect(() => {
    if (fetcher.data?.type === 'success') setLink(fetcher.data.link)
  }, [fetcher.data])

  return (
    <li className="invitation" data-busy={busy || undefined}>
      <span className="invitation-mark" aria-hidden="true">
        <Drawing name="mail" path={MAIL} />
      </span>
      <span className="person-text">
        <bdi className="person-name">{email}</bdi>
        <span className="muted">
          <time dateTime={expiresAt}>
            {t(expired ? 'invite.expired' : 'invite.until', {
              time: written(expiresAt, { dateStyle: 'medium', timeStyle: 'short' }),
            })}
          </time>
        </span>
      </span>
      <span className="tag" data-role={role}>
        {t(`role.${role}`)}
      </span>
      <span className="actions">
        <button
          type="button"
          className="button"
          data-size="small"
          aria-label={t('invite.renewFor', { email })}
          aria-disabled={busy || undefined}
          onClick={() => !busy && fetcher.submit({ do: 'invite', email, role, days: RENEWED_DAYS }, { method: 'post' })}
        >
          {t('invite.renew')}
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={t('invite.revokeFor', { email })}
          aria-disabled={busy || undefined}
          onClick={() => !busy && revoke({ do: 'revoke', invitationId: id }, { method: 'post' })}
        >
          <TrashIcon />
        </button>
      </span>
      <Dialog title={t('invite.renew')} open={link !== undefined} onClose={() => setLink(undefined)}>
        <InvitationLink link={link ?? ''} email={email} onClose={() => setLink(undefined)} />
      </Dialog>
    </li>
  )
}
